"""Untrained matchers of our own that know the words of the contract's corpus."""

from __future__ import annotations

from functools import cache

import numpy as np
import torch

from engine.documents import text
from engine.research.matchers.encoder import Lexicon, MatcherEncoder, build, frequent_trigrams
from engine.research.matchers.networks import Kind, MatcherNetwork, MatcherSettings, reads_words
from tests.contracts.encoder import SUBJECTS, corpus

DIM = 6
SETTINGS = MatcherSettings(max_words=60, width=32, dim=24, row_words=5, layers=2, heads=2, window=4, trigrams=150)


@cache
def lexicon(kind: Kind) -> Lexicon:
    """Word vectors of which those of one subject lie near each other, or the corpus's trigrams."""
    if not reads_words(kind):
        return Lexicon(frequent_trigrams(corpus(), SETTINGS))
    words = sorted({token for document in corpus() for token in text.tokens(document.text)})
    vectors = np.random.default_rng(5).normal(scale=0.3, size=(len(words), DIM))
    for row, word in zip(vectors, words, strict=True):
        for number, known in enumerate(SUBJECTS.values()):
            row[number] += word in known.split()
    return Lexicon(tuple(words), vectors.astype(np.float16))


def network(kind: Kind, settings: MatcherSettings = SETTINGS) -> MatcherNetwork:
    """Weights that are the same every time, and none that begin at nothing."""
    made = build(kind, settings, lexicon(kind), seed=2)
    for parameter in made.parameters():
        if not parameter.any():
            torch.nn.init.constant_(parameter, 0.1)
    return made


@cache
def encoder(kind: Kind, settings: MatcherSettings = SETTINGS) -> MatcherEncoder:
    """An encoder that nothing has trained."""
    facts = {"pairs": 0}
    return MatcherEncoder(
        kind, settings, lexicon(kind), network=network(kind, settings), trained_on=("ours",), facts=facts
    )
