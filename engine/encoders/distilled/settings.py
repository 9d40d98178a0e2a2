"""What an encoder of distilled word vectors is called and how much it reads; costs no scipy to import."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import get_args

from engine.encoders.base import EncoderCard
from engine.rows import Precision

NAME = "distilled"
METHOD = "distilled/1"
SUMMARY = (
    "Weighted word vectors that were taught to place texts where a sentence transformer places them, and are a "
    "hundred times as fast. Choose it for short questions, and for fields that the other encoders were not trained on."
)


@dataclass(frozen=True, slots=True)
class DistilledSettings:
    """How much of a document is read, and how an index keeps its rows: `stored` is a Precision."""

    max_tokens: int = 400
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
