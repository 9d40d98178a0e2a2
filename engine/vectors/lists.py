"""Rows in lists by the nearest of some centres, so that a search counts the signs of a few lists, not of all rows.

An inverted file (Sivic and Zisserman 2003, "Video Google"; Jégou, Douze and Schmid 2011, "Product quantization for
nearest neighbor search", section IV). The centres are learned from the rows themselves by k-means, for each segment its
own: a segment never changes, and neither do its lists.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.files import require_arrays
from engine.core.rows import DenseRows, Positions
from engine.vectors.codes import Signs
from engine.vectors.packed import PackedRows

LISTED = 1 << 16
"""From this many rows on, lists pay."""
_ROWS_A_LIST = 1_024
_SAMPLE_A_CENTRE, _ROUNDS, _SEED = 32, 8, 7
_ROWS_AT_ONCE = 8_192
_ARRAYS = ("centres", "order", "list_starts", "signs")


@dataclass(frozen=True, slots=True)
class Lists:
    """The places (n,) of n rows in `order`, list after list, and their signs in that order.

    List l has the nearest centre `centres[l]` of (c, dim), and is cut out by `starts` (c + 1,).
    """

    centres: DenseRows
    order: NDArray[np.int32]
    starts: Positions
    signs: Signs

    @classmethod
    def of(cls, rows: PackedRows) -> Self:
        """Learn centres and put each row (n, dim) into the list of its nearest; the same rows give the same lists."""
        size, dim = rows.shape
        centres = _centres(rows, size // _ROWS_A_LIST)
        nearest = np.empty(size, np.int32)
        room = np.empty((min(size, _ROWS_AT_ONCE), dim), np.float32)
        for first in range(0, size, _ROWS_AT_ONCE):
            some = slice(first, first + _ROWS_AT_ONCE)
            nearest[some] = (rows.part(some).unpacked(room) @ centres.T).argmax(axis=1)
        order = np.argsort(nearest, kind="stable").astype(np.int32)
        starts = np.concatenate([[0], np.cumsum(np.bincount(nearest, minlength=len(centres)))])
        return cls(centres, order, starts, Signs(np.ascontiguousarray(Signs.of(rows.codes).words[:, order])))

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        """Return what `arrays` gave. Raises StorageError where an array is missing."""
        require_arrays(arrays, _ARRAYS, "a segment of passages", "Read the passages again.")
        centres, order, starts, words = (arrays[name] for name in _ARRAYS)
        return cls(centres, order, np.array(starts), Signs(words))

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Named arrays for the disk."""
        return dict(zip(_ARRAYS, (self.centres, self.order, self.starts, self.signs.words), strict=True))

    @property
    def sizes(self) -> Positions:
        """How many rows are in each list: (c,)."""
        return np.diff(self.starts)

    def differing(self, lists: Positions, one: Signs) -> tuple[Positions, NDArray[np.uint16]]:
        """Return the places (m,) of the rows of some lists (l,), ascending, and in how many signs each differs (m,)."""
        runs = np.split(lists, np.flatnonzero(np.diff(lists) != 1) + 1)  # neighbours lie end to end
        spans = [slice(self.starts[run[0]], self.starts[run[-1] + 1]) for run in runs]
        found = [Signs(self.signs.words[:, span]).differing(one) for span in spans]
        return np.concatenate([self.order[span] for span in spans]), np.concatenate(found)


def _centres(rows: PackedRows, count: int) -> DenseRows:
    """Return centres (c, dim) at unit length, learned from rows at even steps."""
    import faiss

    size, dim = rows.shape
    sample = rows.take(np.linspace(0, size - 1, min(size, count * _SAMPLE_A_CENTRE)).astype(np.int64)).unpacked()
    learner = faiss.Kmeans(dim, count, niter=_ROUNDS, seed=_SEED, spherical=True, min_points_per_centroid=1)
    learner.train(sample)
    return np.asarray(learner.centroids, np.float32)
