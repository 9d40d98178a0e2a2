"""A CTPE encoder small enough for a test: a drawn network over vectors that know the contract's subjects."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from engine.encoders.ctpe.embeddings import EmbeddingModel, WordEmbeddings
from engine.encoders.ctpe.encoder import CtpeEncoder
from engine.encoders.ctpe.network import PairNetwork
from engine.encoders.ctpe.settings import CtpeSettings
from engine.encoders.word_vectors import WordVectors
from tests.encoders.test_word_vectors import by_subject

SEED = 0


def words() -> WordEmbeddings:
    """Vectors where the words of one subject of the contract's corpus point the same way."""
    return WordEmbeddings.of(by_subject())


def weighted_words() -> WordEmbeddings:
    """The same vectors, the first word a hundred times as frequent as the last, with weights accordingly."""
    vectors = by_subject()
    counts = np.linspace(100, 1, len(vectors.words)).astype(np.int64)
    return WordEmbeddings.of(WordVectors(vectors.words, vectors.vectors, counts, 20_000), weighted=True)


def averaging(settings: CtpeSettings | None = None, **more: Any) -> CtpeEncoder:  # noqa: ANN401
    """An untrained encoder with the mean of weighted words beside the max, its shift where training starts it."""
    embedding = weighted_words()
    with torch.random.fork_rng():
        torch.manual_seed(SEED)
        network = PairNetwork(embedding.dim, 16, mean_dim=10)
    with torch.no_grad():
        network.shift.copy_(torch.from_numpy(embedding.mean_occurrence()))
    return CtpeEncoder.of(embedding, network, settings, **more)


def network(dim: int, *, channels: int = 16, seed: int = SEED) -> PairNetwork:
    """A network as it is before training."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return PairNetwork(dim, channels)


def encoder(embedding: EmbeddingModel | None = None, settings: CtpeSettings | None = None, **more: Any) -> CtpeEncoder:  # noqa: ANN401
    """An untrained encoder; `more` goes to CtpeEncoder."""
    given = embedding or words()
    return CtpeEncoder.of(given, network(given.dim), settings, **more)


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    """The cosine of two vectors, by its definition."""
    return float(one @ other / np.sqrt((one @ one) * (other @ other)))
