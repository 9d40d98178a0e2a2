"""A library's passages as they are at one moment: found by their vectors, and matched document by document.

Up to 65,536 passages, some 1,600 papers, are all compared. In a larger library only those are that differ from the
question in few signs (`engine.vectors.signs`): of a million, one in seventy. Segments never change, so what is added
costs only its own signs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import DenseRows
from engine.documents import Document
from engine.documents.selections import places, remembered
from engine.vectors.segments import ReadDocument, Segment
from engine.vectors.signs import fewest

_FEWEST_AT_ONCE = 1_024
_NUMBERS_AT_ONCE = 1 << 22
"""Scores at once: 16 MiB, whatever the library holds."""

_ALL_COMPARED = 1 << 16
"""Of no more passages than this, every search compares all."""
_ONE_IN, _TIMES = 100, 32
"""Of a larger library, one passage in a hundred is compared, and 32 more for each that is asked for."""

Numbers = NDArray[np.int64]
Products = Iterator[tuple[slice, DenseRows, Numbers]]
"""Some of the queries, and the inner products (q, n) of their rows with those of passages (n,)."""


class PassagePlace(NamedTuple):
    """Where a passage stands: the part of its document, and the characters of that part."""

    part: int
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class PassageView:
    """Passages are numbered through all segments, and documents in their order; `held` (documents,) says which count.

    `first` (documents,) and `counts` (documents,) say which passages are a document's, `owner` (passages,) which
    document's a passage is.
    """

    segments: tuple[Segment, ...]
    names: tuple[str, ...]
    held: NDArray[np.bool_]
    first: Numbers
    counts: Numbers
    owner: NDArray[np.int32]
    offsets: Numbers
    dim: int

    @classmethod
    def of(cls, parts: Sequence[tuple[Segment, NDArray[np.bool_]]], dim: int) -> Self:
        """What some segments hold, each with which of its documents (m,) count."""
        counts = np.concatenate([np.zeros(0, np.int64), *(one.counts for one, _ in parts)])
        held = np.concatenate([np.zeros(0, bool), *(kept for _, kept in parts)])
        first = np.cumsum(counts) - counts
        owner = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        sizes = np.cumsum([0, *(len(one) for one, _ in parts)], dtype=np.int64)
        names = tuple(name for one, _ in parts for name in one.ids)
        return cls(tuple(one for one, _ in parts), names, held, first, counts, owner, sizes, dim)

    def __len__(self) -> int:
        """How many passages count."""
        return int(self.counts[self.held].sum())

    @cached_property
    def number_of(self) -> dict[str, int]:
        """The number of each document that counts, by its id."""
        return {self.names[number]: number for number in np.flatnonzero(self.held).tolist()}

    def only(self, names: Mapping[str, str]) -> PassageView:
        """The documents whose ids are keys, under new ids; the others do not count."""
        held = self.held & np.array([name in names for name in self.names], bool)
        return replace(self, names=tuple(names.get(name, name) for name in self.names), held=held)

    def among(self, ids: Collection[str]) -> NDArray[np.bool_]:
        """Which documents (documents,) are some ids' and count."""
        found = np.zeros(len(self.names), bool)
        found[remembered(ids, self, lambda: places(ids, self.number_of))] = True
        return found

    def place(self, passage: int) -> PassagePlace:
        """Where a passage stands in its document."""
        number = int(np.searchsorted(self.offsets, passage, side="right")) - 1
        segment, row = self.segments[number], passage - int(self.offsets[number])
        start = int(segment.starts[row])
        return PassagePlace(int(segment.parts[row]), start, start + int(segment.lengths[row]))

    def rows(self, passages: Numbers) -> DenseRows:
        """The vectors (n, dim) of some passages (n,)."""
        found = np.empty((len(passages), self.dim), np.float32)
        where = np.searchsorted(self.offsets, passages, side="right") - 1
        for number in np.unique(where):
            own = where == number
            found[own] = self.segments[number].rows.take(passages[own] - self.offsets[number]).unpacked()
        return found

    def of_documents(self, documents: Numbers) -> tuple[Numbers, Numbers]:
        """The passages (n,) of some documents (m,) end to end, and where each document's begin (m,)."""
        counts = self.counts[documents]
        starts = np.cumsum(counts) - counts
        inside = np.arange(int(counts.sum())) - np.repeat(starts, counts)
        return np.repeat(self.first[documents], counts) + inside, starts

    def read(self, document: Document) -> ReadDocument | None:
        """The passages of a document, whose text is as it was read, with their rows; None if it does not count."""
        number = self.number_of.get(document.id)
        if number is None:
            return None
        passages, _ = self.of_documents(np.array([number]))
        places, parts = [self.place(passage) for passage in passages.tolist()], document.parts
        chunks = [parts[one.part].chunk(document.id, *one) for one in places]
        return ReadDocument(document.id, chunks, self.rows(passages))

    def nearest_in(self, name: str, queries: DenseRows, k: int) -> list[PassagePlace]:
        """The k passages of a document nearest to any of q rows (q, dim), nearest first; none if it does not count."""
        if name not in self.number_of:
            return []
        passages, _ = self.of_documents(np.array([self.number_of[name]]))
        scores = (queries @ self.rows(passages).T).max(axis=0)  # (n,)
        return [self.place(int(passages[place])) for place in np.argsort(-scores, kind="stable")[:k]]

    def search(
        self, queries: DenseRows, k: int, *, among: NDArray[np.bool_] | None = None
    ) -> tuple[Numbers, DenseRows]:
        """The k passages nearest to each of q rows (q, dim): numbers (q, k) and inner products (q, k), nearest first.

        `among` (documents,) limits the answer. Where fewer are held, the last numbers are -1.
        """
        counting = (self.held if among is None else self.held & among)[self.owner]  # (passages,)
        places = np.full((len(queries), k), -1, np.int64)
        scores = np.full((len(queries), k), -np.inf, np.float32)
        are_few = len(self.owner) <= _ALL_COMPARED
        most = len(self.owner) // _ONE_IN + _TIMES * k
        products = self._of_all(queries, counting) if are_few else self._of_few_signs(queries, counting, most)
        for asked, block, numbers in products:
            scores[asked], places[asked] = _best(scores[asked], places[asked], block, numbers)
        places[scores == -np.inf] = -1
        return places, scores

    def _of_all(self, queries: DenseRows, counting: NDArray[np.bool_]) -> Products:
        """The products with all passages, block by block; those that do not count (passages,) are at minus infinity."""
        at_once = max(_FEWEST_AT_ONCE, _NUMBERS_AT_ONCE // max(1, len(queries)))
        for segment, offset in zip(self.segments, self.offsets.tolist(), strict=False):
            for start in range(0, len(segment), at_once):
                stop = min(start + at_once, len(segment))
                block = segment.rows.part(slice(start, stop)).products(queries)
                block[:, ~counting[offset + start : offset + stop]] = -np.inf
                yield slice(None), block, np.arange(offset + start, offset + stop)

    def _of_few_signs(self, queries: DenseRows, counting: NDArray[np.bool_], most: int) -> Products:
        """The products of each query with about `most` passages that count: those that differ in the fewest signs."""
        for number, query in enumerate(queries):
            one = slice(number, number + 1)
            differing = np.concatenate([segment.signs.differing(query) for segment in self.segments])
            near = fewest(differing, most, counting)
            of_each = np.split(near, np.searchsorted(near, self.offsets[1:-1]))
            for segment, offset, own in zip(self.segments, self.offsets.tolist(), of_each, strict=False):
                if len(own):
                    yield one, segment.rows.take(own - offset).products(queries[one]), own


def _best(scores: DenseRows, places: Numbers, block: DenseRows, numbers: Numbers) -> tuple[DenseRows, Numbers]:
    """The best k of what was found (q, k) and a block's scores (q, n) of the passages `numbers` (n,)."""
    k = scores.shape[1]
    joined = np.concatenate([scores, block], axis=1)
    found = np.argpartition(-joined, k - 1, axis=1)[:, :k]
    own = np.take_along_axis(places, np.minimum(found, k - 1), 1)
    best_numbers = np.where(found < k, own, numbers[np.maximum(found - k, 0)])
    best = np.take_along_axis(joined, found, 1)
    order = np.lexsort((best_numbers, -best), axis=1)
    return np.take_along_axis(best, order, 1), np.take_along_axis(best_numbers, order, 1)
