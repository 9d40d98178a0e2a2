"""One state of a binary index: coded rows, rows added since, and how both answer a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Self, cast

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import VectorIndexError
from engine.core.rows import DenseRows, Precision, largest
from engine.core.threads import ONE_BLAS_THREAD
from engine.vectors.binary_coded import CodedRows
from engine.vectors.binary_codes import CodeSettings
from engine.vectors.packed import PackedRows
from engine.vectors.stored import Nearest
from engine.vectors.ties import nearest_rows

CODES = "codes.safetensors"
"""The file of codes and tables in an index's folder."""

_QUERIES_AT_ONCE = 16  # bounds the table of exact scores at 16 x n floats
_ROWS_AT_ONCE = 16_384  # copied from the disk together where only some rows count
_CANDIDATES_A_HIT = 4  # the fewest rows that an answer is chosen from
_COMPARED_A_HIT = 16  # rows compared exactly for a long answer, whose last hits' codes differ more from the query's
_LARGEST_SHARE = 16  # one row in 16 must count, else all that do are compared: their codes then cost as much


@dataclass(frozen=True, slots=True)
class BinarySettings:
    """How much is compared: candidates by their codes, rows exactly, and the size below which codes do not pay.

    Below some 20,000 rows, comparing all of them is as fast.
    """

    candidates: int = 20_000
    rerank: int = 800
    fewest: int = 20_000
    codes: CodeSettings = field(default_factory=CodeSettings)

    def __post_init__(self) -> None:
        """Refuse settings that would compare nothing."""
        if not 1 <= self.rerank <= self.candidates or self.fewest < 1:
            raise VectorIndexError(
                f"Expected 1 <= rerank <= candidates and fewest of at least 1, got {self.rerank}, {self.candidates} "
                f"and {self.fewest}."
            )


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class BinaryView:
    """Rows by number: first the `old` ones, which have codes unless they are few, then the `recent` ones."""

    coded: CodedRows | None
    old: PackedRows
    recent: PackedRows
    names: Sequence[str]
    """By number, of the rows that count."""
    order: NDArray[np.int64]
    """Numbers of the rows that count, in the order that their ids were added."""
    rank: NDArray[np.int64]
    """By number: the place in that order."""
    counts: NDArray[np.bool_]
    """By number: whether the row counts."""

    @classmethod
    def of(cls, coded: CodedRows | None, old: PackedRows, recent: PackedRows, row_of: Mapping[str, int]) -> Self:
        """The state in which each id's row has this number; rows without an id do not count."""
        held = old.shape[0] + recent.shape[0]
        names, rank, counts = [""] * held, np.zeros(held, np.int64), np.zeros(held, dtype=bool)
        for name, number in row_of.items():
            names[number] = name
        order = np.fromiter(row_of.values(), np.int64, len(row_of))
        rank[order] = np.arange(len(order))
        counts[order] = True
        return cls(coded, old, recent, names, order, rank, counts)

    def take(self, numbers: NDArray[np.int64]) -> PackedRows:
        """Some rows, in the order of their numbers."""
        size = self.old.shape[0]
        late = numbers >= size
        if not late.any():
            return self.old.take(numbers)
        parts = [self.old.take(numbers[~late]), self.recent.take(numbers[late] - size)]
        precision: Precision = str(self.old.codes.dtype)  # type: ignore[assignment]
        joined = PackedRows.joined(parts, dim=self.old.shape[1], precision=precision)
        return joined.take(np.argsort(np.argsort(late, kind="stable"), kind="stable"))

    def search(self, queries: DenseRows, k: int, settings: BinarySettings) -> list[Nearest]:
        """Numbers and scores of the k nearest rows of each query (q, dim), by codes where that saves work."""
        k = min(k, len(self.order))
        if k == 0:
            return [(np.zeros(0, np.int64), np.zeros(0, np.float32)) for _ in queries]
        budget = self._budget(k, settings)
        if budget is None:
            return self._exact(queries, k)
        rerank = max(settings.rerank, _COMPARED_A_HIT * k)
        return [self._by_codes(query[None], k, budget, rerank) for query in queries]

    def looked_up(self, query: DenseRows, settings: BinarySettings) -> int:
        """How many rows the code of a query (1, dim) is compared with; all that count where codes are not used."""
        budget = self._budget(1, settings)
        if self.coded is None or budget is None:
            return len(self.order)
        return int(np.count_nonzero(self.counts[self.coded.candidates(query, budget)]))

    def only(self, numbers: NDArray[np.int64]) -> Self:
        """The same rows with only these counting."""
        counts = np.zeros(len(self.rank), dtype=bool)
        counts[numbers] = True
        return replace(self, order=numbers[np.argsort(self.rank[numbers])], counts=counts)

    def _budget(self, k: int, settings: BinarySettings) -> int | None:
        """How many rows of the tables are looked up, or None where comparing all that count is better.

        When fewer rows count, more are looked up, so that as many candidates remain.
        """
        if self.coded is None:
            return None
        counting = int(np.count_nonzero(self.counts[: self.coded.size]))
        if counting * _LARGEST_SHARE < self.coded.size or counting < settings.fewest:
            return None
        if _COMPARED_A_HIT * k > settings.candidates:
            return None
        return settings.candidates * self.coded.size // counting

    def _by_codes(self, query: DenseRows, k: int, budget: int, rerank: int) -> Nearest:
        """Buckets, then codes, then exact scores; all rows if the buckets around a query (1, dim) hold too few."""
        coded = cast(CodedRows, self.coded)
        found = coded.candidates(query, budget)
        found = found[self.counts[found]]
        if len(found) < _CANDIDATES_A_HIT * k:
            return self._exact(query, k)[0]
        closest = coded.closest(query, found, rerank).astype(np.int64)
        late = np.flatnonzero(self.counts[coded.size :])
        if len(late) > rerank:
            late = np.sort(late[largest(self.recent.take(late).products(query)[0], rerank)])
        numbers = np.concatenate([closest, late + coded.size])
        return self._ordered(query, numbers, k)

    def _ordered(self, query: DenseRows, numbers: NDArray[np.int64], k: int) -> Nearest:
        """The k nearest of some rows, ties to the id that was added first."""
        rows = self.take(numbers)
        scores = rows.products_at(query, np.arange(len(numbers))[None])[0]
        best = np.lexsort((self.rank[numbers], -scores))[:k]
        return numbers[best], scores[best]

    def _exact(self, queries: DenseRows, k: int) -> list[Nearest]:
        """The k nearest by the products with all rows that count."""
        found = []
        for first in range(0, len(queries), _QUERIES_AT_ONCE):
            some = queries[first : first + _QUERIES_AT_ONCE]
            with ONE_BLAS_THREAD if len(some) == 1 else nullcontext():
                products = self._products(some)
            for query, scores in zip(some, products, strict=True):
                places, best = nearest_rows(query, scores, lambda places: self.take(self.order[places]), k)
                found.append((self.order[places], best))
        return found

    def _products(self, queries: DenseRows) -> DenseRows:
        """The inner products (q, n) with all rows that count, in their order, read from the disk block by block."""
        size = len(self.order)
        if np.array_equal(self.order, np.arange(len(self.rank))):
            return np.hstack([self.old.products(queries), self.recent.products(queries)])
        blocks = [self.order[first : first + _ROWS_AT_ONCE] for first in range(0, size, _ROWS_AT_ONCE)]
        return np.hstack([self.take(block).products(queries) for block in blocks])
