"""What an encoder of distilled word vectors is called and how much it reads; costs no scipy to import."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.encoders.base import EncoderCard
from engine.encoders.taught import TaughtSettings

NAME = "distilled"
METHOD = "distilled/1"
SUMMARY = (
    "Weighted word vectors that were taught to place texts where a sentence transformer places them, and are a "
    "hundred times as fast. Choose it for short questions, and for fields that the other encoders were not trained on."
)


@dataclass(frozen=True, slots=True)
class DistilledSettings(TaughtSettings):
    """It reads 400 tokens unless told otherwise."""

    max_tokens: int = 400


def shipped_card(stored: EncoderCard) -> EncoderCard:
    """The card of an encoder on disk, in today's words."""
    return replace(stored, name=NAME, summary=SUMMARY)
