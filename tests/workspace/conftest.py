"""A library without documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.library import Library


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", create=True) as opened:
        yield opened
