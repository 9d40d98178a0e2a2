"""Fixtures that every test may use."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
if str(PROJECT) not in sys.path:
    sys.path.insert(0, str(PROJECT))


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep a file's tests, and all that drive the browser, in one process where pytest-xdist shares them out."""
    for item in items:
        room = item.path.parent.name
        item.add_marker(pytest.mark.xdist_group(room if room == "browser" else f"{room}-{item.path.stem}"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real papers and patents beside the project; it is not part of the project."""
    folder = PROJECT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the folder shared/ with real documents does not lie beside the project")
    return folder
