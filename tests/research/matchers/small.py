"""Small matchers of each kind, what they read, and a recipe that trains one on pairs of our own in a moment."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

from engine.core.config import from_mapping, with_settings
from engine.documents import text
from engine.research.matchers.encoder import Lexicon, MatcherEncoder, build, frequent_trigrams
from engine.research.matchers.networks import Kind, MatcherNetwork, MatcherSettings, Read, reads_words
from engine.research.matchers.trainer import MatcherRecipe
from tests.contracts.encoder import SUBJECTS, corpus
from tests.training.long import write_long_corpora
from tests.training.small import word_vectors


def a_read(kind: Kind, rows: list[int], *, seed: int) -> Read:
    generator = np.random.default_rng(seed)
    numbers = generator.integers(0, len(lexicon(kind).words), sum(rows)).astype(np.int32)
    weights = None if reads_words(kind) else generator.random(sum(rows)).astype(np.float32)
    return Read(numbers, np.array(rows, np.int64), weights)


def some_reads(kind: Kind) -> list[Read]:
    """Documents of one and of many words; in rows where the kind has them."""
    shapes = [[1], [2, 1], [5, 3, 1], [4] * 9, [5] * 20]
    if kind not in ("han", "smith"):
        shapes = [[sum(rows)] for rows in shapes]
    return [a_read(kind, rows, seed=number) for number, rows in enumerate(shapes)]


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


NETWORK = {
    "max_words": 30,
    "width": 16,
    "dim": 8,
    "row_words": 5,
    "layers": 1,
    "heads": 2,
    "window": 4,
    "trigrams": 200,
}


def write_data(folder: Path) -> Path:
    """The corpora "ours" and "more" with pairs of two subjects each, and word vectors in "words"."""
    write_long_corpora(folder)
    word_vectors().save(folder / "words")
    return folder


def values(kind: Kind, data: Path) -> dict[str, Any]:
    """A recipe as TOML gives it."""
    return {
        "method": "matcher",
        "kind": kind,
        "device": "cpu",
        "data": {"corpora": ["ours", "more"], "words": str(data / "words")},
        "network": NETWORK,
        "optimizer": {"learning_rate": 0.01, "batch": 12},
        "schedule": {"epochs": 6},
    }


def recipe(kind: Kind, data: Path, *settings: str) -> MatcherRecipe:
    """A recipe with other settings over it."""
    return from_mapping(with_settings(values(kind, data), settings), MatcherRecipe, origin="test")
