"""Papers that share paragraphs, and a shelf of them that reads by hashed words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from engine.compare.covering import Shelf
from engine.documents import Document, Section
from engine.search import readings, sentence_words
from engine.search.passages import PassageMatcher
from engine.vectors import PassageView, ReadPassages
from tests.search.hashed_words import HashedWords

SUBJECTS = "kite sail rudder mast anchor glider turbine propeller piston valve boiler condenser".split()


class Reader(HashedWords):
    """Hashed words under the name of the encoder that readings were fitted to."""

    fingerprint = readings.fitted_on("passage")


def said(subject: str, seed: int, count: int = 10) -> str:
    """Sentences of twelve drawn words."""
    words = np.random.default_rng([seed, *subject.encode()]).choice(_words(), size=(count, 11))
    return " ".join(f"{subject.capitalize()} {' '.join(each)}." for each in words)


@cache
def _words() -> list[str]:
    """Words that readings know."""
    known = sorted(sentence_words().vectors.words)
    return [one for one in known if one.isalpha() and len(one) > 4][::7]


def paper(number: int, *, long: bool = True) -> Document:
    subject = SUBJECTS[number % len(SUBJECTS)]
    body = (Section("Method", said(subject, 1000 + number, 30)), Section("Results", said(subject, 2000 + number, 30)))
    return Document(
        f"d{number}",
        title=f"On the {subject} of case {number}",
        abstract=said(subject, number),
        sections=body if long else (),
        year=2030 - number,
    )


PAPERS = tuple(paper(number) for number in range(24))


class Books:
    """Papers as a library, one of them in a collection."""

    def __init__(self, documents: Sequence[Document] = PAPERS, copies: set[str] | None = None) -> None:
        self._held = {one.id: one for one in documents}
        self._copies = copies or set()

    @property
    def collections(self) -> Books:
        return self

    def ids(self, name: str) -> list[str]:
        return ["d3", "d4"]

    def get(self, ids: Sequence[str]) -> list[Document]:
        return [self._held[one] for one in ids]

    def duplicates_of(self, document: Document) -> set[str]:
        return self._copies | ({document.id} & self._held.keys())


def matcher(documents: Sequence[Document] = PAPERS) -> PassageMatcher:
    reader = Reader()
    read = [ReadPassages(one.id, found := reader.cut(one), reader.encode([(one, found)])) for one in documents]
    return PassageMatcher(PassageView.in_memory(read, Reader.dim), reader)


def shelf(books: Books | None = None, *, kept: bool = True) -> Shelf:
    """The papers, their passages kept or not; the nearest documents are then all of them."""
    held = books or Books()
    reader = Reader()

    def nearest(_document: Document, most: int) -> list[str]:
        return [one.id for one in PAPERS][:most]

    return Shelf(held, reader, matcher() if kept else None, nearest, reader.judge())


def draft(*planted: str) -> Document:
    """A document of its own, with these texts among its sections."""
    own = [Section("Introduction", said("harpoon", 1, 20)), Section("Discussion", said("harpoon", 2, 20))]
    found = [Section(f"Planted {number}", text) for number, text in enumerate(planted)]
    return Document("draft", title="On harpoons", abstract=said("harpoon", 3), sections=(own[0], *found, own[1]))
