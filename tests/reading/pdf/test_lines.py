"""Runs joined to lines."""

from __future__ import annotations

from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf.papers import INTRODUCTION, METHODS
from tests.reading.pdf.writer import PdfWriter


def test_raised_marks_keep_apart_from_words_and_powers_are_marked() -> None:
    pdf = PdfWriter().page()
    pdf.line(90, 100, "The area of 12 m")
    pdf.line(90 + 68.6, 96.5, "2", 6)
    pdf.line(90 + 74, 100, "is given by Arden")
    pdf.line(90 + 144.6, 96.5, "12", 6)
    pdf.paragraph(90, 150, 415, INTRODUCTION)
    text = read_pdf(pdf.data(), "x.pdf").document.text
    assert "12 m^2 is given by Arden 12" in text


def test_an_initial_of_two_lines_joins_its_word() -> None:
    pdf = PdfWriter().page()
    pdf.line(90, 114, "A", 28)
    words = "ll tide pools" + INTRODUCTION[11:]
    pdf.line(112, 100, words[:70].rsplit(" ", 1)[0])
    pdf.line(112, 112, "which goes on in the second line beside the tall initial letter")
    pdf.paragraph(90, 124, 415, METHODS)
    assert "All tide pools is a small body" in read_pdf(pdf.data(), "x.pdf").document.text
