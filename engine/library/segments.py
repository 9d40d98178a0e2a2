"""How often documents hold terms, in memory: by term, in segments, at five or six bytes a document that holds one.

Documents that are read together make a segment. Small segments are joined, each with one of about its size, and those
that are full stay as they are: so what is added costs what it holds, and what is removed its segment.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core.rows import Flags
from engine.documents import text

MOST_COUNT = np.iinfo(np.uint16).max
"""The largest count kept; BM25 has long been saturated there."""
FULL = 2**23
"""How many counts a segment has at most once it is joined, those of about 100,000 abstracts."""


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Counts of n documents one after another: `starts` (n + 1,) cuts `numbers` and `counts` (postings,)."""

    starts: NDArray[np.int64]
    numbers: NDArray[np.uint32]
    counts: NDArray[np.uint16]


class TermNumbers:
    """The number of each term, and which terms stand for one word. It only grows: earlier states ask for less of it."""

    def __init__(self) -> None:
        """Begin without terms."""
        self.numbers: dict[str, int] = {}
        self.alone: Flags = np.empty(0, np.bool_)
        """By number, whether a term is a word and no compound, whose words are counted: (width,)."""
        self.stems: dict[str, int] = {}
        """Of each stem, the number of its last form, once `stem` has found them."""
        self.before = np.empty(0, np.int32)
        """By number, the number of the form before it that has its stem, or -1: (width,)."""
        self._parted: dict[str, list[str]] = {}
        self._lock, self._stemmed = threading.Lock(), 0

    def add(self, new: Mapping[str, int]) -> None:
        """Add terms, whose numbers rise and are larger than all before."""
        if new:
            alone = np.ones(max(new.values()) + 1 - len(self.alone), np.bool_)
            alone[[number - len(self.alone) for term, number in new.items() if "-" in term]] = False
            self.alone = np.concatenate([self.alone, alone])
            self.numbers.update(new)

    def stem(self) -> None:
        """Find the stems of what was added since the last time."""
        if self._stemmed == len(self.numbers):
            return
        with self._lock:
            new = list(self.numbers)[self._stemmed :]
            before, stems = np.full(len(self.alone), -1, np.int32), dict[str, int]()
            before[: len(self.before)] = self.before
            for term, stem in zip(new, text.stems(new), strict=True):
                before[self.numbers[term]] = stems.get(stem, self.stems.get(stem, -1))
                stems[stem] = self.numbers[term]
                if "-" in term:
                    self._parted.setdefault(term.replace("-", ""), []).append(term)
            self.before = before
            self.stems.update(stems)
            self._stemmed += len(new)

    def parted(self, solid: str) -> Sequence[str]:
        """Return the compounds in two words that are written in one as `solid` is."""
        self.stem()
        return self._parted.get(solid, ())


@dataclass(frozen=True, slots=True)
class TermSegment:
    """Counts of some documents by term: `starts` (width + 1,) cuts `rows`, ascending, and `counts` (postings,)."""

    starts: NDArray[np.int32]
    rows: NDArray[np.int32]
    counts: NDArray[np.uint8] | NDArray[np.uint16]

    @classmethod
    def of(cls, counted: TermCounts, first: int, width: int) -> Self:
        """Turn the counts of documents round; the first document has the row `first`."""
        parts = counted.counts.astype(np.int32), counted.numbers.view(np.int32), counted.starts.astype(np.int32)
        by_document = csr_array(parts, shape=(len(counted.starts) - 1, width))
        by_term = by_document.T.tocsr()
        by_term.sum_duplicates()  # one term twice, of two tokens as written
        counts = np.minimum(by_term.data, MOST_COUNT)
        kind = np.uint16 if counts.max(initial=0) > np.iinfo(np.uint8).max else np.uint8
        return cls(by_term.indptr, by_term.indices + np.int32(first), counts.astype(kind))

    def joined(self, later: TermSegment) -> TermSegment:
        """Return the counts of these documents and later ones."""
        shape = len(later.starts) - 1, int(max(self.rows.max(initial=0), later.rows.max(initial=0))) + 1
        starts = np.pad(self.starts, (0, len(later.starts) - len(self.starts)), "edge")
        one = csr_array((self.counts, self.rows, starts), shape=shape)
        both = one + csr_array((later.counts, later.rows, later.starts), shape=shape)
        return TermSegment(both.indptr, both.indices, both.data)

    def without(self, gone: Flags) -> TermSegment:
        """Return this without the documents that are `gone`, by row."""
        stays = ~gone[self.rows]
        if stays.all():
            return self
        before = np.concatenate([[0], np.cumsum(stays, dtype=np.int32)])
        return TermSegment(before[self.starts].astype(np.int32), self.rows[stays], self.counts[stays])


def with_another(segments: Sequence[TermSegment], added: TermSegment) -> list[TermSegment]:
    """Return segments and a later one, joined with those before it that are at most about twice its size."""
    found = [*segments, added]
    while len(found) > 1 and len(found[-2].rows) <= min(2 * len(found[-1].rows), FULL - len(found[-1].rows)):
        found[-2:] = [found[-2].joined(found[-1])]
    return found


def held(
    segments: Sequence[TermSegment], number: int
) -> tuple[NDArray[np.int32], NDArray[np.uint8] | NDArray[np.uint16]]:
    """Return the rows (t,) of the documents that hold a term, ascending, and how often they hold it (t,)."""
    some = [(one, slice(*one.starts[number : number + 2].tolist())) for one in segments if number + 1 < len(one.starts)]
    rows, counts = [one.rows[part] for one, part in some], [one.counts[part] for one, part in some]
    if len(some) == 1:
        return rows[0], counts[0]
    return np.concatenate([np.empty(0, np.int32), *rows]), np.concatenate([np.empty(0, np.uint8), *counts])
