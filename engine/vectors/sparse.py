"""Search over sparse rows (scipy CSR), for encoders with one column a word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from engine.core.errors import StorageError
from engine.core.rows import Rows, SparseRows
from engine.vectors.index import StoredIndex
from engine.vectors.packed import FoundRows, nearest

_QUERIES_AT_ONCE = 32  # bounds the dense copy of the queries at 32 x dim floats


class SparseIndex(StoredIndex[SparseRows]):
    """Every inner product with the rows held, then the largest; exact."""

    layout = "sparse"

    def _typed(self, rows: Rows) -> SparseRows:
        return csr_array(rows, dtype=np.float32, copy=True)

    def _pack(self, rows: Rows) -> SparseRows:
        return csr_array(rows)

    def _unpack(self, held: SparseRows) -> SparseRows:
        return held

    def _stack(self, blocks: Sequence[SparseRows]) -> SparseRows:
        return csr_array(vstack([csr_array((0, self.dim), dtype=np.float32), *blocks], format="csr"))

    def _take(self, held: SparseRows, places: NDArray[np.int64]) -> SparseRows:
        return csr_array(held[places])

    def _to_arrays(self, held: SparseRows) -> dict[str, NDArray[Any]]:
        return {"data": held.data, "indices": held.indices, "indptr": held.indptr}

    def _from_arrays(self, arrays: dict[str, NDArray[Any]]) -> SparseRows:
        missing = sorted({"data", "indices", "indptr"} - arrays.keys())
        if missing:
            raise StorageError(
                f"Expected the array {missing[0]} in a sparse index; it is missing. Remove the folder and index."
            )
        parts = (arrays["data"], arrays["indices"], arrays["indptr"])
        return csr_array(parts, shape=(len(arrays["indptr"]) - 1, self.dim))

    def _nearest(self, queries: Rows, held: SparseRows, k: int) -> list[FoundRows]:
        found: list[FoundRows] = []
        for first in range(0, queries.shape[0], _QUERIES_AT_ONCE):
            columns = csr_array(queries[first : first + _QUERIES_AT_ONCE]).toarray().T  # (dim, <=32)
            scores = np.ascontiguousarray((held @ np.ascontiguousarray(columns)).T)  # (<=32, n)
            found.extend(nearest(row, k) for row in scores)
        return found
