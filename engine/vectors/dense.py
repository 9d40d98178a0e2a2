"""Dense rows in an index: how they are joined, taken, stored and, without another library, searched."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import DenseRows, Rows
from engine.core.threads import ONE_BLAS_THREAD
from engine.vectors.packed import PackedRows
from engine.vectors.stored import Nearest, StoredIndex
from engine.vectors.ties import nearest_rows

_QUERIES_AT_ONCE = 256  # bounds the score table at 256 x n floats


class DenseIndex(StoredIndex[PackedRows]):
    """Rows (n, dim) kept in the precision that the index was opened with; every inner product, then the largest."""

    layout = "dense"

    def _typed(self, rows: Rows) -> DenseRows:
        return np.array(rows, dtype=np.float32, order="C")

    def _pack(self, rows: Rows) -> PackedRows:
        return PackedRows.of(np.asarray(rows), self.precision)

    def _unpack(self, held: PackedRows) -> DenseRows:
        return held.unpacked()

    def _stack(self, blocks: Sequence[PackedRows]) -> PackedRows:
        return PackedRows.joined(blocks, dim=self.dim, precision=self.precision)

    def _take(self, held: PackedRows, places: NDArray[np.int64]) -> PackedRows:
        return held.take(places)

    def _to_arrays(self, held: PackedRows) -> dict[str, NDArray[Any]]:
        return held.arrays

    def _from_arrays(self, arrays: dict[str, NDArray[Any]]) -> PackedRows:
        return PackedRows.from_arrays(arrays, self.precision)

    def _nearest(self, queries: Rows, held: PackedRows, k: int) -> list[Nearest]:
        found: list[Nearest] = []
        for first in range(0, queries.shape[0], _QUERIES_AT_ONCE):
            some = np.asarray(queries[first : first + _QUERIES_AT_ONCE])
            with ONE_BLAS_THREAD if len(some) == 1 else nullcontext():
                scores = held.products(some)  # (<=256, n)
            found.extend(nearest_rows(*pair, held.take, k) for pair in zip(some, scores, strict=True))
        return found
