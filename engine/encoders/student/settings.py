"""A taught transformer's name and how much it reads; imports without torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from engine.rows import Precision

NAME, LARGE = "student", "student-large"
METHOD = "student/1"
SUMMARY = (
    "A transformer of three layers that was taught to place texts where all-MiniLM-L6-v2 places them, several times as "
    "fast. Choose it for questions of a sentence, and for fields that CTPE was not trained on."
)
LARGE_SUMMARY = (
    "All six layers of all-MiniLM-L6-v2, which also learnt what papers, patents and passages that cite belong with; as "
    "slow as that model. Choose it for questions in fields that CTPE was not trained on, where you can wait."
)
_SUMMARIES = {NAME: SUMMARY, LARGE: LARGE_SUMMARY}
_MOST_SMALL_LAYERS = 3


@dataclass(frozen=True, slots=True)
class StudentSettings:
    """How many tokens of a document are read; of a question `query_tokens`, where that is more than 0.

    `stored` is the Precision in which an index keeps its rows.
    """

    max_tokens: int = 128
    stored: str = "int8"
    query_tokens: int = 0

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens must be at least 1, got {self.max_tokens}")
        if self.stored not in get_args(Precision):
            raise ValueError(f"stored must be one of {', '.join(get_args(Precision))}, got {self.stored!r}")
        if self.query_tokens < 0:
            raise ValueError(f"query_tokens must not be negative, got {self.query_tokens}")


def name_of(config: Mapping[str, Any]) -> str:
    """The name of a taught transformer of this configuration, by its number of layers."""
    return LARGE if int(config.get("num_hidden_layers", 0)) > _MOST_SMALL_LAYERS else NAME


def summary_of(name: str) -> str:
    """The summary of the encoder of this name."""
    return _SUMMARIES.get(name, SUMMARY)
