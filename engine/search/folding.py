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
    if len(one.abstract) >= _ABSTRACT_CHARACTERS and one.abstract.split() == other.abstract.split():
        return True
    if one.kind == "patent" or other.kind == "patent":
        return False
    title = normalised_title(one.title)
    if title != normalised_title(other.title) or title.count(" ") < _TITLE_WORDS - 1:
        return False
    return one.year is None or other.year is None or abs(one.year - other.year) <= _YEARS_APART


def fold(documents: Sequence[Document]) -> list[Fold]:
    """Fold ranked documents; the order of the best versions stays."""
    folds: list[Fold] = []
    by_family: dict[str, Fold] = {}
    by_title: dict[str, list[Fold]] = {}
    for document in documents:
        title = normalised_title(document.title)
        near = [by_family[document.family]] if document.family in by_family else by_title.get(title, [])
        held = next((known for known in near if same_work(known.document, document)), None)
        if held is not None:
            held.others.append(document.id)
            continue
        made = Fold(document)
        folds.append(made)
        by_title.setdefault(title, []).append(made)
        if document.family:
            by_family[document.family] = made
    return folds
