"""What is left of a document to score."""

from __future__ import annotations

from engine.compare.document_score import without
from engine.documents import Chunk, Document, PageStart, Section
from tests.compare.texts import KITES


def test_what_is_gone_is_cut_out_of_every_part() -> None:
    document = Document(
        "US2",
        "patent",
        title="A winch",
        sections=(Section("Field", "One. Two. Three.", pages=(PageStart(0, 1),)), Section("Rest", "Four. Five.")),
        claims=("A winch. It turns.", "A rope."),
    )
    chunks = [
        part.chunk("US2", number, start, start + len(text))
        for number, part in enumerate(document.parts)
        for text in ("One.", "Three.", "Four. ", "It turns.")
        if (start := part.text.find(text)) >= 0
    ]
    left = without(document, reversed(chunks))
    assert [part.text for part in left.parts] == ["A winch", " Two. ", "Five.", "A winch. ", "A rope."]
    assert [part.role for part in left.parts] == [part.role for part in document.parts]
    assert left.id == "US2" and left.sections[0].pages == ()
    assert without(document, []) is document


def test_a_part_that_is_gone_whole_leaves_the_others_in_their_places() -> None:
    title = Chunk("kites", 0, "Title", 0, len(KITES.title), KITES.title)
    left = without(KITES, [title])
    assert left.title == "" and left.abstract == KITES.abstract
    assert [section.title for section in left.sections] == [section.title for section in KITES.sections]
