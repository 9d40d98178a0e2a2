"""Covers of repositories."""

from __future__ import annotations

import pytest

from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf import papers as pdf_papers
from tests.reading.pdf.writer import PdfWriter

COVERS = [
    ("Shore Open Articles", "Citation: Moor. Depth Decides How Tide Pools Keep Their Heat. 2021.", "Terms of use",
     "Persistent URL: http://hdl.example.org/1"),
    ("Depth Decides How Tide Pools Keep Their Heat", "Ada Moor", "To cite this version:", "HAL Id: hal-1"),
    ("Shore ePrints", "Published version: see there", "Downloaded from http://eprints.example/1", "ISSN 1234-5678"),
]  # fmt: skip


@pytest.mark.parametrize("lines", COVERS)
def test_a_cover_is_left_out(lines: tuple[str, ...]) -> None:
    paper = pdf_papers.one_column()
    cover = PdfWriter().page()
    for place, text in enumerate(lines):
        cover.line(60, 80 + 30 * place, text, 16 if place == 0 else 10, "bold")
    paper.pages.insert(0, cover.pages[0])
    reading = read_pdf(paper.data(), "x.pdf")
    assert reading.document.title == "Depth Decides How Tide Pools Keep Their Heat"
    assert reading.document.authors == ("Ada Moor", "Ben K. Strand")
    assert "A repository's cover stands before the paper; it was left out." in reading.warnings


def test_a_title_page_is_no_cover() -> None:
    paper = pdf_papers.one_column()
    front = PdfWriter().page()
    front.centred(200, "Heat in Pools: a Thesis", 20, "bold")
    front.centred(240, "Ada Moor", 12)
    paper.pages.insert(0, front.pages[0])
    assert read_pdf(paper.data(), "x.pdf").document.title == "Heat in Pools: a Thesis"
