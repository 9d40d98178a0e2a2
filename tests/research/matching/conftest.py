"""A small set of pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.research.matching.pair_set import PairSet
from tests.research.matching.small_pairs import pair_set


@pytest.fixture
def pairs(tmp_path: Path) -> PairSet:
    return pair_set(tmp_path / "small")
