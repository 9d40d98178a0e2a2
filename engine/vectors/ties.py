"""The largest of many products, with equal rows in order however the matrix product rounded them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import DenseRows
from engine.vectors.packed import PackedRows
from engine.vectors.stored import Nearest, nearest

_PLACES_AT_ONCE = 1024  # bounds the rows that are unpacked to be scored again
_EPSILON = float(np.finfo(np.float32).eps)

Take: TypeAlias = Callable[[NDArray[np.int64]], PackedRows]
"""The rows at some places."""


def nearest_rows(query: DenseRows, scores: NDArray[np.float32], take: Take, k: int) -> Nearest:
    """The k largest scores (n,) of a query (dim,) with n rows; equal rows stay in order.

    A matrix product sums the columns at the edge of a block in another order, and on some processors equal rows then
    differ in the last bits. So scores within rounding of their neighbour in the ranking are computed again, row by row.
    """
    if not 0 < k or not len(scores):
        return nearest(scores, k)
    first, best = nearest(scores, k)
    slack = rounding(query, take(first[:_PLACES_AT_ONCE]).unpacked())
    if slack == 0:
        return first, best
    places = np.flatnonzero(scores >= best[-1] - slack)
    places = places[np.argsort(-scores[places], kind="stable")]
    ranked = scores[places]
    near = np.zeros(len(places), dtype=bool)
    close = ranked[:-1] - ranked[1:] <= slack
    near[:-1] |= close
    near[1:] |= close
    for block in np.array_split(np.flatnonzero(near), -(-int(near.sum()) // _PLACES_AT_ONCE) or 1):
        if len(block):
            ranked[block] = take(places[block]).products_at(query[None], np.arange(len(block))[None])[0]
    order = np.lexsort((places, -ranked))[:k]
    return places[order], ranked[order]


def rounding(query: DenseRows, rows: DenseRows) -> float:
    """How far apart two orders of summing can put the product of a query (dim,) with any of these rows."""
    longest = float(np.sqrt(np.einsum("nd,nd->n", rows, rows).max(initial=0.0)))
    return len(query) * _EPSILON * float(np.linalg.norm(query)) * longest
