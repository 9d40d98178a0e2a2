"""What a comparison knows about words: how rare each is, where that comes from, and which sentences recur."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from engine.core.rows import DenseRows
from engine.library import Library
from engine.search import Vocabulary, sentence_words, shipped_vocabulary

_RECURS_FROM = 5  # other documents, at least
_RECURS_SHARE = 1e-3  # of the library, at least
_FEWEST_DOCUMENTS = 50  # a smaller library cannot tell what recurs


class Holds(Protocol):
    """The part of a library's keyword index that a comparison needs."""

    def holding(self, questions: Iterable[Collection[str]], *, above: float) -> list[int]:
        """How many documents hold all terms of each question; 0 unless more than `above` do."""


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
    def of_library(cls, library: Library) -> Self:
        """The words of a library as it is now; the shipped ones if it holds too few documents."""
        keywords = library.keywords
        if keywords.size < _FEWEST_DOCUMENTS:
            return cls.shipped()
        source = f"Words weigh by how few of the library's {keywords.size:,} documents hold them."
        vocabulary = Vocabulary(keywords.frequencies(), keywords.size)
        return cls(vocabulary, source, keywords.size, sentence_words(), keywords)

    @classmethod
    def shipped(cls) -> Self:
        """The words that the shipped word vectors were trained on, for a comparison without a library."""
        vocabulary = shipped_vocabulary()
        documents = vocabulary.documents
        source = (
            f"There is no library of {_FEWEST_DOCUMENTS} documents or more: words weigh by their counts in the "
            f"{documents:,} abstracts that the shipped word vectors were trained on."
        )
        return cls(vocabulary, source, documents, sentence_words())

    def recurring(self, sentences: Sequence[tuple[Collection[str], Collection[str]]]) -> list[bool]:
        """Whether several documents of the library hold all the words of each sentence.

        A sentence is given by its distinct tokens, and those that can be evidence. A recurring one is a stock phrase,
        or has no telling word.
        """
        if self.keywords is None:
            return [False] * len(sentences)
        asked: list[Collection[str]] = [words if keys else () for words, keys in sentences]
        least = max(_RECURS_FROM, _RECURS_SHARE * self.documents)
        return [held > 0 for held in self.keywords.holding(asked, above=least)]
