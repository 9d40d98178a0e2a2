"""Which works two documents both cite (bibliographic coupling, Kessler, American Documentation 14, 1963)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from engine.documents import Document, Reference, works
from engine.documents.text import STOP_WORDS
from engine.search.citations.lists import references_of
from engine.search.citations.matching import agreement, may_cite
from engine.search.citations.titles import words

_COMPARED = 5
"""How many entries with the most words in common are compared with one."""


def shared_references(one: Document, other: Document) -> tuple[Reference, ...]:
    """The entries of one document's reference list whose works the other cites, too, in their order."""
    theirs = _Listed(references_of(other))
    return tuple(reference for reference in references_of(one) if theirs.holds(reference)) if theirs.size else ()


class _Listed:
    """A reference list in which the entry of another list is looked for."""

    def __init__(self, references: Sequence[Reference]) -> None:
        self.size = len(references)
        self._works = [_as_work(reference) for reference in references]
        self._numbers = {number for reference in references for number in _numbers(reference)}
        self._under: defaultdict[str, list[int]] = defaultdict(list)
        for place, work in enumerate(self._works):
            for word in _words(work.title):
                self._under[word].append(place)

    def holds(self, reference: Reference) -> bool:
        """Whether one of the entries is of the same work."""
        if self._numbers.intersection(_numbers(reference)):
            return True
        found = _words(reference.title)
        common = Counter(place for word in found for place in self._under.get(word, ()))
        likely = [place for place, count in common.most_common(_COMPARED) if 2 * count >= len(found)]
        return any(_is_of(reference, self._works[place]) for place in likely)


def _is_of(reference: Reference, work: Document) -> bool:
    likeness = may_cite(reference, work.title, work.year)
    return likeness is not None and agreement(reference, work, likeness) is not None


def _as_work(reference: Reference) -> Document:
    """The work that an entry cites, as far as the entry tells it."""
    return Document("", title=reference.title, year=reference.year, authors=reference.authors)


def _numbers(reference: Reference) -> list[str]:
    return [key for one in reference.identifiers if (key := works.number_key(one))]


def _words(title: str) -> set[str]:
    return {word for word in words(title) if word not in STOP_WORDS}
