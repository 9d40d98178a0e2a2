"""A KeyVec encoder small enough for a test: a drawn network over vectors that know the contract's subjects."""

from __future__ import annotations

from typing import Any

import torch

from engine.documents import Document, Section
from engine.encoders.ctpe.embeddings import WordEmbeddings
from engine.encoders.keyvec.encoder import KeyvecEncoder
from engine.encoders.keyvec.network import KeyvecNetwork
from engine.encoders.keyvec.settings import KeyvecSettings
from tests.contracts.encoder import SUBJECTS
from tests.encoders.test_word_vectors import by_subject

KEYWORDS = tuple(word for subject in SUBJECTS.values() for word in subject.split()[:5])


def settings(**changed: Any) -> KeyvecSettings:  # noqa: ANN401
    """Few channels and short vectors; `changed` goes to KeyvecSettings."""
    return KeyvecSettings(**{"channels": 8, "hidden": 12, "dim": 16, **changed})


def words() -> WordEmbeddings:
    """Vectors where the words of one subject of the contract's corpus point the same way."""
    return WordEmbeddings.of(by_subject())


def network(chosen: KeyvecSettings | None = None, *, keywords: int = len(KEYWORDS), seed: int = 0) -> KeyvecNetwork:
    """A network as it is before training."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return KeyvecNetwork(words().dim, chosen or settings(), keywords=keywords)


def tiny_keyvec(**changed: Any) -> KeyvecEncoder:  # noqa: ANN401
    """An untrained encoder in memory; `changed` goes to KeyvecSettings."""
    return KeyvecEncoder.of(words(), network(settings(**changed)), KEYWORDS)


def paper(name: str = "paper", *, sentences: int = 8) -> Document:
    """A document with a title, an abstract, two sections and a reference list, about steam."""
    known = SUBJECTS["steam"].split()
    said = [f"The {known[n % 10]} is near the {known[(3 * n + 1) % 10]}." for n in range(sentences)]
    half = sentences // 2
    return Document(
        name,
        title="On the boiler of an engine",
        abstract="We show that steam is under pressure. The valve of the piston is ours.",
        sections=(
            Section("Method", " ".join(said[:half])),
            Section("Results", " ".join(said[half:])),
            Section("References", "A governor of steam. Crank and condenser.", "references"),
        ),
    )
