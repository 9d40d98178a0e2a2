"""Rows of vectors, the one type that encoders give and indexes keep, and the largest of their scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

DenseRows: TypeAlias = NDArray[np.float32]
"""(n, dim) float32."""

SparseRows: TypeAlias = csr_array
"""(n, dim) float32 in compressed rows, for methods whose rows are mostly zeros."""

Rows: TypeAlias = DenseRows | SparseRows
"""(n, dim) float32, dense or sparse."""

Positions: TypeAlias = NDArray[np.int64]
"""(n,) places of things in an order: documents of a corpus, chunks of a document, words of a vocabulary."""


class RowsInParts(Protocol):
    """Rows (n, dim) that are taken some at a time: an array, or what reads or makes them when they are asked for."""

    @property
    def shape(self) -> tuple[int, ...]:
        """(n, dim)."""

    def __getitem__(self, some: Any, /) -> Any:  # noqa: ANN401  as an array says it
        """Return the rows (m, dim) of a slice, or at places (m,)."""


def are_dense(rows: RowsInParts) -> bool:
    """Tell whether rows are dense."""
    return isinstance(rows[:0], np.ndarray)


def parts_of(rows: RowsInParts, *, at_once: int = 2_048) -> Iterator[tuple[slice, Any]]:
    """Yield rows in order, some at a time, each time with their places."""
    for first in range(0, rows.shape[0], at_once):
        some = slice(first, min(first + at_once, rows.shape[0]))
        yield some, rows[some]


TokenIds: TypeAlias = NDArray[np.int32]
"""(n,) words or letters by their places in a vocabulary, one for each of a text."""

Flags: TypeAlias = NDArray[np.bool_]
"""(n,) one yes or no for each of an order of things."""

Precision: TypeAlias = Literal["float32", "float16", "int8"]
"""How an index keeps dense rows: whole, in half precision, or as a byte a number with one scale a row."""


def both_ways(ours: DenseRows, theirs: DenseRows, *, best: float = 1.0) -> float:
    """Return the mean of rows' (m, dim) largest inner products with the others (n, dim), both ways; 0 without rows.

    Of both only the share `best` of the rows counts, rounded up: those that match best.
    """
    if not len(ours) or not len(theirs):
        return 0.0
    products = ours @ theirs.T  # (m, n)
    return float(sum(_mean_of_largest(products.max(axis=axis), best) for axis in (0, 1))) / 2


def _mean_of_largest(scores: NDArray[np.float32], share: float) -> np.float32:
    """Return the mean of the largest of n scores (n,): a share of them, rounded up."""
    left = len(scores) - min(len(scores), math.ceil(share * len(scores)))
    mean: np.float32 = np.partition(scores, left)[left:].mean() if left else scores.mean()
    return mean


def largest(scores: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """Return the positions (k,) of the k largest of n scores, largest and earliest first; all n if k > n."""
    size = len(scores)
    candidates = np.arange(size)
    if 0 < k < size:
        least = np.partition(scores, size - k)[size - k]
        above, level = np.flatnonzero(scores > least), np.flatnonzero(scores == least)
        candidates = np.sort(np.concatenate([above, level[: k - len(above)]]))
    return candidates[np.argsort(-scores[candidates], kind="stable")][: max(k, 0)]


@cache
def compiled(loop: Callable[..., None], *, in_any_order: bool = False) -> Callable[..., None]:
    """Compile a loop over arrays to machine code; numba takes a second or two for it, once a process.

    Whole-array operations go over the same numbers a dozen times, which takes several times as long. Sums that may be
    taken `in_any_order` are taken in vectors.
    """
    from numba import njit  # imports LLVM

    faster: Any = njit(nogil=True, error_model="numpy", fastmath={"reassoc", "contract"} if in_any_order else False)
    made: Callable[..., None] = faster(loop)
    return made


def unit_length(rows: DenseRows) -> DenseRows:
    """Divide each row (n, dim) by its Euclidean length; rows of zeros stay."""
    lengths = np.sqrt(np.einsum("nd,nd->n", rows, rows))[:, None]
    scaled: DenseRows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return scaled


def unit_length_sparse(rows: SparseRows) -> SparseRows:
    """Divide each sparse row (n, dim) by its Euclidean length; empty rows stay."""
    row_of = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    squares = np.bincount(row_of, weights=rows.data.astype(np.float64) ** 2, minlength=rows.shape[0])
    data = (rows.data / np.sqrt(squares)[row_of]).astype(np.float32)
    return csr_array((data, rows.indices, rows.indptr), shape=rows.shape)


def batches(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Return the places of texts, longest first, in batches of at most `most` tokens including padding."""
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    first = 0
    while first < len(order):
        count = max(1, most // max(1, lengths[order[first]]))
        yield order[first : first + count]
        first += count
