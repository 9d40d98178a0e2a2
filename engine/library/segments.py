"""How often documents hold terms: by term, in segments, at five or six bytes a document that holds one.

Documents that are read together make a segment. Small segments are joined, each with one of about its size, and those
that are full stay as they are, in memory or in files (`engine.library.word_files`): so what is added costs what it
holds. Documents that are removed stay in their segment, and do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core.rows import Flags

MOST_COUNT = np.iinfo(np.uint16).max
"""The largest count kept; BM25 has long been saturated there."""
FULL = 2**23
"""How many counts a segment has at most once it is joined, those of about 100,000 abstracts."""
CountArray = NDArray[np.uint8] | NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Counts of n documents one after another: `starts` (n + 1,) cuts `numbers` and `counts` (postings,)."""

    starts: NDArray[np.int64]
    numbers: NDArray[np.uint32]
    counts: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class TermSegment:
    """Counts of `documents` documents from the row `first` on, by the terms that they hold.

    `numbers` (t,) are the terms, ascending; `starts` (t + 1,) cuts `rows`, ascending for each, and `counts`
    (postings,). One that is `stored` lies in a file, and is joined with no other.
    """

    first: int
    documents: int
    numbers: NDArray[np.int32]
    starts: NDArray[np.int32]
    rows: NDArray[np.int32]
    counts: CountArray
    stored: bool = False

    @classmethod
    def of(cls, counted: TermCounts, first: int, width: int) -> Self:
        """Turn the counts of documents round; the first document has the row `first`, terms are numbered to `width`."""
        documents, present = len(counted.starts) - 1, np.zeros(width, np.bool_)
        present[counted.numbers] = True
        numbers, place = np.flatnonzero(present).astype(np.int32), np.empty(width, np.int32)
        place[numbers] = np.arange(len(numbers), dtype=np.int32)
        parts = counted.counts.astype(np.int32), place[counted.numbers], counted.starts.astype(np.int32)
        by_term = csr_array(parts, shape=(documents, len(numbers))).T.tocsr()
        by_term.sum_duplicates()  # one term twice, of two tokens as written
        counts = np.minimum(by_term.data, MOST_COUNT)
        kind = np.uint16 if counts.max(initial=0) > np.iinfo(np.uint8).max else np.uint8
        rows = by_term.indices + np.int32(first)
        return cls(first, documents, numbers, by_term.indptr, rows, counts.astype(kind))

    @property
    def found(self) -> NDArray[np.int32]:
        """In how many documents each of the terms stands: (t,)."""
        return np.diff(self.starts)

    def joined(self, later: TermSegment) -> TermSegment:
        """Return the counts of these documents and of those that come after them."""
        numbers = np.union1d(self.numbers, later.numbers)
        shape = len(numbers), later.first + later.documents
        one, other = (csr_array((each.counts, each.rows, each._spread(numbers)), shape=shape) for each in (self, later))
        both = one + other
        return TermSegment(self.first, self.documents + later.documents, numbers, both.indptr, both.indices, both.data)

    def _spread(self, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return `starts` for more terms (n,): (n + 1,)."""
        sizes = np.zeros(len(numbers), np.int32)
        sizes[numbers.searchsorted(self.numbers)] = self.found
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)

    def without(self, gone: Flags | None) -> TermSegment:
        """Return this without the documents that are `gone`, by row."""
        if gone is None or (stays := ~gone[self.rows]).all():
            return self
        before = np.concatenate([[0], np.cumsum(stays, dtype=np.int32)])
        starts = before[self.starts].astype(np.int32)
        return replace(self, starts=starts, rows=self.rows[stays], counts=self.counts[stays])

    def held_by(self, rows: Flags) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return which terms (m,) the documents of some rows (n,) hold, and how many of these each stands in (m,)."""
        if not rows[self.first : self.first + self.documents].any():
            return np.empty(0, np.int32), np.empty(0, np.int64)
        own = self.starts.searchsorted(np.flatnonzero(rows[self.rows]), side="right") - 1
        times = np.bincount(own, minlength=len(self.numbers))
        some = np.flatnonzero(times)
        return self.numbers[some], times[some]


def with_another(segments: Sequence[TermSegment], added: TermSegment) -> list[TermSegment]:
    """Return segments and a later one, joined with those before it that are at most about twice its size."""
    found = [*segments, added]
    while len(found) > 1 and _is_small(found[-2], len(found[-1].rows)):
        found[-2:] = [found[-2].joined(found[-1])]
    return found


def _is_small(one: TermSegment, later: int) -> bool:
    return not one.stored and len(one.rows) <= min(2 * later, FULL - later)


def held(segments: Sequence[TermSegment], number: int, gone: Flags | None) -> tuple[NDArray[np.int32], CountArray]:
    """Return the rows (t,) of the documents that hold a term, ascending, and how often they hold it (t,).

    Rows that are `gone` (rows,) are left out.
    """
    places = [(one, int(one.numbers.searchsorted(np.int32(number)))) for one in segments]
    some = [
        (one, slice(*one.starts[place : place + 2].tolist()))
        for one, place in places
        if place < len(one.numbers) and one.numbers[place] == number
    ]
    if len(some) == 1:
        one, part = some[0]
        rows, counts = one.rows[part], one.counts[part]
    else:
        rows = np.concatenate([np.empty(0, np.int32), *(one.rows[part] for one, part in some)])
        counts = np.concatenate([np.empty(0, np.uint8), *(one.counts[part] for one, part in some)])
    if gone is None:
        return rows, counts
    stays = ~gone[rows]
    return rows[stays], counts[stays]
