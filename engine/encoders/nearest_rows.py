"""The rows of the largest inner products with many others: in a quick number format, or each product taken once."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import DenseRows, RowsInParts, parts_of

if TYPE_CHECKING:
    import torch

_TABLE_NUMBERS = 1 << 24  # 32 MiB of products at once; four times that took as long
_ROWS_AT_ONCE = 1 << 22  # numbers: 16 MiB of rows that products are taken with again
_HALF_A_STEP = 2.0**-8
"""The most by which rounding to bfloat16, whose numbers from 1 to 2 stand 2^-7 apart, changes a number, as a share."""

_MARGIN = 1.02
"""What is left out of the bound: products of two roundings, and the sums' own rounding in float32."""

_CANDIDATES = 3  # for each that is asked for; with 2, one query in 22 was not certain, with 3 one in 500

_BLOCK = 2_048  # rows and columns of one table of products: 16 MiB
_SPARE = 8  # more are kept than asked for, so that the first of equal products at the end are found
_PROBES = 64
_ROUNDING = 1e-5  # share of the product of both lengths by which equal products may differ in float32
_SEED = 0


class Largest(NamedTuple):
    """For each of q queries the k largest products, largest first, and whether it is certain that none was missed."""

    places: NDArray[np.int64]
    scores: NDArray[np.float32]
    certain: NDArray[np.bool_]


class QuickProducts:
    """Rows (n, dim) that many queries are multiplied with.

    A table of products in bfloat16 names three times as many candidates as are asked for; these are multiplied again in
    float32. Each product of the table is at most 2^-7 |q| |d| + 2^-8 |score| from the true one (the rounding of both
    rows, Cauchy and Schwarz, and of the result), so that a query is certain of its answer where its kth product is
    larger than the smallest candidate's by that much. Of 2,000 documents of the sample library, each asking for its 15
    nearest, four were not.
    """

    def __init__(self, rows: RowsInParts) -> None:
        """Keep the rows in bfloat16; those of candidates are taken again as they are."""
        import torch

        self._rows, longest = rows, 0.0
        self._rounded = torch.empty(rows.shape, dtype=torch.bfloat16)
        for some, part in parts_of(rows):
            self._rounded[some] = torch.from_numpy(np.ascontiguousarray(part, np.float32))
            longest = max(longest, float(np.einsum("nd,nd->n", part, part).max(initial=0.0)))
        self._longest = math.sqrt(longest)

    @property
    def queries_at_once(self) -> int:
        """How many queries share one table."""
        return max(1, min(2048, _TABLE_NUMBERS // max(1, len(self._rounded))))

    def largest(self, queries: DenseRows, k: int) -> Largest:
        """Return the k rows of the largest product with each query (q, dim), k <= n; equal ones as the rows stand."""
        import torch

        asking = np.ascontiguousarray(queries, np.float32)
        count = min(_CANDIDATES * k, len(self._rounded))
        with torch.inference_mode():
            table = torch.from_numpy(asking).to(torch.bfloat16) @ self._rounded.T  # (q, n)
            rough, found = torch.topk(table, count, dim=1)  # (q, 3k)
        places = found.numpy()
        scores = self._exact(asking, places)
        order = np.lexsort((places, -scores), axis=-1)[:, :k]
        places, scores = np.take_along_axis(places, order, 1), np.take_along_axis(scores, order, 1)
        border = rough[:, -1].float().numpy()
        slack = _HALF_A_STEP * (2 * np.linalg.norm(asking, axis=1) * self._longest + np.abs(border))
        certain = (scores[:, -1] > border + _MARGIN * slack) | (count == len(self._rounded))
        return Largest(places, scores, certain)

    def _exact(self, queries: DenseRows, places: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the products (q, m) of each query (q, dim) with its own rows at `places` (q, m)."""
        scores = np.empty(places.shape, np.float32)
        at_once = max(1, _ROWS_AT_ONCE // max(1, places.shape[1] * queries.shape[1]))
        for first in range(0, len(queries), at_once):
            some = slice(first, first + at_once)
            rows = self._rows[places[some].ravel()].reshape(*places[some].shape, -1)
            np.einsum("qkd,qd->qk", rows, queries[some], out=scores[some])
        return scores


class NearestRows(NamedTuple):
    """The places (m, k) of the k others with the largest product with each of m rows, largest first, and the products.

    `asking` (m,) are the places of the rows that asked.
    """

    asking: NDArray[np.int64]
    places: NDArray[np.int64]
    scores: NDArray[np.float32]


def mutual(rows: RowsInParts, queries: RowsInParts) -> NDArray[np.bool_]:
    """Tell which rows (n,) have the same product in both directions: q_i r_j = q_j r_i.

    Products differ where query and document rows differ. Sample rows are compared with all in both directions; rows
    that most samples agree with are then checked together, and none counts as mutual if that check fails.
    """
    size, dim = rows.shape
    asked, answering = _lengths(queries), _lengths(rows)  # (n,), (n,)
    probes = np.linspace(0, size - 1, min(_PROBES, size)).astype(np.int64)
    slack = _ROUNDING * np.maximum(np.outer(asked, answering[probes]), np.outer(answering, asked[probes]))
    ours, theirs = rows[probes], queries[probes]
    apart = [np.abs(queries[some] @ ours.T - part @ theirs.T) for some, part in parts_of(rows)]
    differ = np.concatenate([np.zeros((0, len(probes)), np.float32), *apart]) > slack  # (n, probes)
    agreeable = differ.mean(axis=0) < 0.5
    found = np.asarray(~differ[:, agreeable].any(axis=1) & agreeable.any(), np.bool_)
    shares = np.zeros(size, np.float32)
    shares[found] = np.random.default_rng(_SEED).normal(size=int(found.sum()))
    mixed, asking = np.zeros(dim, np.float32), np.zeros(dim, np.float32)
    for some, part in parts_of(rows):
        mixed += shares[some] @ part
        asking += shares[some] @ queries[some]
    most = np.maximum(asked * np.linalg.norm(answering[found]), answering * np.linalg.norm(asked[found]))
    for some, part in parts_of(rows):
        if (np.abs(queries[some] @ mixed - part @ asking) > _ROUNDING * most[some])[found[some]].any():
            return np.zeros(size, np.bool_)
    return found


def _lengths(rows: RowsInParts) -> NDArray[np.float32]:
    """Return the Euclidean length (n,) of each row (n, dim)."""
    lengths = np.zeros(rows.shape[0], np.float32)
    for some, part in parts_of(rows):
        lengths[some] = np.linalg.norm(part, axis=1)
    return lengths


def nearest_others(rows: RowsInParts, queries: RowsInParts, k: int, *, done: Callable[[int], None]) -> NearestRows:
    """Return the k nearest others, among all rows (n, dim), of each row whose products are `mutual`.

    One triangle of the table of their products is computed, each of its blocks read by rows and by columns: half the
    work of separate searches. Equal products keep the order of rows; k < n. `done` is told how many rows are complete.
    """
    import torch

    either_way = mutual(rows, queries)
    asking, others = np.flatnonzero(either_way), np.flatnonzero(~either_way)
    named, left = torch.from_numpy(asking), torch.from_numpy(others)
    best = _Best(len(asking), k + _SPARE)

    def taken(some: RowsInParts, places: NDArray[np.int64]) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(some[places], np.float32))

    with torch.inference_mode():
        for first in range(0, len(asking), _BLOCK):
            upper = slice(first, min(first + _BLOCK, len(asking)))
            theirs = taken(queries, asking[upper])
            for start in range(0, len(others), _BLOCK):
                rest = slice(start, start + _BLOCK)
                best.take(upper, theirs @ taken(rows, others[rest]).T, left[rest])
            for start in range(first, len(asking), _BLOCK):
                lower = slice(start, min(start + _BLOCK, len(asking)))
                table = theirs @ taken(rows, asking[lower]).T
                if start == first:
                    table.fill_diagonal_(-torch.inf)  # a row is not its own neighbour
                else:
                    best.take(lower, table.T.contiguous(), named[upper])
                best.take(upper, table, named[lower])
            done(upper.stop - upper.start)
    return NearestRows(asking, *best.first(k))


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

    def first(self, k: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the k largest, largest first, ties by place."""
        places, scores = self._places.numpy(), self._scores.numpy()
        order = np.lexsort((places, -scores), axis=-1)[:, :k]
        return np.take_along_axis(places, order, 1), np.take_along_axis(scores, order, 1)
