"""The mean of a document's word vectors, from word vectors trained beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.documents import Document
from engine.encoders import storage
from engine.encoders.base import Encoder, EncoderCard
from engine.encoders.counts import count_words, unit_length
from engine.errors import StorageError
from engine.rows import DenseRows

METHOD = "word2vec-mean/1"
NAME = "word2vec-mean"
SUMMARY = "The mean of word vectors trained on papers and patents. Quick, and sees related words as near."


class Word2vecMeanEncoder(Encoder):
    """The plain mean of the vectors of every token that has one, at unit length ("avg-word2vec", CTPE, section 4.2)."""

    def __init__(
        self,
        words: Sequence[str],
        vectors: NDArray[np.float16],
        counts: NDArray[np.int64],
        *,
        trained_on: Sequence[str] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take the words (V), their vectors (V, dim) as they ship, and their counts (V,) in the training text."""
        self._words, self._facts = list(words), dict(facts or {})
        self._arrays: storage.Arrays = {"vectors": vectors, "counts": counts}
        self._columns = {word: column for column, word in enumerate(words)}
        self._vectors = vectors.astype(np.float32)
        fingerprint = storage.fingerprint_of(METHOD, self._arrays, self._words)
        self._card = EncoderCard(NAME, SUMMARY, vectors.shape[1], fingerprint, trained_on=tuple(trained_on))

    @property
    def card(self) -> EncoderCard:
        """What this encoder is."""
        return self._card

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents that ask: (n, dim)."""
        return self.encode_documents(documents)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents that answer: (n, dim); the sum has the mean's direction, so it is not divided."""
        return unit_length(np.asarray(count_words(documents, self._columns) @ self._vectors))

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        storage.write(folder, method=METHOD, card=self.card, arrays=self._arrays, words=self._words, facts=self._facts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        stored = storage.read(folder, method=METHOD, arrays={"vectors": 2, "counts": 1})
        vectors, counts = stored.arrays["vectors"], stored.arrays["counts"]
        if not len(stored.words) == len(vectors) == len(counts):
            raise StorageError(
                f"Expected one vector and one count a word in {folder}, found {len(stored.words)} words, "
                f"{len(vectors)} vectors and {len(counts)} counts. Build the folder anew."
            )
        return cls(stored.words, vectors, counts, trained_on=stored.card.trained_on, facts=stored.facts)
