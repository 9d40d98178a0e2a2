"""Accents that are drawn by themselves."""

from __future__ import annotations

from engine.reading.pdf.accents import Drawn, accented, placed
from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf.papers import INTRODUCTION
from tests.reading.pdf.writer import PdfWriter, text_width


def test_a_letter_and_its_accent_are_one() -> None:
    assert accented("e", "\u00b4") == "\u00e9"
    assert accented("\u0131", "\u00b4") == "\u00ed"
    assert accented("x", "\u00af") == "x\u0304"


def test_an_accent_belongs_to_the_letter_under_it() -> None:
    letters = [Drawn(place, 5.0 * place, 100, 10, letter) for place, letter in enumerate("Kovarik")]
    accents = [Drawn(9, 15.2, 100.1, 10, "\u00b4"), Drawn(10, 24.9, 100, 10, "\u00b4"), Drawn(11, 300, 100, 10, "`")]
    assert placed(accents, letters) == ({3: "\u00e1", 5: "\u00ed"}, {9, 10})
    assert placed([Drawn(9, 15.2, 140, 10, "\u00b4")], letters) == ({}, set())


def test_accents_that_a_file_draws_after_the_line_are_put_on_their_letters() -> None:
    pdf = PdfWriter().page()
    pdf.line(90, 88, "Branas and Kovarik saw it in forty pools of the coast, and wrote to the station at once.")
    for before, accent in (("Bra", "\u02dc"), ("Branas and Kov", "\u00b4"), ("Branas and Kovar", "\u00b4")):
        letter = {"Bra": "n", "Branas and Kov": "a", "Branas and Kovar": "i"}[before]
        x = 90 + text_width(before, 10) + (text_width(letter, 10) - 3.33) / 2
        pdf.line(x, 88, accent)
    pdf.paragraph(90, 112, 415, INTRODUCTION)
    assert read_pdf(pdf.data(), "x.pdf").document.text.startswith("Bra\u00f1as and Kov\u00e1r\u00edk saw it")
