"""A library's passages as they are at one moment: found by their vectors, and matched document by document."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from engine.passages.segments import Segment
from engine.rows import DenseRows

_FEWEST_AT_ONCE = 1_024
_NUMBERS_AT_ONCE = 1 << 22
"""Scores at once: 16 MiB, whatever the library holds."""

Numbers = NDArray[np.int64]


class Place(NamedTuple):
    """Where a passage stands: the part of its document, and the characters of that part."""

    part: int
    start: int
    stop: int


@dataclass(frozen=True)
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
        found[[self.number_of[name] for name in ids if name in self.number_of]] = True
        return found

    def place(self, passage: int) -> Place:
        """Where a passage stands in its document."""
        number = int(np.searchsorted(self.offsets, passage, side="right")) - 1
        segment, row = self.segments[number], passage - int(self.offsets[number])
        start = int(segment.starts[row])
        return Place(int(segment.parts[row]), start, start + int(segment.lengths[row]))

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

    def nearest_in(self, name: str, queries: DenseRows, k: int) -> list[Place]:
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
        at_once = max(_FEWEST_AT_ONCE, _NUMBERS_AT_ONCE // max(1, len(queries)))
        for segment, offset in zip(self.segments, self.offsets.tolist(), strict=False):
            for start in range(0, len(segment), at_once):
                stop = min(start + at_once, len(segment))
                block = segment.rows.part(slice(start, stop)).products(queries)
                block[:, ~counting[offset + start : offset + stop]] = -np.inf
                scores, places = _best(scores, places, block, offset + start)
        places[scores == -np.inf] = -1
        return places, scores


def _best(scores: DenseRows, places: Numbers, block: DenseRows, first: int) -> tuple[DenseRows, Numbers]:
    """The best k of what was found (q, k) and a block's scores (q, n) of passages from `first` on."""
    k = scores.shape[1]
    joined = np.concatenate([scores, block], axis=1)
    found = np.argpartition(-joined, k - 1, axis=1)[:, :k]
    numbers = np.where(found < k, np.take_along_axis(places, np.minimum(found, k - 1), 1), found - k + first)
    best = np.take_along_axis(joined, found, 1)
    order = np.lexsort((numbers, -best), axis=1)
    return np.take_along_axis(best, order, 1), np.take_along_axis(numbers, order, 1)
