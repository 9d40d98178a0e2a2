"""The words of many documents as numbers; only words that can name a subject count."""

from __future__ import annotations

import re
from array import array
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.documents import text
from engine.search import NO_LABEL_HALVES, NO_LABELS

_FEWEST_LETTERS = 3
_MOST_LETTERS = 24
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_VOWEL = re.compile(r"[aeiouyäöüáéíóúàèìòùâêîôûåæøœ]")
_UNLIKELY = re.compile(r"(.)\1\1|[bcdfghjklmnpqrstvwxz]{6,}")
_LATIN = re.compile(r"[a-z]")


class Vocabulary:
    """Numbers for words, and the documents read so far as one row of numbers each.

    A word that cannot name a subject (a function word, boilerplate, a number, what looks like an
    error of character recognition) is kept as -1: it still separates its neighbours, so that two words make a phrase
    only where they stand side by side.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._numbers: dict[str, int] = {}
        self._seen = _Numbers(self._numbers)
        self._sequence = array("i")
        self._stops = array("q", [0])

    @property
    def words(self) -> list[str]:
        """Every word by its number."""
        return list(self._numbers)

    @property
    def sequence(self) -> NDArray[np.int32]:
        """The numbers (t,) of all documents' words in reading order, -1 for a word left out."""
        return np.array(self._sequence, np.int32)

    @property
    def owners(self) -> NDArray[np.int64]:
        """The document (t,) that each word of `sequence` stands in, by the order added."""
        stops = np.array(self._stops, np.int64)
        return np.repeat(np.arange(len(stops) - 1), stops[1:] - stops[:-1])

    def add(self, *texts: str) -> None:
        """Read one document's texts."""
        for one in texts:
            self._sequence.fromlist(list(map(self._seen.__getitem__, text.tokens(one))))
            self._sequence.append(-1)
        self._stops.append(len(self._sequence))


class _Numbers(dict[str, int]):
    """A number for each token looked up, computed once: -1, or for a word the next one, kept in `numbers`."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self._numbers = numbers

    def __missing__(self, token: str) -> int:
        self[token] = self._numbers.setdefault(token, len(self._numbers)) if names_a_subject(token) else -1
        return self[token]


def names_a_subject(token: str) -> bool:
    """Whether a lower-case token could stand in a label."""
    if not _FEWEST_LETTERS <= len(token) <= _MOST_LETTERS or not _WORD.fullmatch(token):
        return False
    if token in text.STOP_WORDS or token in NO_LABELS or token in NO_LABEL_HALVES:
        return False
    latin = _LATIN.search(token) is not None
    return not (latin and (_VOWEL.search(token) is None or _UNLIKELY.search(token)))


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """The singular that an English plural most likely has, "analysis" of "analyses"; other words stay as they are."""
    return f"{word[:-2]}is" if word.endswith("yses") else text.singular(word)
