"""Shipped word vectors, and the encoders that average them: plainly, or with frequent words weighted down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import StorageError
from engine.core.files import fingerprint
from engine.core.rows import DenseRows, unit_length
from engine.documents import Document
from engine.encoders import storage
from engine.encoders.base import CardedEncoder, EncoderCard
from engine.encoders.tfidf import count_tokens, count_words

_A = 1e-3  # Arora et al.'s usual value; 1e-4 to 1e-2 were tried with word2vec-sif, on valid queries only
METHOD = "word-vectors/1"
_SUMMARY = "Word vectors; the encoders that average them have cards of their own."


def frequency_weights(frequencies: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a / (a + p), (V,), smooth inverse frequency (Arora et al., ICLR 2017, equation 3), from shares p (V,)."""
    return np.asarray(_A / (_A + frequencies), np.float64)


def log_frequency_weights(frequencies: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the logarithms of `frequency_weights`, (V,), which training moves so that weights stay positive."""
    return np.asarray(-np.log1p(frequencies / _A), np.float32)


def mean_occurrence(
    rows: NDArray[np.float32], logs: NDArray[np.float32] | None, frequencies: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return the mean of weight * vector over all occurrences of the V words in the counted text: (dim,).

    `rows` (V, dim) are the vectors, `logs` (V,) the weights' logarithms; None weighs all alike.
    """
    share = frequencies / frequencies.sum()  # (V,)
    counts = share if logs is None else share * np.exp(logs.astype(np.float64))
    return np.asarray(counts @ rows.astype(np.float64), np.float32)


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
        """Return this encoder's card, from the card of its word vectors."""
        return replace(
            vectors, name=cls.name, summary=cls.summary, fingerprint=fingerprint(cls.method, vectors.fingerprint)
        )

    @staticmethod
    def word_rows(vectors: WordVectors) -> DenseRows:
        """Return what each occurrence of a word adds to its document: (V, dim)."""
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


class Word2vecSifEncoder(Word2vecMeanEncoder):
    """Smooth inverse frequency: each occurrence counts a / (a + p(w)) (Arora et al., ICLR 2017, equation 3).

    p(w) is the word's share of the training text. Their second step subtracts the corpus's first principal component.
    Ours subtracts from each word the mean of all occurrences in the training text, weighted the same way, so that a
    document's row does not depend on the library.
    """

    name: ClassVar[str] = "word2vec-sif"
    method: ClassVar[str] = "word2vec-sif/1"
    summary: ClassVar[str] = (
        "Word vectors trained on papers and patents, averaged with common words turned down. "
        "Choose it for speed where related words should count as near."
    )

    @staticmethod
    def word_rows(vectors: WordVectors) -> DenseRows:
        """Return the weight times the vector less the mean: (V, dim)."""
        frequencies = vectors.frequencies
        weights = frequency_weights(frequencies)  # (V,)
        rows, shares = vectors.vectors.astype(np.float32), weights * frequencies
        rows -= (shares / shares.sum()).astype(np.float32) @ rows  # the mean (dim,); in place: each search waits
        rows *= weights[:, None].astype(np.float32)
        return rows
