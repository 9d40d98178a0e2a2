"""A recipe of a small transformer on small data, and settings of related texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.core.config import from_mapping, with_settings
from engine.training.student.recipe import RelatedTextSettings, StudentRecipe


def recipe(data: Path, teacher: Path, *settings: str) -> StudentRecipe:
    values: dict[str, Any] = {
        "method": "student",
        "device": "cpu",
        "layers": [1],
        "data": {"shorts": ["ours"], "wholes": ["ours"]},
        "teacher": {"source": str(teacher), "max_tokens": 64},
        "reading": {"max_tokens": 64},
        "objective": {"steps": 5, "wholes_share": 0.5},
        "optimizer": {"learning_rate": 0.003, "batch": 16},
        "schedule": {"epochs": 2},
    }
    return from_mapping(with_settings(values, settings), StudentRecipe, origin="ours.toml")


RELATED = (
    "related={weight = 2.0, batch = 3, temperature = 0.1, subjects = ['ours'], files = [{corpus = 'ours'}], "
    "titles = ['ours']}"
)


def settings(*given: str) -> RelatedTextSettings:
    return from_mapping(with_settings({}, given), RelatedTextSettings, origin="ours.toml")
