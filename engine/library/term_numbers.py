"""The number of each term of a library, and which terms stand for one word: in memory, or the most of them in a file.

A file has terms by eight bytes of a digest, sorted, so that a term is found in some twenty steps, and millions of them
take no memory. Of a million libraries with five million terms each, one has two terms with the same eight bytes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.files import require_arrays, spread
from engine.core.rows import Flags
from engine.documents import text

_STEMS_AT_ONCE, _REMEMBERED = 1 << 16, 1 << 17


@dataclass(frozen=True, slots=True)
class Keys:
    """Which numbers (n,) stand under which keys: their digests (n,), ascending."""

    digests: NDArray[np.uint64]
    numbers: NDArray[np.int32]

    @classmethod
    def of(cls, keys: Sequence[str], numbers: NDArray[np.int32]) -> Self:
        """Sort numbers (n,) by their keys; those of one key stay in their order."""
        digests = np.fromiter(map(_digest, keys), np.uint64, len(keys))
        order = np.argsort(digests, kind="stable")
        return cls(digests[order], numbers[order])

    def find(self, key: str) -> list[int]:
        """Return the numbers under a key, in their order."""
        digest = np.uint64(_digest(key))
        first, last = self.digests.searchsorted(digest), self.digests.searchsorted(digest, side="right")
        return list(self.numbers[first:last].tolist())

    def first(self, keys: Sequence[str]) -> list[int]:
        """Return the first number under each key, -1 for none."""
        if not len(self.digests):
            return [-1] * len(keys)
        asked = np.fromiter(map(_digest, keys), np.uint64, len(keys))
        places = self.digests.searchsorted(asked).clip(max=len(self.digests) - 1)
        return list(np.where(self.digests[places] == asked, self.numbers[places], -1).tolist())


def _digest(key: str) -> int:
    return spread(key, 2**64)


_KEYS = tuple(f"{kind}_{part}" for kind in ("term", "stem", "solid") for part in ("digests", "numbers"))
_ARRAYS = ("terms", "term_starts", "alone", "before", *_KEYS)


@dataclass(frozen=True, slots=True)
class KeptTerms:
    """Terms by number, up to `width`: their letters end to end, cut by `starts` (width + 1,), and how they are found.

    The rest is what `TermNumbers` says of them.
    """

    letters: NDArray[np.uint8]
    starts: NDArray[np.int64]
    alone: Flags
    before: NDArray[np.int32]
    terms: Keys
    stems: Keys
    solids: Keys

    @property
    def width(self) -> int:
        """One more than the largest number."""
        return len(self.alone)

    def term(self, number: int) -> str:
        """Return a term; nothing for a number that stands for none."""
        start, stop = self.starts[number : number + 2].tolist()
        return self.letters[start:stop].tobytes().decode()

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Return what `arrays` gave. Raises StorageError where an array is missing."""
        require_arrays(arrays, _ARRAYS, "a file of terms", "Remove the folder.")
        letters, starts, alone, before, *keys = (arrays[name] for name in _ARRAYS)
        return cls(letters, starts, alone.view(np.bool_), before, *map(Keys, keys[::2], keys[1::2]))

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Named arrays for the disk."""
        keys = (part for one in (self.terms, self.stems, self.solids) for part in (one.digests, one.numbers))
        found = (self.letters, self.starts, self.alone.view(np.uint8), self.before, *keys)
        return dict(zip(_ARRAYS, found, strict=True))


class TermNumbers:
    """The number of each term, and which terms stand for one word. It only grows: earlier states ask for less of it."""

    def __init__(self, kept: KeptTerms | None = None) -> None:
        """Begin with the terms of a file, or without any."""
        self._kept = kept
        self._numbers: dict[str, int] = {}
        self._found: dict[str, int] = {}  # what was looked up in the file, and is asked for again and again
        self.alone: Flags = np.empty(0, np.bool_) if kept is None else kept.alone
        """By number, whether a term is a word and no compound, whose words are counted: (width,)."""
        self.before = np.empty(0, np.int32) if kept is None else kept.before
        """By number, the number of the form before it that has its stem, or -1: (width,), once `stem` was called."""
        self._stems: dict[str, int] = {}  # of each stem, the number of its last form
        self._parted: dict[str, list[str]] = {}  # compounds in two words by what they are in one
        self._lock, self._stemmed = threading.Lock(), 0

    @property
    def width(self) -> int:
        """One more than the largest number."""
        return len(self.alone)

    @property
    def is_mostly_new(self) -> bool:
        """Whether a file of all terms would be an eighth larger: so long, a process reads what it lacks in a moment."""
        return self._kept is None or 8 * len(self._numbers) > self._kept.width

    def number(self, term: str) -> int:
        """Return the number of a term, -1 for none."""
        found = self._numbers.get(term, -1)
        if found >= 0 or self._kept is None:
            return found
        if (kept := self._found.get(term)) is None:
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            (kept,) = self._kept.terms.first([term])
            self._found[term] = kept
        return kept

    def last_form(self, stem: str) -> int:
        """Return the number of the last term that has a stem, -1 for none, of those that `stem` has seen."""
        found = self._stems.get(stem, -1)
        return found if found >= 0 or self._kept is None else self._kept.stems.first([stem])[0]

    def __iter__(self) -> Iterator[tuple[str, int]]:
        """Go through all terms and their numbers."""
        kept = self._kept
        held = ((kept.term(number), number) for number in range(kept.width)) if kept is not None else ()
        return chain((one for one in held if one[0]), list(self._numbers.items()))

    def add(self, new: Mapping[str, int]) -> None:
        """Add terms, whose numbers rise and are larger than all before."""
        if new:
            alone = np.ones(max(new.values()) + 1 - self.width, np.bool_)
            alone[[number - self.width for term, number in new.items() if "-" in term]] = False
            self.alone = np.concatenate([self.alone, alone])
            self._numbers.update(new)

    def stem(self) -> None:
        """Find the stems of what was added since the last time."""
        if self._stemmed == len(self._numbers):
            return
        with self._lock:
            new = list(self._numbers)[self._stemmed :]
            before, found = np.full(self.width, -1, np.int32), text.stems(new)
            before[: len(self.before)] = self.before
            stems = {stem: self._stems.get(stem, -1) for stem in found}
            if self._kept is not None and (unmet := [stem for stem, last in stems.items() if last < 0]):
                stems |= zip(unmet, self._kept.stems.first(unmet), strict=True)
            for term, stem in zip(new, found, strict=True):
                before[self._numbers[term]] = stems[stem]
                stems[stem] = self._numbers[term]
                if "-" in term:
                    self._parted.setdefault(_solid(term), []).append(term)
            self.before = before
            self._stems.update(stems)
            self._stemmed += len(new)

    def parted(self, solid: str) -> Sequence[str]:
        """Return the compounds in two words that are written in one as `solid` is."""
        self.stem()
        kept = self._kept
        held = [kept.term(number) for number in kept.solids.find(solid)] if kept is not None else []
        return [*held, *self._parted.get(solid, ())]

    def kept(self) -> KeptTerms:
        """Return all terms in the form of a file."""
        self.stem()
        names = [""] * self.width
        for term, number in self:
            names[number] = term
        held = [number for number, name in enumerate(names) if name]
        last: dict[str, int] = {}
        for first in range(0, len(held), _STEMS_AT_ONCE):
            some = held[first : first + _STEMS_AT_ONCE]
            last.update(zip(text.stems([names[number] for number in some]), some, strict=True))
        solids = [number for number in held if "-" in names[number]]
        encoded = [name.encode() for name in names]
        return KeptTerms(
            np.frombuffer(b"".join(encoded), np.uint8),
            np.cumsum([0, *map(len, encoded)], dtype=np.int64),
            self.alone,
            self.before,
            _keys([names[number] for number in held], held),
            _keys(list(last), last.values()),
            _keys([_solid(names[number]) for number in solids], solids),
        )


def _keys(keys: Sequence[str], numbers: Iterable[int]) -> Keys:
    return Keys.of(keys, np.fromiter(numbers, np.int32, len(keys)))


def _solid(compound: str) -> str:
    return compound.replace("-", "")
