"""The true neighbours of every document of an index, from which a map is drawn and measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.core.progress import Meter, Report
from engine.core.rows import DenseRows, Positions, Rows, RowsInParts, are_dense, parts_of
from engine.documents import Hit
from engine.encoders import Encoder
from engine.vectors import VectorIndex

if TYPE_CHECKING:
    from engine.encoders import QuickProducts

_BLOCK = 2048  # an index may unpack its rows again for each block
_WORTH_A_TABLE = 1_000
"""From this size on, dense rows are compared in bfloat16 first where the processor multiplies it quickly, else each
pair once. For 26,033 rows of 1,345 numbers that takes half or three fifths of the time of the index's search."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest other documents (n, k) of n documents, nearest first: their numbers and similarities."""

    numbers: NDArray[np.int32]
    similarities: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class IndexRows:
    """The rows (n, dim) of some documents of an index, unpacked when they are taken: all at once they are large."""

    index: VectorIndex
    ids: Sequence[str]

    @property
    def shape(self) -> tuple[int, ...]:
        """(n, dim)."""
        return len(self.ids), self.index.dim

    def __getitem__(self, some: slice | Positions) -> Rows:
        """Return the rows (m, dim) of a slice, or at places (m,)."""
        return self.index.rows(self.ids[some] if isinstance(some, slice) else [self.ids[at] for at in some.tolist()])


@dataclass(frozen=True, slots=True)
class MadeRows:
    """What `make` makes of rows (n, dim), of one as of many, when they are taken."""

    rows: RowsInParts
    make: Callable[[Rows], Rows]

    @property
    def shape(self) -> tuple[int, ...]:
        """(n, dim)."""
        return self.rows.shape

    def __getitem__(self, some: slice | Positions) -> Rows:
        """Return the rows (m, dim) of a slice, or at places (m,)."""
        return self.make(self.rows[some])


@dataclass(frozen=True, slots=True)
class AskedNeighbours:
    """Documents of an index searched for each other: their ids, rows (n, dim), and their rows as queries."""

    ids: Sequence[str]
    rows: RowsInParts
    queries: RowsInParts


def find_neighbours(index: VectorIndex, asked: AskedNeighbours, *, k: int, report: Report) -> Neighbours:
    """Return the k nearest of each document among the others, as the index has them; k < n."""
    size = len(asked.ids)
    found = Neighbours(np.empty((size, k), np.int32), np.empty((size, k), np.float32))
    meter = Meter("Finding neighbours", size, report)
    meter.begin()
    left = np.arange(size)
    if size >= _WORTH_A_TABLE and are_dense(asked.rows):
        by = _by_tables if _has_bfloat16() else _by_halves
        left = by(asked.rows, asked.queries, found, meter)
    _by_index(index, asked, left, found, meter)
    meter.finish()
    return found


def find_among(
    index: VectorIndex, held: Sequence[str], asking: Sequence[str], *, encoder: Encoder, k: int, meter: Meter
) -> Neighbours:
    """Find those of `held` nearest to each of m other documents of the index, as places in `held`: (m, k or fewer)."""
    k = min(k, len(held))
    found = Neighbours(np.empty((len(asking), k), np.int32), np.empty((len(asking), k), np.float32))
    table = _table(index, held) if len(asking) >= _WORTH_A_TABLE and _has_bfloat16() else None
    places = {identity: place for place, identity in enumerate(held)}
    for first in range(0, len(asking), _BLOCK):
        own = np.arange(first, min(first + _BLOCK, len(asking)))
        queries = encoder.as_queries(index.rows(asking[first : own[-1] + 1]))
        left = np.arange(len(own))
        if table is not None and isinstance(queries, np.ndarray):
            left = _by_table(table, queries, own, found)
        if len(left):
            for number, hits in zip(own[left].tolist(), index.search(queries[left], k, within=held), strict=True):
                found.numbers[number] = [places[hit.id] for hit in hits]
                found.similarities[number] = [hit.score for hit in hits]
        meter.add(len(own))
    return found


def _table(index: VectorIndex, held: Sequence[str]) -> QuickProducts | None:
    """Return the rows of documents, to be multiplied with many queries; None where they are sparse."""
    from engine.encoders import QuickProducts

    rows = IndexRows(index, held)
    return QuickProducts(rows) if are_dense(rows) else None


def _by_table(table: QuickProducts, queries: DenseRows, own: NDArray[np.int64], found: Neighbours) -> NDArray[np.int64]:
    """Write the answers to queries (q, dim) at the places `own` (q,); returns those of the queries in doubt."""
    left = []
    for first in range(0, len(own), table.queries_at_once):
        some = slice(first, first + table.queries_at_once)
        answer = table.largest(queries[some], found.numbers.shape[1])
        found.numbers[own[some]], found.similarities[own[some]] = answer.places, answer.scores
        left.append(first + np.flatnonzero(~answer.certain))
    return np.concatenate(left)


def _has_bfloat16() -> bool:
    from engine.encoders import fastest_precision  # brings torch

    return fastest_precision() == "bfloat16"


def _by_tables(rows: RowsInParts, queries: RowsInParts, found: Neighbours, meter: Meter) -> NDArray[np.int64]:
    """Write every answer that is certain; returns the numbers of the documents whose answer is not."""
    from engine.encoders import QuickProducts

    products, k, left = QuickProducts(rows), found.numbers.shape[1], []
    for some, asking in parts_of(queries, at_once=products.queries_at_once):
        answer = products.largest(asking, k + 1)
        own = np.arange(some.start, some.stop)
        others = answer.places != own[:, None]
        others[others.all(axis=1), -1] = False  # k + 1 others are nearer than it is to itself
        found.numbers[some] = answer.places[others].reshape(-1, k)
        found.similarities[some] = answer.scores[others].reshape(-1, k)
        left.append(own[~answer.certain])
        meter.add(int(answer.certain.sum()))
    return np.concatenate(left)


def _by_halves(rows: RowsInParts, queries: RowsInParts, found: Neighbours, meter: Meter) -> NDArray[np.int64]:
    """Write the answers of documents whose products are the same either way; returns the numbers of the others."""
    from engine.encoders import nearest_others

    answer = nearest_others(rows, queries, found.numbers.shape[1], done=meter.add)
    found.numbers[answer.asking], found.similarities[answer.asking] = answer.places, answer.scores
    return np.setdiff1d(np.arange(rows.shape[0]), answer.asking)


def _by_index(
    index: VectorIndex, asked: AskedNeighbours, left: NDArray[np.int64], found: Neighbours, meter: Meter
) -> None:
    """Ask the index for the neighbours of the documents of these numbers."""
    numbers = {identity: number for number, identity in enumerate(asked.ids)}
    within = asked.ids if len(asked.ids) < len(index) else None
    k = found.numbers.shape[1]
    for first in range(0, len(left), _BLOCK):
        some = left[first : first + _BLOCK]
        for own, hits in zip(some.tolist(), index.search(asked.queries[some], k + 1, within=within), strict=True):
            _keep(found, own, hits, numbers)
        meter.add(len(some))


def _keep(found: Neighbours, own: int, hits: Sequence[Hit], numbers: dict[str, int]) -> None:
    """Write one document's answer without itself, at any rank: some methods put other documents nearer."""
    k = found.numbers.shape[1]
    others = [(number, hit.score) for hit in hits if (number := numbers[hit.id]) != own][:k]
    found.numbers[own] = [number for number, _ in others]
    found.similarities[own] = [score for _, score in others]
