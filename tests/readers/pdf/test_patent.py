"""Patents' PDFs: what their offices print."""

from __future__ import annotations

from engine.readers.pdf.reader import read_pdf
from tests.readers.pdf import papers as pdf_papers
from tests.readers.pdf.papers import INTRODUCTION, METHODS, RESULTS


def test_a_patent_gives_number_title_abstract_classes_and_claims() -> None:
    document = read_pdf(pdf_papers.patent().data(), "patent.pdf").document
    assert (document.kind, document.id, document.year) == ("patent", "US9876543B2", 2015)
    assert document.title == "Pool warmer with a floating lid"
    assert document.authors == ("Ada Moor",)
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
