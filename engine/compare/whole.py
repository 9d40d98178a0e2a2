"""Scores two documents as wholes, from what is left of them under some exclusions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress

from engine.compare.base import DIGITS, Mixed
from engine.compare.calibration import kinds_of
from engine.compare.mix import WORDS, Mix
from engine.compare.second import without
from engine.compare.shared_words import Said
from engine.compare.side import Kept, LongEncoder, Side
from engine.documents import Kind
from engine.encoders.colde.levels import Levels
from engine.rows import DenseRows


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """The vectors of what is kept of a document, and how often that says each word.

    `second` (dim,) is the vector of the mix's second encoder; None where that has no part in this document's scores, or
    finds nothing to read.
    """

    levels: Levels
    said: Said
    kind: Kind = "paper"
    second: DenseRows | None = None

    @classmethod
    def of(cls, side: Side, kept: Kept) -> Whole:
        """What is kept of a side.

        Raises ConfigError where the card's mix is none, or FingerprintError where its second encoder is another one.
        """
        mix = Mix.from_facts(side.encoder.facts)
        kind = side.document.kind
        second = None if mix is None else mix.second_for(kind)
        row = None
        if second is not None:
            row = second.row(without(side.document, compress(side.sentences.chunks, ~kept.sentences)))
        return cls(side.encoder.levels(side.long, keep=kept.chunks), side.said(kept), kind, row)


@dataclass(frozen=True, slots=True)
class DocumentScore:
    """How near two documents are; `mixed` says of what it is made where the encoder's card has a mix."""

    score: float
    mixed: Mixed | None = None


def document_score(encoder: LongEncoder, a: Whole, b: Whole) -> DocumentScore:
    """The encoder's similarity, mixed as its card says: with the words that both share, and a second encoder's.

    A document and itself have 1. What says nothing of these documents has no part; without any other the similarity
    stands alone. Raises ConfigError where the card's mix is none.
    """
    mix = Mix.from_facts(encoder.facts)
    if mix is None:
        return DocumentScore(round(encoder.similarity(a.levels, b.levels), DIGITS))
    values = parts_of(encoder, mix, a, b)
    mixed = mix.mixed(kinds_of(a.kind, b.kind), values)
    if mixed is None:
        return DocumentScore(round(values[encoder.card.name], DIGITS))
    return DocumentScore(mixed.score, mixed)


def parts_of(encoder: LongEncoder, mix: Mix, a: Whole, b: Whole) -> dict[str, float]:
    """What the score of two documents is mixed of, by name, the encoder's similarity first.

    What says nothing of them is not there: words where either has none, and the second encoder where it read nothing.
    """
    found = {encoder.card.name: encoder.similarity(a.levels, b.levels)}
    if (words := mix.words(a.said, b.said)) is not None:
        found[WORDS] = words
    if mix.second is not None and a.second is not None and b.second is not None:
        found[mix.second.name] = float(a.second @ b.second)
    return found
