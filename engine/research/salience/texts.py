"""The sentences that are judged, and what they weigh: the bodies of long documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import EvaluationError
from engine.core.rows import SparseRows
from engine.documents import Chunk, Document
from engine.documents.text import content_tokens, sentences
from engine.encoders import unit_length_sparse
from engine.training.keyvec.labels import idf, weighted
from engine.training.long_corpus import LabelledPair, Split, body_of

FEWEST, MOST = 5, 3_000
"""Sentences that a body must have to be judged, and how many of it are."""


@dataclass(frozen=True, slots=True)
class Body:
    """A document without title, abstract and references, and its sentences with a word of content, in order.

    `abstract` are the sentences of what was left out, from which labels are made.
    """

    document: Document
    sentences: tuple[Chunk, ...]
    abstract: tuple[str, ...]

    @property
    def texts(self) -> list[str]:
        """The sentences' texts (m)."""
        return [chunk.text for chunk in self.sentences]

    @classmethod
    def of(cls, document: Document) -> Self:
        """Cut a document."""
        body = body_of(document)
        found = [
            part.chunk(body.id, number, span.start, span.stop)
            for number, part in enumerate(body.parts)
            for span in sentences(part.text)
        ]
        abstract = [document.abstract[span.start : span.stop] for span in sentences(document.abstract)]
        worded = [chunk for chunk in found if content_tokens(chunk.text)]
        return cls(body, tuple(worded[:MOST]), tuple(text for text in abstract if content_tokens(text)))


@dataclass(frozen=True)
class SentenceWords:
    """The words of many sentences and their weights (V,): TF-IDF where a sentence counts as a document."""

    vectorizer: Any
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Learn from sentences. Raises EvaluationError if none has a word of content."""
        from sklearn.feature_extraction.text import CountVectorizer

        vectorizer = CountVectorizer(analyzer=content_tokens)
        try:
            counts = vectorizer.fit_transform(texts)
        except ValueError:  # what it says of an empty vocabulary
            raise EvaluationError(
                "Expected sentences with words to weigh by, got none. Give documents with text."
            ) from None
        return cls(vectorizer, idf(counts))

    def counts(self, texts: Sequence[str]) -> SparseRows:
        """How often each word occurs in each text: (n, V)."""
        counted: SparseRows = self.vectorizer.transform(texts)
        return counted

    def rows(self, texts: Sequence[str]) -> SparseRows:
        """TF-IDF rows at unit length: (n, V); their products are cosines."""
        return unit_length_sparse(weighted(self.counts(texts), self.weights))


def trained_on(pairs: Sequence[LabelledPair]) -> frozenset[str]:
    """The documents that training may have read: those of a train pair."""
    return frozenset(name for pair in pairs if pair.split == "train" for name in (pair.a, pair.b))


def held_out(pairs: Sequence[LabelledPair], split: Split) -> frozenset[str]:
    """The documents of a split's pairs that are in no train pair, and for `valid` in no test pair either."""
    found = {name for pair in pairs if pair.split == split for name in (pair.a, pair.b)}
    tested = {name for pair in pairs if split == "valid" and pair.split == "test" for name in (pair.a, pair.b)}
    return frozenset(found - trained_on(pairs) - tested)
