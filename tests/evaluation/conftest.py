"""Fixtures that several files of this folder use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.library import Library
from tests.evaluation.small import DOCUMENTS


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", create=True) as opened:
        opened.add_file("own", "own.jsonl", DOCUMENTS)
        yield opened
