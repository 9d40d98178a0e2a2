"""The nearest others of many rows among themselves, computing each pair's product once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.rows import DenseRows

if TYPE_CHECKING:
    import torch

_BLOCK = 2_048  # rows and columns of one table of products: 16 MiB
_SPARE = 8  # more are kept than asked for, so that the first of equal products at the end are found
_PROBES = 64
_ROUNDING = 1e-5  # share of the product of both lengths by which equal products may differ in float32
_SEED = 0


class Nearest(NamedTuple):
    """The places (n, k) of the k others with the largest product with each row, largest first, and these products."""

    places: NDArray[np.int64]
    scores: NDArray[np.float32]


def mutual(rows: DenseRows, queries: DenseRows) -> NDArray[np.bool_]:
    """Which rows (n,) have the same product in both directions: q_i r_j = q_j r_i.

    Products differ where query and document rows differ. Sample rows are compared with all in both directions; rows
    that most samples agree with are then checked together, and none counts as mutual if that check fails.
    """
    size = len(rows)
    asked, answering = np.linalg.norm(queries, axis=1), np.linalg.norm(rows, axis=1)  # (n,), (n,)
    probes = np.linspace(0, size - 1, min(_PROBES, size)).astype(np.int64)
    slack = _ROUNDING * np.maximum(np.outer(asked, answering[probes]), np.outer(answering, asked[probes]))
    differ = np.abs(queries @ rows[probes].T - rows @ queries[probes].T) > slack  # (n, probes)
    agreeable = differ.mean(axis=0) < 0.5
    found = np.asarray(~differ[:, agreeable].any(axis=1) & agreeable.any(), np.bool_)
    mixture = np.random.default_rng(_SEED).normal(size=int(found.sum())).astype(np.float32)
    ours, theirs = rows[found], queries[found]
    apart = np.abs(theirs @ (mixture @ ours) - ours @ (mixture @ theirs))
    most = _ROUNDING * np.maximum(asked[found] * np.linalg.norm(ours), answering[found] * np.linalg.norm(theirs))
    return found if (apart <= most).all() else np.zeros(size, np.bool_)


def nearest_others(
    rows: DenseRows, queries: DenseRows, asking: NDArray[np.int64], k: int, *, done: Callable[[int], None]
) -> Nearest:
    """The k nearest others, among all rows (n, dim), of those at the places `asking` (m,) that `mutual` found.

    One triangle of the table of their products is computed, each of its blocks read by rows and by columns: half the
    work of separate searches. Equal products keep the order of rows; k < n. `done` is told how many rows are complete.
    """
    import torch

    others = np.setdiff1d(np.arange(len(rows)), asking)
    ours, theirs, rest = (torch.from_numpy(np.ascontiguousarray(one)) for one in _parts(rows, queries, asking, others))
    named, left = torch.from_numpy(asking), torch.from_numpy(others)
    best = _Best(len(asking), k + _SPARE)
    with torch.inference_mode():
        for first in range(0, len(asking), _BLOCK):
            upper = slice(first, min(first + _BLOCK, len(asking)))
            for start in range(0, len(others), _BLOCK):
                best.take(upper, theirs[upper] @ rest[start : start + _BLOCK].T, left[start : start + _BLOCK])
            for start in range(first, len(asking), _BLOCK):
                lower = slice(start, min(start + _BLOCK, len(asking)))
                table = theirs[upper] @ ours[lower].T
                if start == first:
                    table.fill_diagonal_(-torch.inf)  # a row is not its own neighbour
                else:
                    best.take(lower, table.T.contiguous(), named[upper])
                best.take(upper, table, named[lower])
            done(upper.stop - upper.start)
    return best.first(k)


def _parts(
    rows: DenseRows, queries: DenseRows, asking: NDArray[np.int64], others: NDArray[np.int64]
) -> tuple[DenseRows, DenseRows, DenseRows]:
    return rows[asking], queries[asking], rows[others]


class _Best:
    """The k largest products of each of m rows so far."""

    def __init__(self, size: int, k: int) -> None:
        import torch

        self._scores = torch.full((size, k), -torch.inf)
        self._places = torch.zeros((size, k), dtype=torch.int64)

    def take(self, some: slice, table: torch.Tensor, places: torch.Tensor) -> None:
        """Take the products (b, c) of some rows with those at `places` (c,)."""
        import torch

        k = self._scores.shape[1]
        scores, columns = torch.topk(table, min(k, table.shape[1]), dim=1)
        scores = torch.cat([self._scores[some], scores], dim=1)
        names = torch.cat([self._places[some], places[columns]], dim=1)
        self._scores[some], kept = torch.topk(scores, k, dim=1)
        self._places[some] = torch.gather(names, 1, kept)

    def first(self, k: int) -> Nearest:
        """The k largest, largest first, ties by place."""
        places, scores = self._places.numpy(), self._scores.numpy()
        order = np.lexsort((places, -scores), axis=-1)[:, :k]
        return Nearest(np.take_along_axis(places, order, 1), np.take_along_axis(scores, order, 1))
