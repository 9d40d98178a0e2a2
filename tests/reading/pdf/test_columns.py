"""Columns of text and code, and tables that look like columns."""

from __future__ import annotations

import pytest

from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf import papers as pdf_papers
from tests.reading.pdf.papers import ABSTRACT, INTRODUCTION, METHODS, REFERENCES, RESULTS
from tests.reading.pdf.writer import PdfWriter

CODE = tuple(f"pool{number} = measure({number})" for number in range(20))


def code_page(pdf: PdfWriter, left: str, right: str) -> None:
    """A page of two columns: text on the left, code above a little text on the right."""
    pdf.page()
    pdf.paragraph(60, 100, 230, left)
    for place, line in enumerate(CODE):
        pdf.line(310, 104 + 13 * place, line, 9, "mono")
    pdf.paragraph(310, 120 + 13 * len(CODE), 230, right)


def test_columns_with_code_are_read_one_after_the_other() -> None:
    pdf = PdfWriter()
    code_page(pdf, f"{INTRODUCTION} {METHODS} {RESULTS}", RESULTS)
    code_page(pdf, f"{RESULTS} {METHODS} {RESULTS}", INTRODUCTION)
    text = read_pdf(pdf.data(), "x.pdf").document.text
    assert f"{INTRODUCTION} {METHODS} {RESULTS}\n\npool0 = measure(0)\npool1 = measure(1)" in text
    assert f"{RESULTS} {METHODS} {RESULTS}\n\npool0 = measure(0)" in text


def test_a_table_that_fills_a_page_keeps_its_rows() -> None:
    pdf = PdfWriter()
    for text in (INTRODUCTION, METHODS, RESULTS):
        pdf.page()
        pdf.paragraph(90, 100, 415, f"{text} {METHODS} {text}")
    pdf.page()
    for row in range(30):
        pdf.line(90, 100 + 12 * row, f"The pool of number {row} at the shore, near")
        pdf.line(330, 100 + 12 * row, f"has lost {row}.5 degrees in this night.")
    text = read_pdf(pdf.data(), "x.pdf").document.text
    assert "The pool of number 3 at the shore, near has lost 3.5 degrees in this night." in text


def test_an_abstract_over_both_columns_needs_no_name() -> None:
    pdf = PdfWriter()
    for _ in range(2):
        pdf.page()
        top = 100.0
        if len(pdf.pages) == 1:
            pdf.centred(70, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
            top = pdf.paragraph(80, 110, 440, ABSTRACT) + 20
        for x in (60, 310):
            pdf.paragraph(x, top, 230, f"{INTRODUCTION} {METHODS} {RESULTS}")
    pdf.page()
    pdf.line(60, 100, "References", 14, "bold")
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.abstract == ABSTRACT
    assert document.sections[0].text.startswith(INTRODUCTION)


def test_a_table_in_one_column_is_not_taken_for_columns() -> None:
    pdf = PdfWriter().page()
    y = pdf.paragraph(90, 100, 415, METHODS)
    for row in range(12):
        pdf.line(120, y + 12 * (row + 2), f"pool {row}")
        pdf.line(400, y + 12 * (row + 2), f"{row}.5 degrees")
    pdf.paragraph(90, y + 200, 415, RESULTS)
    assert "pool 3 3.5 degrees" in read_pdf(pdf.data(), "x.pdf").document.text


def test_two_columns_are_read_one_after_the_other() -> None:
    document = read_pdf(pdf_papers.two_columns().data(), "paper.pdf").document
    assert document.title == "Depth Decides How Tide Pools Keep Their Heat"
    assert document.authors == ("Ada Moor", "Ben K. Strand")
    assert document.abstract == ABSTRACT
    assert [section.title for section in document.sections] == [
        "INTRODUCTION",
        "METHODS",
        "RESULTS",
        "CONCLUSION",
        "REFERENCES",
    ]
    assert document.sections[0].text == f"{INTRODUCTION} {INTRODUCTION}"
    end_of_left = "The last measured value in the left column stands before the right column begins."
    assert document.sections[1].text == f"{METHODS} {METHODS} {end_of_left} {METHODS} {RESULTS}"
    assert document.sections[3].text == f"{INTRODUCTION} {RESULTS}"
    assert document.sections[4].text.split("\n\n")[1] == f"[2] {REFERENCES[1]}"


def test_a_wide_caption_divides_the_columns_and_stays_whole() -> None:
    results = read_pdf(pdf_papers.two_columns().data(), "paper.pdf").document.sections[2].text
    assert results.endswith("on which loggers were lost marked by crosses below.")
    assert results.split("\n\n")[-1].startswith("Figure 1. Temperature of all forty pools")


@pytest.mark.parametrize("shift", [0, 5])
def test_an_address_that_runs_over_the_gutter_does_not_join_the_columns(shift: float) -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, "Depth Decides How Tide Pools Keep Their Heat", 16, "bold")
    long = f"{INTRODUCTION} {METHODS} {RESULTS}"
    pdf.line(50, 96, "1  Introduction", 12, "bold")
    address = "https://pools.shore.example/archive/of-all/the-years/and-of-all/the-months"
    end = pdf.paragraph(50, 110, 236, long)
    pdf.line(50, end, address)
    pdf.paragraph(50, end + 12, 236, f"{long} The left ends here.")
    pdf.paragraph(309, 110 + shift, 236, f"{long} {long} The right ends here.")
    text = " ".join(read_pdf(pdf.data(), "x.pdf").document.text.split())
    assert f"{long} {address} {long} The left ends here. {long} {long} The right ends here." in text
