"""A corpus as the numbers of its words, on which our word embeddings are trained."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import NotFittedError
from engine.documents import text


@dataclass(frozen=True, slots=True)
class WordIds:
    """Texts one behind the other: the ids (t,) of all their kept words, and where each text starts and ends (n + 1,).

    Words (V) come with the most frequent first; `tokens` is the length of the texts, words that are not kept included.
    """

    words: list[str]
    counts: NDArray[np.int64]
    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    tokens: int

    @property
    def text_of(self) -> NDArray[np.int64]:
        """The number of each kept word's text: (t,)."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


def read(texts: Iterable[str], *, min_count: int, keep_words: int) -> WordIds:
    """Number the words that come up often enough; the others are left out, so that their neighbours meet.

    Raises NotFittedError if no word comes up often enough.
    """
    number_of: dict[str, int] = {}
    seen, ends = array("i"), array("q", [0])
    for one in texts:
        seen.extend(number_of.setdefault(word, len(number_of)) for word in text.tokens(one))
        ends.append(len(seen))
    numbers, names = np.asarray(seen, np.int32), list(number_of)
    counts = np.bincount(numbers, minlength=len(names))
    order = np.array(sorted(range(len(names)), key=lambda one: (-counts[one], names[one])), np.int64)
    order = order[counts[order] >= min_count][:keep_words]
    if not len(order):
        raise NotFittedError(
            f"Expected words that occur at least {min_count} times to train on, got none. Give more text."
        )
    place = np.full(len(names), -1, np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    ids = place[numbers]
    kept = ids >= 0
    starts = np.concatenate([[0], np.cumsum(kept)])[np.asarray(ends, np.int64)]
    return WordIds([names[one] for one in order], counts[order], ids[kept], starts, len(numbers))
