"""What a taught transformer is called and how much it reads; costs no torch to import."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.encoders.base import EncoderCard
from engine.encoders.taught import TaughtSettings

NAME = "student"
METHOD = "student/1"
SUMMARY = (
    "A transformer of three layers that was taught to place texts where all-MiniLM-L6-v2 places them, several times as "
    "fast. Choose it for questions of a sentence, and for fields that CTPE was not trained on."
)


@dataclass(frozen=True, slots=True)
class StudentSettings(TaughtSettings):
    """It reads 128 tokens unless told otherwise; of a question `query_tokens`, where that is more than 0."""

    max_tokens: int = 128
    query_tokens: int = 0

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        TaughtSettings.__post_init__(self)
        if self.query_tokens < 0:
            raise ValueError(f"query_tokens must not be negative, got {self.query_tokens}")


def shipped_card(stored: EncoderCard) -> EncoderCard:
    """The card of an encoder on disk, in today's words."""
    return replace(stored, name=NAME, summary=SUMMARY)
