"""A C-DSSM recipe for the small corpus, with which every test of its training begins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.core.config import from_mapping, with_settings
from engine.training.cdssm.recipe import CdssmRecipe


def recipe(data: Path, *settings: str) -> CdssmRecipe:
    """Eight channels over letters, batches of three pairs of "ours", two epochs of five steps."""
    values: dict[str, Any] = {
        "method": "cdssm",
        "device": "cpu",
        "data": {"subjects": ["ours"], "files": [{"corpus": "ours"}], "steps": 5},
        "network": {"channels": 8, "dim": 6, "max_tokens": 20, "trigrams": 100},
        "vectors": {"source": str(data / "words")},
        "optimizer": {"learning_rate": 0.01, "batch": 3},
        "schedule": {"epochs": 2},
    }
    return from_mapping(with_settings(values, settings), CdssmRecipe, origin="test")
