"""Fixtures that every test may use."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
if str(PROJECT) not in sys.path:
    sys.path.insert(0, str(PROJECT))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real papers and patents beside the project; it is not part of the project."""
    folder = PROJECT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the folder shared/ with real documents does not lie beside the project")
    return folder
