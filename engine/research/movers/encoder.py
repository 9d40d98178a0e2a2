"""Learnt words to move: their mapped vectors and weights, and a text as the weighted mean of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import StorageError
from engine.core.rows import DenseRows, unit_length
from engine.documents import Document, text
from engine.encoders import EncoderCard, storage
from engine.encoders.tfidf import count_words
from engine.research.baselines.word_mover import MovedWords, WordMoverEncoder

METHOD = "swmd/1"
NAME = "swmd"
SUMMARY = "The weighted mean of word vectors that were mapped so that related texts lie near. It stands in tables."


class SupervisedMoverEncoder(WordMoverEncoder):
    """The weighted mean of mapped word vectors, at unit length; function words count nothing.

    It finds the documents that word mover's distance then ranks with the same vectors and weights, where a move costs
    the squared distance (Huang et al., NeurIPS 2016, section 3).
    """

    def __init__(
        self,
        words: Sequence[str],
        vectors: NDArray[np.float16],
        weights: NDArray[np.float32],
        *,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take words (V), their mapped vectors (V, dim) and weights above zero (V,), and facts to keep with them."""
        self.facts = dict(facts or {})
        self._words = list(words)
        self._arrays: dict[str, NDArray[Any]] = {"vectors": vectors, "weights": weights}
        self._columns = {word: column for column, word in enumerate(words)}
        counts = np.array([word not in text.STOP_WORDS for word in words])
        self._rows = vectors.astype(np.float32) * (weights * counts)[:, None]
        fingerprint = storage.fingerprint_of(METHOD, self._arrays, self._words)
        self._card = EncoderCard(NAME, SUMMARY, vectors.shape[1], fingerprint, trained_on=trained_on)

    @property
    def card(self) -> EncoderCard:
        """What this encoder is."""
        return self._card

    @property
    def moved_words(self) -> MovedWords:
        """The words with their mapped vectors and weights."""
        vectors, weights = self._arrays["vectors"].astype(np.float32), self._arrays["weights"].astype(np.float64)
        return MovedWords(self._words, vectors, weights, power=2)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents of the corpus: (n, dim)."""
        return unit_length(np.asarray(count_words(documents, self._columns) @ self._rows))

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        storage.write(folder, method=METHOD, card=self.card, arrays=self._arrays, words=self._words, facts=self.facts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError if the folder is damaged or foreign."""
        stored = storage.read(folder, method=METHOD, arrays={"vectors": 2, "weights": 1})
        vectors, weights = stored.arrays["vectors"], stored.arrays["weights"]
        if not len(stored.words) == len(vectors) == len(weights):
            raise StorageError(
                f"Expected a vector and a weight a word in {folder}, found {len(stored.words)} words, {len(vectors)} "
                f"vectors and {len(weights)} weights. Build the folder again."
            )
        return cls(stored.words, vectors, weights, trained_on=stored.card.trained_on, facts=stored.facts)
