"""Dense rows in an index: how they are joined, taken and stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import StorageError
from engine.index.stored import StoredIndex
from engine.rows import DenseRows, Rows


class DenseIndex(StoredIndex):
    """An index of (n, dim) float32 arrays; how the nearest are found is left to the subclass."""

    layout = "dense"

    def _typed(self, rows: Rows) -> DenseRows:
        return np.array(rows, dtype=np.float32, order="C")

    def _stack(self, blocks: Sequence[Rows]) -> DenseRows:
        return np.concatenate([np.zeros((0, self.dim), np.float32), *blocks])

    def _take(self, rows: Rows, places: NDArray[np.int64]) -> DenseRows:
        taken: DenseRows = rows[places]
        return taken

    def _to_arrays(self, rows: Rows) -> dict[str, NDArray[Any]]:
        return {"rows": np.asarray(rows)}

    def _from_arrays(self, arrays: dict[str, NDArray[Any]]) -> DenseRows:
        if "rows" not in arrays:
            raise StorageError("Expected the array rows in a dense index; it is missing. Remove the folder and index.")
        return arrays["rows"]
