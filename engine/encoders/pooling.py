"""Ways to pool a text's token vectors into one, without padding."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import DenseRows

Lengths = NDArray[np.int64]
Pool = Callable[[DenseRows, Lengths], DenseRows]
"""Vectors (b, t, dim) of texts with lengths (b,), all at least 1, pooled: (b, dim)."""


def first(vectors: DenseRows, lengths: Lengths) -> DenseRows:
    """The first token's vector, [CLS] in many models."""
    del lengths
    return vectors[:, 0]


def last(vectors: DenseRows, lengths: Lengths) -> DenseRows:
    """The last token's vector."""
    return vectors[np.arange(len(vectors)), lengths - 1]


def sums(vectors: DenseRows, lengths: Lengths) -> DenseRows:
    """The sum of all token vectors."""
    total: DenseRows = np.einsum("btd,bt->bd", vectors, _inside(vectors, lengths).astype(np.float32))
    return total


def means(vectors: DenseRows, lengths: Lengths) -> DenseRows:
    """The mean of all token vectors."""
    return np.asarray(sums(vectors, lengths) / lengths[:, None], np.float32)


def means_by_root(vectors: DenseRows, lengths: Lengths) -> DenseRows:
    """The sum of all token vectors over the square root of their number."""
    return np.asarray(sums(vectors, lengths) / np.sqrt(lengths[:, None]), np.float32)


def means_by_place(vectors: DenseRows, lengths: Lengths) -> DenseRows:
    """The mean of all token vectors, the first counted once, the second twice and so on (SGPT, Muennighoff 2022)."""
    places = np.arange(1, vectors.shape[1] + 1, dtype=np.float32) * _inside(vectors, lengths)  # (b, t)
    found: DenseRows = np.einsum("btd,bt->bd", vectors, places / places.sum(axis=1, keepdims=True))
    return np.asarray(found, np.float32)


def largest(vectors: DenseRows, lengths: Lengths) -> DenseRows:
    """The maximum of each dimension."""
    hidden = np.where(_inside(vectors, lengths)[:, :, None], vectors, np.float32(-np.inf))
    found: DenseRows = hidden.max(axis=1)
    return found


POOLS: Mapping[str, Pool] = {
    "cls_token": first,
    "max_tokens": largest,
    "mean_tokens": means,
    "mean_sqrt_len_tokens": means_by_root,
    "weightedmean_tokens": means_by_place,
    "lasttoken": last,
}
"""By sentence-transformers' names, in its order of concatenation."""


def _inside(vectors: DenseRows, lengths: Lengths) -> NDArray[np.bool_]:
    """Which places hold a token of the text: (b, t)."""
    inside: NDArray[np.bool_] = np.arange(vectors.shape[1]) < lengths[:, None]
    return inside
