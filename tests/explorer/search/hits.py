"""What the tests of the search page ask of it."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def titles(test: AppTest) -> list[str]:
    return [block.body.split("</h2>")[0].rsplit(">", 1)[-1] for block in test.html if 'class="ps-hit"' in block.body]
