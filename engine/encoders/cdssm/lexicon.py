"""Words as numbers for the network, and documents as places of their distinct words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine.encoders.cdssm.settings import TRIGRAMS
from engine.encoders.letters import trigrams

_REMEMBERED_WORDS = 65_536
_LETTERS_READ = 100  # of a word; longer runs are not words, and would fill the memory

Numbers = NDArray[np.int32]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bags:
    """The numbers of w words end to end (x,): word i has numbers[starts[i]:starts[i + 1]], starts is (w + 1,)."""

    numbers: Numbers
    starts: Places

    def __len__(self) -> int:
        """The number of words."""
        return len(self.starts) - 1

    @classmethod
    def of(cls, given: Sequence[Sequence[int]]) -> Self:
        """The numbers of each word."""
        starts = np.zeros(len(given) + 1, np.int64)
        np.cumsum([len(one) for one in given], out=starts[1:])
        return cls(np.array([number for one in given for number in one], np.int32), starts)

    def taken(self, words: NDArray[np.integer]) -> Bags:
        """The bags of some words (m,), in that order."""
        lengths = np.diff(self.starts)[words]
        starts = np.concatenate([[0], lengths.cumsum()])
        places = np.arange(starts[-1]) + np.repeat(self.starts[words] - starts[:-1], lengths)
        return Bags(self.numbers[places], starts)


@dataclass(frozen=True, slots=True)
class Texts:
    """n texts as the bags of their w distinct words, and the sequence of words.

    `words` (t,) are places in the bags, of all texts end to end: text i has words[starts[i]:starts[i + 1]].
    """

    bags: Bags
    words: Numbers
    starts: Places

    def __len__(self) -> int:
        """The number of texts."""
        return len(self.starts) - 1


class Lexicon:
    """The known trigrams or words, by number; an unknown word has no numbers.

    A word is read as all its known trigrams, repetitions included, so that a misspelt or unseen word has a vector too;
    or as its number among the words that have vectors.
    """

    def __init__(self, kind: str, entries: Sequence[str]) -> None:
        """Take the known trigrams or words, in the order of the network's rows."""
        self.entries = tuple(entries)
        self._reads_letters = kind == TRIGRAMS
        self._number = {entry: number for number, entry in enumerate(self.entries)}
        self._remembered = lru_cache(maxsize=_REMEMBERED_WORDS)(self._numbers)

    def numbers(self, word: str) -> tuple[int, ...]:
        """The known trigrams in a word's first hundred letters, or its number."""
        return self._remembered(word[:_LETTERS_READ])

    def bags(self, words: Iterable[str]) -> Bags:
        """The numbers of each word."""
        return Bags.of([self.numbers(word) for word in words])

    def read(self, texts: Iterable[Sequence[str]]) -> Texts:
        """Texts given as their words; unknown words are skipped as if they were not there."""
        place_of: dict[str, int] = {}
        bags: list[tuple[int, ...]] = []
        words: list[int] = []
        starts = [0]
        for text in texts:
            for word in text:
                place = place_of.get(word)
                if place is None:
                    bag = self.numbers(word)
                    place = place_of[word] = len(bags) if bag else -1
                    if bag:
                        bags.append(bag)
                if place >= 0:
                    words.append(place)
            starts.append(len(words))
        return Texts(Bags.of(bags), np.array(words, np.int32), np.array(starts, np.int64))

    def _numbers(self, word: str) -> tuple[int, ...]:
        found = (self._number.get(one) for one in (trigrams(word) if self._reads_letters else (word,)))
        return tuple(number for number in found if number is not None)


def distinct(words: Numbers, starts: Places, bags: Bags) -> Texts:
    """Texts with the bags of their own words alone, from `words` (t,): places in the bags of a whole vocabulary.

    Words without numbers are skipped.
    """
    known = np.diff(bags.starts)[words] > 0  # (t,)
    ends = np.concatenate([[0], known.cumsum()])[starts]
    own, places = np.unique(words[known], return_inverse=True)
    return Texts(bags.taken(own), places.astype(np.int32), ends)
