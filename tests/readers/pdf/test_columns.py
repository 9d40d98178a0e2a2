"""Two columns with code in them, tables that look like columns, and the line numbers of manuscripts."""

from __future__ import annotations

from engine.readers.pdf.reader import read_pdf
from tests.readers.pdf.papers import ABSTRACT, INTRODUCTION, METHODS, RESULTS
from tests.readers.pdf.writer import PdfWriter

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


def test_line_numbers_in_a_margin_are_left_out() -> None:
    pdf = PdfWriter().page()
    pdf.centred(80, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    number = 0
    for place, text in enumerate((INTRODUCTION, METHODS, RESULTS)):
        pdf.page()
        pdf.line(90, 88, f"{place + 1}  Part of the work", 14, "bold")
        end = pdf.paragraph(90, 112, 415, f"{text} {METHODS} {text} {METHODS}")
        for row in range(int((end - 88) / 12)):
            number += 1
            pdf.line(60, 88 + 12 * row, str(number), 6)
    sections = read_pdf(pdf.data(), "x.pdf").document.sections
    assert [section.title for section in sections] == ["Part of the work"] * 3
    assert sections[0].text == f"{INTRODUCTION} {METHODS} {INTRODUCTION} {METHODS}"


def test_numbers_beside_entries_of_several_lines_stay() -> None:
    pdf = PdfWriter().page()
    y = 100.0
    for number in range(1, 13):
        pdf.line(70, y, str(number))
        y = pdf.paragraph(90, y, 415, INTRODUCTION)
    assert "12 A tide pool" in read_pdf(pdf.data(), "x.pdf").document.text


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
