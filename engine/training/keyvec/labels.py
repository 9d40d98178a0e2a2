"""Makes the labels that KeyVec learns from: salient sentences by their cosines, key words by TF-IDF."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import SparseRows
from engine.encoders import unit_length_sparse


def idf(counts: SparseRows) -> NDArray[np.float64]:
    """ln((1 + n) / (1 + df)) + 1 of each column of counts (n, V): (V,), as TF-IDF's encoder has it."""
    held = np.bincount(counts.indices, minlength=counts.shape[1])
    return np.asarray(np.log((1 + counts.shape[0]) / (1 + held)) + 1, np.float64)


def weighted(counts: SparseRows, weights: NDArray[np.float64]) -> SparseRows:
    """Counts (n, V) times the weight of each column (V,)."""
    rows = counts.copy().astype(np.float32)
    rows.data *= weights[rows.indices].astype(np.float32)
    return rows


def tfidf_cosines(abstract: SparseRows, body: SparseRows, weights: NDArray[np.float64]) -> NDArray[np.float32]:
    """Cosines (a, m) of an abstract's sentences and a body's, from their counts of words (a, V) and (m, V)."""
    ours, theirs = (unit_length_sparse(weighted(counts, weights)) for counts in (abstract, body))
    return np.asarray((ours @ theirs.T).toarray(), np.float32)


def salient(cosines: NDArray[np.float32], *, threshold: float, top: int) -> NDArray[np.bool_]:
    """Which sentences of a body (m,) are salient, from the cosines (a, m) of the abstract's sentences with them.

    For each sentence of the abstract its `top` nearest, where the cosine is above `threshold`.
    """
    nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :top]  # (a, top)
    above = np.take_along_axis(cosines, nearest, axis=1) > threshold
    found = np.zeros(cosines.shape[1], bool)
    found[nearest[above]] = True
    return found


def frequent(counts: SparseRows, most: int) -> NDArray[np.int64]:
    """The columns of the words seen most often, the first of equal ones first: at most `most`, and no unseen word."""
    totals = np.asarray(counts.sum(axis=0)).ravel()
    order = np.argsort(-totals, kind="stable")[:most]
    return np.asarray(order[totals[order] > 0], np.int64)


def strongest(rows: SparseRows, most: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The columns of each row's largest values, at most `most`, end to end: (w,), and where rows start (n + 1,)."""
    row_of = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    order = np.lexsort((rows.indices, -rows.data, row_of))
    rank = np.arange(len(order)) - rows.indptr[row_of[order]]
    kept = order[rank < most]
    starts = np.concatenate([[0], np.minimum(np.diff(rows.indptr), most).cumsum()])
    return rows.indices[kept].astype(np.int32), starts.astype(np.int64)
