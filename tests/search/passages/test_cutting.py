"""Passages are whole sentences of one section, about 130 words, with their place in the text."""

from __future__ import annotations

import pytest

from engine.documents import Document, PageStart, Section
from engine.documents.text import Span
from engine.documents.text import sentences as sentence_spans
from engine.search import boilerplate
from engine.search.passages import WORDS, cut_passages, cutting_fingerprint, passage_text
from tests.search.passages.made import paper, sentences


def test_a_passage_is_a_stretch_of_its_section_and_ends_with_a_sentence() -> None:
    document = paper("a", body=120)
    found = cut_passages(document)
    for one in found:
        part = document.parts[one.part]
        assert part.text[one.start : one.stop] == one.text and part.title == one.section
        spans = sentence_spans(part.text)
        assert Span(one.start, one.stop).start in {span.start for span in spans}
        assert one.stop in {span.stop for span in spans}
    assert {one.section for one in found} == {"Abstract", "Method", "Results"}
    assert all(len(one.text.split()) <= 1.5 * WORDS for one in found)


def test_passages_hold_every_sentence_once() -> None:
    document = paper("a", body=150)
    said = " ".join(one.text for one in cut_passages(document))
    assert said == " ".join(part.text for part in document.parts if part.role != "title")


@pytest.mark.parametrize(
    "title",
    [
        "References",
        "6. Acknowledgments",
        "ACKNOWLEDGEMENTS",
        "Funding information",
        "Author contributions",
        "Conflict of interest",
        "Data availability statement",
        "BRIEF DESCRIPTION OF THE DRAWINGS",
        "Cross-reference to related applications",
    ],
)
def test_sections_that_say_nothing_on_the_subject_are_left_out(title: str) -> None:
    document = Document("a", abstract=sentences(5), sections=(Section(title, sentences(30, word="grant")),))
    assert [one.section for one in cut_passages(document)] == ["Abstract"]


@pytest.mark.parametrize("title", ["Reference frames in robotics", "Related work", "Funding of early kites", "Method"])
def test_sections_whose_title_only_begins_like_that_are_read(title: str) -> None:
    document = Document("a", abstract=sentences(5), sections=(Section(title, sentences(30)),))
    assert {one.section for one in cut_passages(document)} == {"Abstract", title}


def test_a_reference_list_is_left_out_whatever_its_title() -> None:
    document = Document("a", sections=(Section("Method", sentences(9)), Section("Other", sentences(9), "references")))
    assert [one.section for one in cut_passages(document)] == ["Method"]


def test_the_inventory_of_a_computer_is_left_out() -> None:
    stock = (
        "The memory may be a RAM, a ROM, a flash memory, a hard disk or an optical disk. The processor may be a CPU, a "
        "GPU, a microprocessor or a controller coupled to the bus. The input interface includes a keyboard, a mouse "
        "and a touch screen, and the output interface a display, a printer and a speaker. "
    )
    document = Document("p", "patent", abstract=sentences(5), sections=(Section("Description", stock * 4),))
    assert [one.section for one in cut_passages(document)] == ["Abstract"]


def test_claims_are_passages_of_their_own_with_their_number() -> None:
    claims = (sentences(3), "The kite of claim 1.", sentences(4))
    document = Document("p", "patent", title="Kite", claims=claims)
    assert [(one.section, one.text) for one in cut_passages(document)] == [
        ("Claim 1", claims[0]),
        ("Claim 3", claims[2]),
    ]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (Document("t", title="A kite"), ["A kite"]),
        (Document("s", title="A kite", abstract="It flies."), ["It flies."]),
        (Document("r", sections=(Section("References", "Wright 1903.", "references"),)), []),
        (Document("e"), []),
    ],
    ids=lambda one: one.id if isinstance(one, Document) else "",
)
def test_a_document_with_words_has_a_passage(document: Document, expected: list[str]) -> None:
    assert [one.text for one in cut_passages(document)] == expected


def test_a_table_without_full_stops_is_cut() -> None:
    document = Document("a", sections=(Section("Table", "12 " * 2_000),))
    found = cut_passages(document)
    assert len(found) >= 6 and max(len(one.text.split()) for one in found) <= 600


def test_a_passage_knows_its_page() -> None:
    text = sentences(60)
    section = Section("Method", text, pages=(PageStart(0, 3), PageStart(len(text) // 2, 4)))
    assert [one.page for one in cut_passages(Document("a", sections=(section,)), 200)] == [3, 3, 4]


def test_an_abstract_is_read_with_its_title() -> None:
    document = paper("a")
    first, second, *_ = cut_passages(document)
    assert (
        passage_text(document, first).startswith("On a\n\nThe kite") and passage_text(document, second) == second.text
    )


def test_kept_passages_are_cut_by_the_boilerplate_that_is_known_now() -> None:
    known = "25cf3bafd9036e92"
    assert boilerplate.FINGERPRINT == known, "passages are cut otherwise now: raise the number in cutting_fingerprint"
    assert cutting_fingerprint() == "passages 1: 130 words, 300 at most, 20 at least"
