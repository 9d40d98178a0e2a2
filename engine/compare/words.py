"""What a comparison knows of words: how rare each is, where that is known from, and which sentences recur."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, Self

import numpy as np

from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.encoders.word_vectors import WordVectors
from engine.evidence import Vocabulary
from engine.evidence.explain import BY_WORDS
from engine.library import Library

_RECURS_FROM = 5  # other documents, at least
_RECURS_SHARE = 1e-3  # of the library, at least
_FEWEST_DOCUMENTS = 50  # a smaller library cannot tell what recurs


class Holds(Protocol):
    """As much of a library's keyword index as a comparison needs."""

    def holding(self, terms: Collection[str]) -> int:
        """How many documents hold all the terms."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words that sentences are compared by.

    `source` is a sentence for the person who reads the comparison. `by_words` encodes single sentences. `keywords` says
    in how many of the `documents` of a library words stand together; None where there is no library.
    """

    vocabulary: Vocabulary
    source: str
    documents: int
    by_words: Encoder
    keywords: Holds | None = None

    @classmethod
    def of_library(cls, library: Library) -> Self:
        """The words of a library as it is now; the shipped ones where it holds too few documents."""
        keywords = library.keywords
        if keywords.size < _FEWEST_DOCUMENTS:
            return cls.shipped()
        source = f"Words weigh by how few of the library's {keywords.size:,} documents hold them."
        return cls(
            Vocabulary(keywords.frequencies(), keywords.size), source, keywords.size, registry.load(BY_WORDS), keywords
        )

    @classmethod
    def shipped(cls) -> Self:
        """The words that the shipped word vectors were trained on, for a comparison without a library."""
        vocabulary = shipped_vocabulary()
        documents = vocabulary.documents
        source = (
            f"There is no library of {_FEWEST_DOCUMENTS} documents or more: words weigh by their counts in the "
            f"{documents:,} abstracts that the shipped word vectors were trained on."
        )
        return cls(vocabulary, source, documents, registry.load(BY_WORDS))

    def recurs(self, words: Collection[str], keys: Collection[str]) -> bool:
        """Whether several documents of the library hold all the words of a sentence.

        `words` are its distinct tokens, `keys` those that can be evidence. Such a sentence is a phrase of many
        documents, or has no word that tells one from the next.
        """
        if self.keywords is None or not keys:
            return False
        return self.keywords.holding(words) > max(_RECURS_FROM, _RECURS_SHARE * self.documents)


@lru_cache(maxsize=1)
def shipped_vocabulary() -> Vocabulary:
    """How rare words are among the abstracts that the shipped word vectors were trained on: the same everywhere.

    Their counts are of occurrences; a word that occurs n times in N documents stands in about N (1 - exp(-n / N)) of
    them, as if it fell anywhere alike (a Poisson distribution).
    """
    vectors = WordVectors.load(registry.PRETRAINED / "word2vec")
    documents = int(vectors.facts["documents"])
    held = -documents * np.expm1(-vectors.counts / documents)  # (V,)
    frequencies: Mapping[str, int] = dict(zip(vectors.words, held.round().astype(int).tolist(), strict=True))
    return Vocabulary(frequencies, documents)
