"""C-DSSM encoders small enough for a test: drawn networks over the letters or the vectors of the contract's words."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import torch

from engine.documents import text
from engine.documents.text import most_frequent, trigrams
from engine.encoders.cdssm.encoder import CdssmEncoder
from engine.encoders.cdssm.network import CdssmNetwork, Lexicon, NumberedTexts, begin_network
from engine.encoders.cdssm.settings import VECTORS, CdssmSettings
from tests.contracts.encoder import corpus
from tests.encoders.test_word_vectors import by_subject

SETTINGS = CdssmSettings(channels=64, dim=24)


def letters() -> tuple[str, ...]:
    """Every trigram of the contract's corpus."""
    words = [token for document in corpus() for token in text.tokens(document.text)]
    return most_frequent(Counter(one for word in words for one in trigrams(word)), 1_000)


def entries(settings: CdssmSettings) -> tuple[str, ...]:
    """What a network with these settings knows."""
    return tuple(by_subject().words) if settings.words == VECTORS else letters()


def network(settings: CdssmSettings = SETTINGS, *, seed: int = 0) -> CdssmNetwork:
    """A network as training begins with it, but for a bias."""
    vectors = by_subject().vectors.astype(np.float32) if settings.words == VECTORS else None
    made = begin_network(settings, len(entries(settings)), vectors=vectors, seed=seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for tower in made.towers:
            tower.bias.normal_(std=0.1, generator=generator)
    made.centre(read([document.text for document in corpus()], settings))
    return made


def read(texts: list[str], settings: CdssmSettings = SETTINGS) -> NumberedTexts:
    """Texts as the network reads them."""
    return Lexicon(settings.words, entries(settings)).read(text.tokens(one) for one in texts)


def encoder(settings: CdssmSettings = SETTINGS, **more: object) -> CdssmEncoder:
    """An untrained encoder; `more` are other settings."""
    changed = replace(settings, **more)  # type: ignore[arg-type]
    return CdssmEncoder.of(network(changed), entries(changed), changed)
