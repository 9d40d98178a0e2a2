"""A library is copied from a folder to a server of PostgreSQL, and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.stores import Stores, keep_stores
from tests.library.test_moving import MovingContract


class TestPostgres(MovingContract):
    """From a folder to a server, and back to a folder."""

    @pytest.fixture
    def target(self, tmp_path: Path, database: str) -> Path:
        keep_stores(tmp_path / "target", Stores(documents=database))
        return tmp_path / "target"
