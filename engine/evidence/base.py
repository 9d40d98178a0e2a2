"""What evidence is made of: terms, a pair of passages, and both together."""

from __future__ import annotations

from dataclasses import dataclass

from engine.documents import Chunk
from engine.encoders.base import Coupling


@dataclass(frozen=True, slots=True)
class Term:
    """A word or two-word phrase that both texts use, as the query writes it, in lower case.

    `weight` is relative to the strongest term of the pair, which has 1.
    """

    term: str
    weight: float


@dataclass(frozen=True, slots=True)
class PassagePair:
    """The sentence of the query and the sentence of the document that match best; score in [0, 1]."""

    query: Chunk
    document: Chunk
    score: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a document is near a query; terms by weight, strongest first.

    `couplings` say which part of the query met which part of the document, the nearest first; none where the
    encoder compares documents as wholes.
    """

    terms: tuple[Term, ...] = ()
    passage: PassagePair | None = None
    couplings: tuple[Coupling, ...] = ()


def owned(part: str, owner: str) -> str:
    """A part of a document by its owner's name: "your title", "the rest of their text"."""
    if " of the " in part:
        return f"the {part.replace(' of the ', f' of {owner} ', 1)}"
    return f"the {part} of {owner} text" if part == "rest" or part.endswith("%") else f"{owner} {part}"
