"""A library on a server of PostgreSQL keeps what every library promises."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.stores import Stores, keep_stores
from tests.contracts.library import LibraryContract
from tests.library.conftest import imported, library, worded  # noqa: F401 - fixtures of the contract


@pytest.fixture
def folder(tmp_path: Path, database: str) -> Path:
    """This machine's folder for a library on the server."""
    keep_stores(tmp_path / "library", Stores(documents=database))
    return tmp_path / "library"


class TestPostgresLibrary(LibraryContract):
    """Over PostgreSQL."""
