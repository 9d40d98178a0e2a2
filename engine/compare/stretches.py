"""Stretches of text made ready to be matched: their words and vectors, and how well two documents' match.

`Words` says how rare each word is, where that comes from, and which sentences recur in a library.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core.rows import DenseRows, Flags, unit_length
from engine.documents import Chunk, Section
from engine.documents.text import Span, tokens
from engine.documents.words import terms
from engine.library import Library
from engine.search import WORD_SHARE, Vocabulary, sentence_words, short_sentences

_RECURS_FROM = 5  # other documents, at least
_RECURS_SHARE = 1e-3  # of the library, at least
_FEWEST_DOCUMENTS = 50  # a smaller library cannot tell what recurs


class Holds(Protocol):
    """The part of a library's keyword index that a comparison needs."""

    def holding(self, questions: Iterable[Collection[str]], *, above: float) -> list[int]:
        """Return how many documents hold all terms of each question; 0 unless more than `above` do."""


class ReadsTokens(Protocol):
    """An encoder that takes tokens, so that each sentence is tokenised once."""

    def encode_tokens(self, texts: Iterable[Sequence[str]]) -> DenseRows:
        """Encode texts: (n, dim), at unit length."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words that sentences are compared by.

    `source` is a sentence for the reader. `by_words` reads single sentences. `keywords` says in how many of a library's
    `documents` words occur together; None without a library.
    """

    vocabulary: Vocabulary
    source: str
    documents: int
    by_words: ReadsTokens
    keywords: Holds | None = None

    @classmethod
    def of(cls, library: Library | None) -> Self:
        """Return the words of a library as it is now; the shipped ones without one, or with too few documents."""
        if library is None or (keywords := library.keywords).size < _FEWEST_DOCUMENTS:
            return cls.shipped()
        source = f"Words weigh by how few of the library's {keywords.size:,} documents hold them."
        return cls(Vocabulary.of(keywords), source, keywords.size, sentence_words(), keywords)

    @classmethod
    def shipped(cls) -> Self:
        """Return the words that the shipped word vectors were trained on, for a comparison without a library."""
        vocabulary = Vocabulary.shipped()
        documents = vocabulary.documents
        source = (
            f"Without a library of at least {_FEWEST_DOCUMENTS} documents, words weigh by their counts in the "
            f"{documents:,} abstracts that the shipped word vectors were trained on."
        )
        return cls(vocabulary, source, documents, sentence_words())

    def recurring(self, sentences: Sequence[tuple[Collection[str], Collection[str]]]) -> list[bool]:
        """Tell whether several documents of the library hold all the words of each sentence.

        A sentence is given by its distinct tokens, and those that can be evidence. A recurring one is a stock phrase,
        or has no telling word.
        """
        if self.keywords is None:
            return [False] * len(sentences)
        asked = [terms(" ".join(words), ends=False) if keys else () for words, keys in sentences]
        least = max(_RECURS_FROM, _RECURS_SHARE * self.documents)
        return [held > 0 for held in self.keywords.holding(asked, above=least)]


@dataclass(frozen=True, slots=True, eq=False)
class DocumentTerms:
    """How often a document has its terms: `columns` gives each of t terms a place in `counts` (t,)."""

    columns: Mapping[str, int]
    counts: NDArray[np.float64]

    @property
    def length(self) -> float:
        """The number of terms, including repetitions."""
        return float(self.counts.sum())


@dataclass(frozen=True, slots=True, eq=False)
class StretchTerms:
    """The terms of s stretches of a document: `columns` gives each of t terms a place in `counts` (s, t)."""

    columns: Mapping[str, int]
    counts: csr_array

    @classmethod
    def of(cls, stretches: Sequence[Sequence[str]], terms_of: Callable[[str], Iterable[str]]) -> Self:
        """Count the terms of the tokens of stretches."""
        columns: dict[str, int] = {}
        numbers: dict[str, list[int]] = {}  # of a token's terms
        places: list[int] = []
        starts = [0]
        for spoken in stretches:
            for token in spoken:
                if token not in numbers:
                    numbers[token] = [columns.setdefault(term, len(columns)) for term in terms_of(token)]
                places += numbers[token]
            starts.append(len(places))
        counts = csr_array((np.ones(len(places)), places, starts), shape=(len(stretches), len(columns)))
        counts.sum_duplicates()
        return cls(columns, counts)

    def said(self, keep: Flags) -> DocumentTerms:
        """Return the terms of the stretches to `keep` (s,) together."""
        return DocumentTerms(self.columns, np.asarray(keep.astype(np.float64) @ self.counts, np.float64))


_LONGEST = 600  # characters; longer in scripts without spaces between words
_FULL_STOP = re.compile(r"[\u3002\uff01\uff1f\uff1b\uff0e\u0964\u0965\u061f]+\s*")  # Chinese, Hindi, Arabic
_UNPARTED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
"""Scripts without white space between words, or with many endings: Thai to Khmer, Chinese to Korean."""


@dataclass(frozen=True, slots=True, eq=False)
class Stretches:
    """Stretches of one document in reading order, s of them.

    `tokens` are each one's distinct tokens, `keys` those that can be evidence, `counts` (s,) its number of words;
    `spoken` counts every word. `words` (s, w) holds idf at unit length or less, a column a key of `columns`; `rows` (s,
    dim) are the sentence encoder's at unit length.
    """

    chunks: tuple[Chunk, ...]
    tokens: tuple[frozenset[str], ...]
    keys: tuple[frozenset[str], ...]
    counts: NDArray[np.int64]
    spoken: StretchTerms
    words: csr_array
    columns: dict[str, int]
    rows: DenseRows

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.chunks)


def make(chunks: Sequence[Chunk], words: Words) -> Stretches:
    """Read stretches once, for every comparison that follows."""
    spoken = [tokens(chunk.text) for chunk in chunks]
    distinct = [frozenset(one) for one in spoken]
    known = {word: _pairs(word) or (words.vocabulary.keys[word],) for word in frozenset().union(*distinct)}
    keys = [frozenset(key for word in one for key in known[word]) - {""} for one in distinct]
    columns = {key: number for number, key in enumerate(sorted(frozenset().union(*keys)))}
    squares = [sum(words.vocabulary.idf(key) ** 2 for key in one) for one in keys]
    return Stretches(
        tuple(chunks),
        tuple(distinct),
        tuple(keys),
        np.asarray([_length(chunk.text, one) for chunk, one in zip(chunks, spoken, strict=True)], np.int64),
        StretchTerms.of(spoken, _terms),
        words.vocabulary.rows(zip(keys, squares, strict=True), columns),
        columns,
        unit_length(words.by_words.encode_tokens(spoken)),
    )


class Similarities:
    """How well every stretch of a matches every one of b, (s_a, s_b), each in [0, 1]; computed when rows are asked for.

    similarity = 1/2 cosine of the words, each weighing its idf
               + 1/2 cosine of the encoder's rows, not below 0 (as `evidence.sentences` chooses a pair),
    and 1 where both have the same words: otherwise a short sentence would not fully match its copy.
    """

    def __init__(self, a: Stretches, b: Stretches) -> None:
        """Find the words that both have."""
        self._a, self._rows = a, b.rows.T
        shared = [(a.columns[key], number) for key, number in b.columns.items() if key in a.columns]
        ours, theirs = (list(columns) for columns in zip(*shared, strict=True)) if shared else ([], [])
        self._words = (a.words[:, ours].tocsr(), b.words[:, theirs].T.tocsr()) if shared else None
        self._places = _places(b.tokens)

    @property
    def shape(self) -> tuple[int, int]:
        """(s_a, s_b)."""
        return len(self._a), self._rows.shape[1]

    def rows(self, start: int, stop: int) -> NDArray[np.float32]:
        """Return the rows from `start` to before `stop`: (stop - start, s_b)."""
        found = np.maximum(self._a.rows[start:stop] @ self._rows, 0)  # (n, s_b)
        found *= 1 - WORD_SHARE
        if self._words is not None:
            overlap = (self._words[0][start:stop] @ self._words[1]).tocoo()
            found[overlap.row, overlap.col] += WORD_SHARE * overlap.data
        for row, spoken in enumerate(self._a.tokens[start:stop]):
            if spoken in self._places:
                found[row, self._places[spoken]] = 1
        matches: NDArray[np.float32] = np.minimum(found, 1)
        return matches


def _places(tokens: Sequence[frozenset[str]]) -> dict[frozenset[str], NDArray[np.int64]]:
    """Return where stretches stand that have the same words."""
    places: dict[frozenset[str], list[int]] = {}
    for place, spoken in enumerate(tokens):
        if spoken:
            places.setdefault(spoken, []).append(place)
    return {spoken: np.asarray(held, np.int64) for spoken, held in places.items()}


def sentence_spans(part: Section) -> Iterator[Span]:
    """Yield the sentences of a part, each short enough to show, also in scripts with other full stops."""
    for span in short_sentences(part):
        start = span.start
        for stop in [*(match.end() for match in _FULL_STOP.finditer(part.text, span.start, span.stop)), span.stop]:
            while start < stop:
                end = min(stop, start + _LONGEST)
                if end < stop:
                    end = max(part.text.rfind(" ", start + 1, end) + 1, 0) or end
                text = part.text[start:end]
                if text.strip():
                    yield Span(start + len(text) - len(text.lstrip()), start + len(text.rstrip()))
                start = end


def _terms(word: str) -> list[str]:
    """Return what is counted for a word: itself, or its pairs of letters in scripts without spaces."""
    return _pairs(word) or [word]


def _pairs(word: str) -> list[str]:
    """Return the pairs of neighbouring letters in a word's runs of such a script."""
    if word.isascii():
        return []
    return [run[n : n + 2] for run in _UNPARTED.findall(word) for n in range(max(1, len(run) - 1))]


def _length(text: str, spoken: Sequence[str]) -> int:
    """Return how many words a stretch has; two letters count as a word in scripts without spaces."""
    unparted = 0 if text.isascii() else sum(len(run) for run in _UNPARTED.findall(text))
    return max(len(spoken), unparted // 2)
