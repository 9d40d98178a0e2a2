"""Exact search with numpy: the reference that every other index is measured against."""

from __future__ import annotations

import numpy as np

from engine.index.dense import DenseIndex
from engine.index.stored import Nearest, nearest
from engine.rows import Rows

_QUERIES_AT_ONCE = 256  # bounds the score table at 256 x n floats


class ExactIndex(DenseIndex):
    """Every inner product, then the largest."""

    def _nearest(self, queries: Rows, held: Rows, k: int) -> list[Nearest]:
        found: list[Nearest] = []
        for first in range(0, queries.shape[0], _QUERIES_AT_ONCE):
            scores = np.asarray(queries[first : first + _QUERIES_AT_ONCE] @ held.T)  # (<=256, n)
            found.extend(nearest(row, k) for row in scores)
        return found
