"""What a taught transformer is called and how much it reads; costs no torch to import."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import get_args

from engine.encoders.base import EncoderCard
from engine.rows import Precision

NAME = "student"
METHOD = "student/1"
SUMMARY = (
    "A transformer of two layers that was taught to place texts where all-MiniLM-L6-v2 places them, several times as "
    "fast. Choose it for questions of a sentence, and for fields that CTPE was not trained on."
)


@dataclass(frozen=True, slots=True)
class StudentSettings:
    """How many tokens of a document are read, and how an index keeps its rows: `stored` is a Precision."""

    max_tokens: int = 128
    stored: str = "int8"

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens must be at least 1, got {self.max_tokens}")
        if self.stored not in get_args(Precision):
            raise ValueError(f"stored must be one of {', '.join(get_args(Precision))}, got {self.stored!r}")


def shipped_card(stored: EncoderCard) -> EncoderCard:
    """The card of an encoder on disk, in today's words."""
    return replace(stored, name=NAME, summary=SUMMARY)
