"""Patents' PDFs: what their offices print."""

from __future__ import annotations

from engine.documents import Document, PageStart, Section
from engine.reading.pdf.patent import as_patent
from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf import papers as pdf_papers
from tests.reading.pdf.papers import INTRODUCTION, METHODS, RESULTS


def test_a_patent_gives_number_title_abstract_classes_and_claims() -> None:
    document = read_pdf(pdf_papers.patent().data(), "patent.pdf").document
    assert (document.kind, document.id, document.year) == ("patent", "US9876543B2", 2015)
    assert document.title == "Pool warmer with a floating lid"
    assert document.authors == document.inventors == ("Ada Moor",)
    assert document.abstract.startswith("A warmer for pools has a lid that floats on the water")
    assert document.abstract.endswith("above the water at all times.")
    assert document.categories == ("E04H 4/12", "F24J 2/04")
    assert [section.title for section in document.sections] == ["BACKGROUND", "DETAILED DESCRIPTION"]
    assert document.sections[0].text == " ".join([INTRODUCTION, METHODS, RESULTS, INTRODUCTION])
    assert document.claims == (
        "A warmer for a pool, comprising a lid that floats on the water of the pool; a dark plate on the lid; and a "
        "float that keeps the plate above the water.",
        "The warmer of claim 1, wherein the lid turns toward the sun by means of a sail that the wind moves, and stops "
        "at night.",
    )


def test_text_above_the_first_heading_is_kept() -> None:
    opening = (
        "This invention relates to pool warmers and is a continuation of application 12/345,678, which was filed in "
        "May 2011. All of it is herein included by reference."
    )
    document = read_pdf(pdf_papers.patent(opening=opening, labels=True).data(), "patent.pdf").document
    assert [section.title for section in document.sections] == ["Description", "BACKGROUND", "DETAILED DESCRIPTION"]
    assert document.sections[0].text == opening
    assert document.sections[0].pages == (PageStart(0, 3),)


def test_what_the_front_page_and_drawings_say_is_left_out_with_a_warning() -> None:
    front = Section("", "(51) Int. Cl. ......... E04H\n\nlid 10\n\nFIG. 1", pages=(PageStart(0, 1), PageStart(30, 2)))
    claims = Section("BACKGROUND", "Pools are cold.\n\nWhat is claimed is:\n\n1. A lid.", pages=(PageStart(0, 3),))
    document, told = as_patent(Document("file:1", sections=(front, claims)), "United States Patent")
    assert [section.title for section in document.sections] == ["BACKGROUND"]
    assert document.claims == ("A lid.",)
    assert told == [
        "The front page's data and the words of drawings were left out: '(51) Int. Cl. E04H lid 10 FIG. 1' and so on."
    ]
