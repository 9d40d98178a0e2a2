"""Shows one work once: preprint and published version, and the members of a patent family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.documents import Document
from engine.text import normalised_title

_TITLE_WORDS = 4
_YEARS_APART = 3
_ABSTRACT_CHARACTERS = 150


@dataclass(slots=True)
class Fold:
    """The best-ranked version of a work, and the ids of the versions below it."""

    document: Document
    others: list[str] = field(default_factory=list)


def same_work(one: Document, other: Document) -> bool:
    """Whether two documents are versions of one work.

    They are of one family; or their abstracts are the same; or both are papers whose titles are equal, have at
    least four words, and whose years lie at most three apart. A patent's title says too little: "Car coupling"
    was granted many times over.
    """
    if one.family and one.family == other.family:
        return True
    if _same_abstract(one.abstract, other.abstract):
        return True
    if one.kind == "patent" or other.kind == "patent":
        return False
    title = normalised_title(one.title)
    if title != normalised_title(other.title) or title.count(" ") < _TITLE_WORDS - 1:
        return False
    return one.year is None or other.year is None or abs(one.year - other.year) <= _YEARS_APART


def _same_abstract(one: str, other: str) -> bool:
    """Whether two abstracts have the same words; lengths are compared first, because that is quick."""
    shorter, longer = sorted((len(one), len(other)))
    return shorter >= _ABSTRACT_CHARACTERS and longer <= 1.1 * shorter and one.split() == other.split()


def fold(documents: Sequence[Document]) -> list[Fold]:
    """Fold ranked documents; the order of the best versions stays."""
    folds: list[Fold] = []
    for document in documents:
        held = next((known for known in folds if same_work(known.document, document)), None)
        if held is None:
            folds.append(Fold(document))
        else:
            held.others.append(document.id)
    return folds
