"""A recipe that trains a matcher on pairs of our own in a moment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.core.config import from_mapping, with_settings
from engine.research.matchers.networks import Kind
from engine.research.matchers.trainer import MatcherRecipe
from tests.training.long import write_long_corpora
from tests.training.small import word_vectors

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
