"""Copies of queries, which no corpus keeps."""

from __future__ import annotations

import pytest

from engine.documents import Document
from engine.research.sets.copies import Copies, first_of_copies

TEXT = "the boiler of a steam ship bursts where its plates are thin and its valve is held down by rust or by a weight"
QUERY = Document("q", title="Why do boilers burst?", abstract=TEXT)
OTHER = Document(
    "other", title="On sails", abstract="a sail of hemp holds the wind of a winter better than one of cotton"
)


@pytest.mark.parametrize(
    "copy",
    [
        Document("d", title="WHY DO BOILERS BURST", abstract="another text altogether", year=1890),
        Document("d", title="Bursting boilers", abstract=TEXT),
        Document("d", title="Bursting boilers", abstract=TEXT.replace("rust", "dirt")),
        Document("d", title="", abstract=" ".join(TEXT.split()[:12])),
    ],
    ids=["its title", "its text", "nearly its text", "the beginning of its text"],
)
def test_a_copy_is_found_by_title_or_by_text(copy: Document) -> None:
    copies = Copies([QUERY, OTHER])
    assert copies.of(copy) == {"q"}
    assert list(copies.without([copy, Document("e", title="Rope", abstract="how rope is laid")])) == [
        Document("e", title="Rope", abstract="how rope is laid")
    ]


def test_a_text_on_the_same_subject_is_no_copy() -> None:
    mixed = " ".join(sorted(TEXT.split()))
    assert Copies([QUERY]).of(Document("d", title="Boilers", abstract=mixed)) == set()
    assert Copies([QUERY]).of(Document("d", title="Boilers", abstract=f"{' '.join(TEXT.split()[:8])} {mixed}")) == set()


def test_documents_without_title_or_text_copy_nothing() -> None:
    nothing = Document("n")
    assert Copies([QUERY, nothing]).of(Document("m")) == set()
    assert Copies([nothing]).of(QUERY) == set()


def test_of_documents_that_copy_each_other_the_first_stays() -> None:
    again = Document("again", title=QUERY.title, abstract="a reply")
    assert first_of_copies([OTHER, QUERY, again]) == [OTHER, QUERY]
    assert first_of_copies([again, OTHER, QUERY]) == [again, OTHER]
