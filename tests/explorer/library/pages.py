"""The Library page with one of its parts open."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.explorer.conftest import Start


def part(app: Start, name: str, **link: str) -> AppTest:
    """The page with this part open, at a link whose parameters are given by name."""
    return app(part=name.lower(), **link).switch_page("explorer/library/view.py").run()
