"""Collections of the library, and what of them a page has open."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from engine.library import Library

EXAMPLE = "rewired-random-walk"


def kept(folder: Path) -> dict[str, list[str]]:
    with Library.open(folder) as library:
        return {name: library.collections.ids(name) for name in library.collections.counts()}


def keep(folder: Path, name: str, *ids: str) -> None:
    with Library.open(folder) as library:
        library.collections.add(name, ids)


def opened(test: AppTest, *keys: str) -> AppTest:
    """The page with some popovers and rows open."""
    for key in keys:
        test.session_state[key] = True
    return test.run()
