"""Which words of a library can be evidence, and how much each weighs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping

from engine.documents.text import STOP_WORDS, singular
from engine.search.generic_words import GENRE_WORDS, HALVES

_WORD = re.compile(r"[^\W\d_]{3,}|[^\W\d_]{2,}\d{1,2}[^\W\d_]*")
QUOTES = "'’‘`\u00b4"

_VOWEL = re.compile(r"[aeiouyàáâãäåèéêëìíîïòóôõöùúûü]")

_CONFUSIONS = (
    *(("li", "h"), ("b", "h"), ("c", "e"), ("o", "e"), ("e", "c"), ("u", "n"), ("n", "u"), ("rn", "m"), ("in", "m")),
    *(("ni", "m"), ("i", "l"), ("l", "i"), ("ii", "n"), ("ii", "u"), ("v", "y"), ("y", "v"), ("vv", "w"), ("tb", "th")),
)
"""(what a scanner reads, what was printed)."""

_REAL_WORDS = frozenset("arc bethe bold bow chock cnt omission oven trec vla".split())
"""Words of papers and patents that one confusion parts from a far more frequent one."""

_FUNCTION_WORD_RATIO = 5
_CONTENT_WORD_RATIO = 50
_COMMON_SHARE = 1 / 3
_COMMON_FROM_DOCUMENTS = 50


class _Keys(dict[str, str]):
    """Keys by token, each computed when first needed and then looked up."""

    def __init__(self, make: Callable[[str], str]) -> None:
        self._make = make

    def __missing__(self, token: str) -> str:
        self[token] = self._make(token)
        return self[token]


class Vocabulary:
    """The document frequencies of a library, read as evidence.

    `keys` maps a token to the key under which its singular and plural meet, or to "" where it cannot be
    evidence: function words, words that papers and patents use about anything, numbers, words of more
    than a third of the library, and scanning errors.
    """

    def __init__(self, frequencies: Mapping[str, int], documents: int) -> None:
        """Take the number of documents that hold each token, and the number of documents."""
        self._frequencies = frequencies
        self._documents = documents
        self.keys: Mapping[str, str] = _Keys(self._key)
        self._idf: dict[str, float] = {}

    @property
    def documents(self) -> int:
        """Of how many documents the frequencies are."""
        return self._documents

    def holds(self, word: str) -> bool:
        """Whether any document holds a word, in singular or plural."""
        return self._frequency(singular(word)) > 0 or self._frequency(word) > 0

    def idf(self, key: str) -> float:
        """ln(1 + (n - df + 1/2) / (df + 1/2)), the larger df of singular and plural.

        Robertson and Zaragoza 2009, The Probabilistic Relevance Framework, equation 3.15, plus 1
        inside the logarithm so that it is never negative.
        """
        if key not in self._idf:
            frequency = min(self._frequency(key), self._documents)
            self._idf[key] = math.log(1 + (self._documents - frequency + 0.5) / (frequency + 0.5))
        return self._idf[key]

    def _frequency(self, key: str) -> int:
        get = self._frequencies.get
        plurals = (f"{key}s", f"{key}es", f"{key[:-1]}ies" if key.endswith("y") else key)
        return max(get(key, 0), *(get(plural, 0) for plural in plurals))

    def _key(self, token: str) -> str:
        token = token.strip(QUOTES).removesuffix("'s").removesuffix("’s")
        if not _WORD.fullmatch(token) or token in STOP_WORDS or token in GENRE_WORDS or token in HALVES:
            return ""
        key = singular(token)
        frequency = self._frequency(key)
        if not _VOWEL.search(token) and frequency < 3:
            return ""
        if self._documents >= _COMMON_FROM_DOCUMENTS and frequency > self._documents * _COMMON_SHARE:
            return ""
        return "" if self._is_scanning_error(token) else key

    def _is_scanning_error(self, token: str) -> bool:
        """Whether undoing one usual confusion of letters gives a far more frequent word, or two words run together.

        The frequencies decide, so that a real word ("loss") is not taken for a scanned one ("less").
        """
        if token in _REAL_WORDS:
            return False
        if any(token.endswith(tail) and token.removesuffix(tail) in STOP_WORDS for tail in ("the", "of", "and")):
            return True
        own = max(self._frequencies.get(token, 0), 1)
        for meant in _undone(token):
            ratio = _FUNCTION_WORD_RATIO if meant in STOP_WORDS else _CONTENT_WORD_RATIO
            if self._frequencies.get(meant, 0) >= ratio * own:
                return True
        return False


def _undone(token: str) -> Iterator[str]:
    """Every word that one confusion would turn into `token`."""
    for seen, meant in _CONFUSIONS:
        start = token.find(seen)
        while start >= 0:
            yield token[:start] + meant + token[start + len(seen) :]
            start = token.find(seen, start + 1)
