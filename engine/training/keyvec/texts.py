"""Documents as the numbers of the words of their sentences, end to end, with what is known of each."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core.rows import Positions, SparseRows, TokenIds

Labels = NDArray[np.int8]


UNKNOWN = -1
"""The label of a sentence without a judgement."""


@dataclass(frozen=True)
class NumberedSentences:
    """The m sentences of n documents: `flat` (t,) numbers of words, each sentence at `starts` (m + 1,) in it.

    Document i has the sentences `documents[i]` to `documents[i + 1]` (n + 1,). `salient` (m,) is 1, 0, or UNKNOWN.
    """

    flat: TokenIds
    starts: Positions
    documents: Positions
    salient: Labels

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.documents) - 1

    @classmethod
    def of(cls, documents: Sequence[Sequence[TokenIds]], salient: Labels | None = None) -> NumberedSentences:
        """Documents given as the numbers of each sentence."""
        sentences = [one for sentences in documents for one in sentences]
        flat = np.concatenate([np.zeros(0, np.int32), *sentences]).astype(np.int32)
        labels = np.full(len(sentences), UNKNOWN, np.int8) if salient is None else salient
        return cls(flat, _starts([len(one) for one in sentences]), _starts([len(one) for one in documents]), labels)

    def sentences(self, place: int) -> list[TokenIds]:
        """Return the sentences of one document."""
        bounds = self.starts[self.documents[place] : self.documents[place + 1] + 1]
        return [self.flat[start:stop] for start, stop in pairwise(bounds)]

    def chosen(self, places: Positions) -> NumberedSentences:
        """Some of the documents, in the order given."""
        counts = np.diff(self.documents)[places]
        sentences = _stretches(self.documents[places], counts)  # (m',)
        lengths = np.diff(self.starts)[sentences]
        words = _stretches(self.starts[sentences], lengths)
        return NumberedSentences(self.flat[words], _starts(lengths), _starts(counts), self.salient[sentences])

    def renumbered(self, number_of: TokenIds) -> NumberedSentences:
        """Words by other numbers (V,), below 0 if one is dropped; sentences without a word are dropped too."""
        flat = number_of[self.flat]
        return replace(self, flat=flat).kept(flat >= 0)

    def kept(self, words: NDArray[np.bool_]) -> NumberedSentences:
        """Only some of the words (t,); sentences without one are dropped too."""
        before = np.concatenate([[0], words.cumsum()])
        lengths = np.diff(before[self.starts])
        kept = lengths > 0
        counts = np.diff(np.concatenate([[0], kept.cumsum()])[self.documents])
        return NumberedSentences(self.flat[words], _starts(lengths[kept]), _starts(counts), self.salient[kept])


@dataclass(frozen=True)
class ReadTexts:
    """What was read of n documents: their sentences, and the content words of their abstracts by count (n, W).

    `words` are those W words, `valid` (n,) marks documents that are not trained on, `left_out` counts documents by the
    reason they are not here.
    """

    names: Sequence[str]
    texts: NumberedSentences
    counts: SparseRows
    words: Sequence[str]
    valid: NDArray[np.bool_]
    left_out: Mapping[str, int]

    def chosen(self, places: Positions) -> ReadTexts:
        """Some of the documents, in the order given."""
        return replace(
            self,
            names=[self.names[place] for place in places],
            texts=self.texts.chosen(places),
            counts=self.counts[places],
            valid=self.valid[places],
        )

    def joined(self, other: ReadTexts) -> ReadTexts:
        """These documents, then the other ones."""
        column_of = {word: number for number, word in enumerate(self.words)}
        columns = np.array([column_of.setdefault(word, len(column_of)) for word in other.words], np.int64)
        moved = columns[other.counts.indices] if len(columns) else other.counts.indices
        indices = np.concatenate([self.counts.indices, moved])
        indptr = np.concatenate([self.counts.indptr, len(self.counts.indices) + other.counts.indptr[1:]])
        counts = csr_array(
            (np.concatenate([self.counts.data, other.counts.data]), indices, indptr),
            shape=(len(self.names) + len(other.names), len(column_of)),
        )
        return ReadTexts(
            [*self.names, *other.names],
            _behind(self.texts, other.texts),
            counts,
            list(column_of),
            np.concatenate([self.valid, other.valid]),
            {**self.left_out, **other.left_out},
        )


class WordCounts:
    """Counts the words of texts, one row a text, each new word in a column of its own."""

    def __init__(self) -> None:
        """Begin with no text."""
        self.column_of: dict[str, int] = {}
        self._indices, self._counts, self._starts = array("i"), array("f"), array("q", [0])

    def add(self, words: Iterable[str]) -> None:
        """Count the words of one text."""
        found = Counter(words)
        self._indices.extend(self.column_of.setdefault(word, len(self.column_of)) for word in found)
        self._counts.extend(found.values())
        self._starts.append(len(self._indices))

    def rows(self) -> SparseRows:
        """Return the counts (n, V) of the texts so far."""
        parts = np.array(self._counts, np.float32), np.array(self._indices, np.int32), np.array(self._starts, np.int64)
        rows = csr_array(parts, shape=(len(self._starts) - 1, len(self.column_of)))
        rows.sort_indices()
        return rows


def _starts(lengths: Sequence[int] | Positions) -> Positions:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


def _stretches(starts: Positions, lengths: Positions) -> Positions:
    """Return the places start, start + 1, ... of each stretch, end to end."""
    offsets = _starts(lengths)
    return np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)


def _behind(one: NumberedSentences, other: NumberedSentences) -> NumberedSentences:
    return NumberedSentences(
        np.concatenate([one.flat, other.flat]),
        np.concatenate([one.starts, len(one.flat) + other.starts[1:]]),
        np.concatenate([one.documents, len(one.salient) + other.documents[1:]]),
        np.concatenate([one.salient, other.salient]),
    )
