"""What a kind of index that only names its ids can say, and which kinds find all of the nearest."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from engine.core.rows import Rows
from engine.documents import Hit
from engine.vectors.index import VectorIndex
from engine.vectors.registry import IndexKind, open_index


class NamesOnly(VectorIndex):
    """Forgets the rows."""

    def __init__(self) -> None:
        self._names: list[str] = []

    @property
    def ids(self) -> Sequence[str]:
        return self._names

    def add(self, ids: Sequence[str], rows: Rows) -> None:
        self._names += ids

    def remove(self, ids: Collection[str]) -> None:
        self._names = [name for name in self._names if name not in ids]

    def search(self, rows: Rows, k: int, *, within: Collection[str] | None = None) -> list[list[Hit]]:
        raise NotImplementedError

    def rows(self, ids: Sequence[str]) -> Rows:
        raise NotImplementedError

    def flush(self) -> None:
        raise NotImplementedError


def test_the_ids_say_how_many_are_held_and_which() -> None:
    index = NamesOnly()
    assert (len(index), "a" in index, bool(index)) == (0, False, False)
    index.add(["a", "b"], np.zeros((2, 1), np.float32))
    index.remove(["a"])
    assert (len(index), "a" in index, "b" in index, 3 in index) == (1, False, True, False)


@pytest.mark.parametrize("kind", get_args(IndexKind))
def test_only_the_binary_index_may_miss_a_near_row(kind: IndexKind, tmp_path: Path) -> None:
    assert open_index(tmp_path, fingerprint="f", dim=3, kind=kind).is_exact == (kind != "binary")
