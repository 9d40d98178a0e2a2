"""The mean of a document's word vectors, trained beforehand (avg-word2vec of CTPE, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from engine.core.files import fingerprint
from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders.base import CardedEncoder, EncoderCard
from engine.encoders.counts import count_tokens, count_words, unit_length
from engine.encoders.word_vectors import WordVectors


class Word2vecMeanEncoder(CardedEncoder):
    """The plain mean of the vectors of every token that has one, at unit length ("avg-word2vec", CTPE, section 4.2)."""

    name: ClassVar[str] = "word2vec-mean"
    method: ClassVar[str] = "word2vec-mean/1"
    summary: ClassVar[str] = (
        "The plain mean of word vectors trained on papers and patents, the published baseline. "
        "Choose it to compare with the literature."
    )

    def __init__(self, vectors: WordVectors) -> None:
        """Take trained word vectors."""
        self.vectors = vectors
        self._columns = {word: column for column, word in enumerate(vectors.words)}
        self._rows = self.word_rows(vectors)
        self._card = self.card_from(vectors.card)

    @classmethod
    def card_from(cls, vectors: EncoderCard) -> EncoderCard:
        """This encoder's card, from the card of its word vectors."""
        return replace(
            vectors, name=cls.name, summary=cls.summary, fingerprint=fingerprint(cls.method, vectors.fingerprint)
        )

    @staticmethod
    def word_rows(vectors: WordVectors) -> DenseRows:
        """What each occurrence of a word adds to its document: (V, dim)."""
        return vectors.vectors.astype(np.float32)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim); sums, not means, which have the same direction."""
        return unit_length(np.asarray(count_words(documents, self._columns) @ self._rows))

    def encode_tokens(self, texts: Iterable[Sequence[str]]) -> DenseRows:
        """Encode texts that are tokens already, as documents: (n, dim)."""
        return unit_length(np.asarray(count_tokens(texts, self._columns) @ self._rows))

    def save(self, folder: Path) -> None:
        """Write the word vectors into `folder`, atomically."""
        self.vectors.save(folder)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read word vectors. Raises StorageError where the folder is damaged or foreign."""
        return cls(WordVectors.load(folder))
