"""Scores two documents as wholes, from what is left of them under some exclusions."""

from __future__ import annotations

from dataclasses import dataclass

from engine.compare.base import DIGITS, Mixed
from engine.compare.mix import Mix
from engine.compare.shared_words import Said
from engine.compare.side import Kept, LongEncoder, Side
from engine.encoders.colde.levels import Levels


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """The vectors of what is kept of a document, and how often that says each word."""

    levels: Levels
    said: Said

    @classmethod
    def of(cls, side: Side, kept: Kept) -> Whole:
        """What is kept of a side."""
        return cls(side.encoder.levels(side.long, keep=kept.chunks), side.said(kept))


@dataclass(frozen=True, slots=True)
class DocumentScore:
    """How near two documents are; `mixed` says of what it is made where the encoder's card has a mix."""

    score: float
    mixed: Mixed | None = None


def document_score(encoder: LongEncoder, a: Whole, b: Whole) -> DocumentScore:
    """The encoder's similarity, mixed with the words that both share where its card says how; 1 for one document twice.

    Without a word on either side the similarity stands alone. Raises ConfigError where the card's mix is none.
    """
    similarity = encoder.similarity(a.levels, b.levels)
    mix = Mix.from_facts(encoder.facts)
    words = mix.words(a.said, b.said) if mix is not None else None
    if mix is None or words is None:
        return DocumentScore(round(similarity, DIGITS))
    mixed = mix.mixed(similarity, words, encoder=encoder.card.name)
    return DocumentScore(mixed.score, mixed)
