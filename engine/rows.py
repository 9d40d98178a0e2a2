"""Rows of vectors, the one type that encoders give and indexes keep, and the largest of their scores."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

DenseRows: TypeAlias = NDArray[np.float32]
"""(n, dim) float32."""

SparseRows: TypeAlias = csr_array
"""(n, dim) float32 in compressed rows, for methods whose rows are mostly zeros."""

Rows: TypeAlias = DenseRows | SparseRows
"""(n, dim) float32, dense or sparse."""

Precision: TypeAlias = Literal["float32", "float16", "int8"]
"""How an index keeps dense rows: whole, in half precision, or as a byte a number with one scale a row."""


def both_ways(ours: DenseRows, theirs: DenseRows) -> float:
    """The mean over rows (m, dim) of the largest inner product with the others' (n, dim), both ways; 0 without rows."""
    if not len(ours) or not len(theirs):
        return 0.0
    products = ours @ theirs.T  # (m, n)
    return float(products.max(axis=1).mean() + products.max(axis=0).mean()) / 2


def largest(scores: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """Positions (k,) of the k largest of n scores, largest first, the earlier of equal ones first; all n if k > n."""
    size = len(scores)
    candidates = np.arange(size)
    if 0 < k < size:
        least = np.partition(scores, size - k)[size - k]
        above, level = np.flatnonzero(scores > least), np.flatnonzero(scores == least)
        candidates = np.sort(np.concatenate([above, level[: k - len(above)]]))
    return candidates[np.argsort(-scores[candidates], kind="stable")][: max(k, 0)]
