"""A recipe of passages on small data, and what it begins as."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.core.config import from_mapping, with_settings
from engine.encoders.student import StudentSettings
from engine.training.student.recipe import PassagesRecipe
from tests.encoders.student.tiny import tiny
from tests.training.long import write_long_corpora

SETTINGS = StudentSettings(max_tokens=24, reads="passages")


def write_passage_data(folder: Path) -> Path:
    """The corpora of `write_long_corpora`, and a transformer in "tiny"."""
    tiny().save(folder / "tiny")
    return write_long_corpora(folder)


def recipe(data: Path, *settings: str) -> PassagesRecipe:
    """A recipe for the small corpora: passages of some five words, two epochs."""
    values: dict[str, Any] = {
        "method": "passages",
        "device": "cpu",
        "source": str(data / "tiny"),
        "data": {
            "files": [{"corpus": "ours", "pairs": "pairs.tsv"}, {"corpus": "more", "pairs": "pairs.tsv"}],
            "words": 5,
            "each": 3,
        },
        "reading": {"max_tokens": 24, "reads": "passages"},
        "objective": {"steps": 5, "quotes": {"spans": 8, "fewest": 2, "most": 6}},
        "optimizer": {"learning_rate": 0.003, "batch": 3},
        "schedule": {"epochs": 2},
    }
    return from_mapping(with_settings(values, settings), PassagesRecipe, origin="ours.toml")
