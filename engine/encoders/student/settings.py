"""A taught transformer's name and how much it reads; imports without torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from engine.core.rows import Precision

NAME, LARGE, OF_PASSAGES = "student", "student-large", "student-passages"
DOCUMENTS, PASSAGES = "documents", "passages"
METHOD = "student/1"
SUMMARY = (
    "A transformer of three layers that was taught to place texts where all-MiniLM-L6-v2 places them, several times as "
    "fast. Choose it for questions of a sentence, and for fields that CTPE was not trained on."
)
LARGE_SUMMARY = (
    "All six layers of all-MiniLM-L6-v2, which also learnt what papers, patents and passages that cite belong with; as "
    "slow as that model. Choose it for questions in fields that CTPE was not trained on, where you can wait."
)
PASSAGES_SUMMARY = (
    "The small transformer, taught passages: it finds the one that a quote is from, and passages of related papers. It "
    "reads the passages of whole papers and patents, and is not for documents."
)
_SUMMARIES = {NAME: SUMMARY, LARGE: LARGE_SUMMARY, OF_PASSAGES: PASSAGES_SUMMARY}
_MOST_SMALL_LAYERS = 3


@dataclass(frozen=True, slots=True)
class StudentSettings:
    """How many tokens of a document are read; of a question `query_tokens`, where that is more than 0.

    `stored` is the Precision in which an index keeps its rows. `reads` says what the encoder is for, "documents" or
    their "passages".
    """

    max_tokens: int = 128
    stored: str = "int8"
    query_tokens: int = 0
    reads: str = DOCUMENTS

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens must be at least 1, got {self.max_tokens}")
        if self.stored not in get_args(Precision):
            raise ValueError(f"stored must be one of {', '.join(get_args(Precision))}, got {self.stored!r}")
        if self.query_tokens < 0:
            raise ValueError(f"query_tokens must not be negative, got {self.query_tokens}")
        if self.reads not in (DOCUMENTS, PASSAGES):
            raise ValueError(f"reads must be {DOCUMENTS} or {PASSAGES}, got {self.reads!r}")


def name_of(config: Mapping[str, Any], reads: str = DOCUMENTS) -> str:
    """Return the name of a taught transformer of this configuration, by what it reads and its number of layers."""
    if reads == PASSAGES:
        return OF_PASSAGES
    return LARGE if int(config.get("num_hidden_layers", 0)) > _MOST_SMALL_LAYERS else NAME


def summary_of(name: str) -> str:
    """Return the summary of the encoder of this name."""
    return _SUMMARIES.get(name, SUMMARY)
