"""Shipped word vectors: words, vectors, counts, and what they were trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import StorageError
from engine.encoders import storage
from engine.encoders.base import EncoderCard

METHOD = "word-vectors/1"
_SUMMARY = "Word vectors; the encoders that average them have cards of their own."


@dataclass(frozen=True)
class WordVectors:
    """The most frequent word first: words (V), vectors (V, dim) in half precision, counts (V,) in the training text.

    `tokens` is the length of the training text, including words without a vector.
    """

    words: Sequence[str]
    vectors: NDArray[np.float16]
    counts: NDArray[np.int64]
    tokens: int
    trained_on: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def card(self) -> EncoderCard:
        """The basis of the encoders' cards; its fingerprint covers words, vectors and counts."""
        fingerprint = storage.fingerprint_of(METHOD, self._arrays, self.words)
        name = str(dict(self.facts.get("recipe", {})).get("method", "word2vec"))
        return EncoderCard(name, _SUMMARY, self.vectors.shape[1], fingerprint, trained_on=self.trained_on)

    @property
    def frequencies(self) -> NDArray[np.float64]:
        """Each word's share of the training text: (V,)."""
        return self.counts / self.tokens

    def save(self, folder: Path) -> None:
        """Write card.json, weights.safetensors and vocabulary.txt into `folder`, atomically."""
        storage.write(folder, method=METHOD, card=self.card, arrays=self._arrays, words=self.words, facts=self.facts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        stored = storage.read(folder, method=METHOD, arrays={"vectors": 2, "counts": 1, "tokens": 1})
        vectors, counts = stored.arrays["vectors"], stored.arrays["counts"]
        if not len(stored.words) == len(vectors) == len(counts):
            raise StorageError(
                f"Expected one vector and one count a word in {folder}, found {len(stored.words)} words, "
                f"{len(vectors)} vectors and {len(counts)} counts. Build the folder again."
            )
        tokens = int(stored.arrays["tokens"][0])
        return cls(stored.words, vectors, counts, tokens, stored.card.trained_on, stored.facts)

    @property
    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {"vectors": self.vectors, "counts": self.counts, "tokens": np.array([self.tokens], dtype=np.int64)}
