"""Runs of text of one font: letters of the codes that fonts give, and accents that are drawn by themselves."""

from __future__ import annotations

import pytest

from engine.reading.limits import LIMITS, Budget
from engine.reading.pdf.lines import page_lines
from engine.reading.pdf.page import Font, PdfPage, TextRun, is_from_right
from engine.reading.pdf.reader import read_pdf
from engine.reading.pdf.runs import Drawn, bitmap_text, font_of, letter_of, place_accents, put_accent
from tests.reading.pdf import papers as pdf_papers
from tests.reading.pdf.papers import INTRODUCTION, METHODS
from tests.reading.pdf.set_lines import text_of
from tests.reading.pdf.writer import PdfWriter, text_width


@pytest.mark.parametrize(
    ("name", "flags", "look"),
    [
        ("ABCDEF+CMBX12", 4, (True, False, False, False)),
        ("NimbusRomNo9L-MediItal", 0, (True, True, False, False)),
        ("TimesNewRomanPS-BoldMT", 0, (True, False, False, False)),
        ("CMTT10", 0, (False, False, True, False)),
        ("Anything", 1, (False, False, True, False)),
        ("CMCSC10", 0, (False, False, False, True)),
        ("CMR10", 1 << 17, (False, False, False, False)),
        ("LMRoman10-Italic", 0, (False, True, False, False)),
    ],
)
def test_a_fonts_look_is_read_from_its_name_and_flags(
    name: str, flags: int, look: tuple[bool, bool, bool, bool]
) -> None:
    font = font_of(name, flags)
    assert (font.bold, font.italic, font.mono, font.small_caps) == look


def test_a_stamp_that_runs_up_the_margin_is_dropped() -> None:
    pdf = pdf_papers.one_column()
    pdf.turned(30, 600, "preprint 2101.00001v2 of 3 Jan 2021", 20)
    assert "preprint" not in read_pdf(pdf.data(), "x.pdf").document.text


def test_a_word_that_stands_close_after_an_f_is_apart() -> None:
    pdf = PdfWriter().page()
    pdf.line(90, 80, "1  Introduction", 14, "bold")
    y = 100.0
    for _ in range(4):
        x = 90.0
        for word in "half of the heat of the pools is lost if the night is calm".split():
            pdf.line(x, y, word, font="italic")
            x += text_width(word, 10) * 0.92 + 3.2
        y += 14
    assert "of the heat of the pools" in read_pdf(pdf.data(), "x.pdf").document.text


def test_what_a_viewer_does_not_show_is_not_read() -> None:
    pdf = PdfWriter().page()
    pdf.paragraph(120, 100, 300, METHODS)
    pdf.line(20, 20, "4TH PASS PAGES", 20)
    pdf.line(460, 300, "ADVERTISEMENT", 20)
    data = pdf.data().replace(b"/MediaBox [0 0 595 842]", b"/MediaBox [0 0 595 842] /CropBox [100 40 440 800]")
    assert read_pdf(data, "x.pdf").document.text == METHODS


def test_right_to_left_text_is_read_from_the_right() -> None:
    assert is_from_right("\u05e9\u05dc\u05d5\u05dd") and not is_from_right("Shalom")
    word = "\u05e9\u05dc\u05d5\u05dd\u05e8\u05d1"
    hebrew = [
        TextRun(letter, 100.0 - 10 * place, 108.0 - 10 * place, 50, 10, Font("A")) for place, letter in enumerate(word)
    ]
    latin = TextRun("Rcpp", 15, 40, 50, 10, Font("A"), spaced=True)
    [[line]] = page_lines([PdfPage(0, 595, 842, [*hebrew, latin])], Budget.of_file(LIMITS, "x.pdf"))
    assert line.text == f"{word} Rcpp"


def test_ligatures_are_spelt_out() -> None:
    assert text_of("We \ufb01nd the \ufb02ow of heat.") == "We find the flow of heat."


def test_letters_of_codes() -> None:
    assert [letter_of(code) for code in (0x41, 2, 0xAD, 0xFB03, 12, 28)] == ["A", "-", "-", "ffi", "fi", "fi"]
    assert [letter_of(code) for code in (0, 0xFFFE, 0xE001, 0xD800, 1)] == [""] * 5


def test_dingbats_of_a_bitmap_font_are_letters() -> None:
    assert bitmap_text("P\u2761\u2665\u275b\u2767\u2710\u2462\u2761\u275e") == "Penalized"
    assert bitmap_text("plain") == "plain"


def test_a_letter_and_its_accent_are_one() -> None:
    assert put_accent("e", "\u00b4") == "\u00e9"
    assert put_accent("\u0131", "\u00b4") == "\u00ed"
    assert put_accent("x", "\u00af") == "x\u0304"


def test_an_accent_belongs_to_the_letter_under_it() -> None:
    letters = [Drawn(place, 5.0 * place, 100, 10, letter) for place, letter in enumerate("Kovarik")]
    accents = [Drawn(9, 15.2, 100.1, 10, "\u00b4"), Drawn(10, 24.9, 100, 10, "\u00b4"), Drawn(11, 300, 100, 10, "`")]
    assert place_accents(accents, letters) == ({3: "\u00e1", 5: "\u00ed"}, {9, 10})
    assert place_accents([Drawn(9, 15.2, 140, 10, "\u00b4")], letters) == ({}, set())


def test_accents_that_a_file_draws_after_the_line_are_put_on_their_letters() -> None:
    pdf = PdfWriter().page()
    pdf.line(90, 88, "Branas and Kovarik saw it in forty pools of the coast, and wrote to the station at once.")
    for before, accent in (("Bra", "\u02dc"), ("Branas and Kov", "\u00b4"), ("Branas and Kovar", "\u00b4")):
        letter = {"Bra": "n", "Branas and Kov": "a", "Branas and Kovar": "i"}[before]
        x = 90 + text_width(before, 10) + (text_width(letter, 10) - 3.33) / 2
        pdf.line(x, 88, accent)
    pdf.paragraph(90, 112, 415, INTRODUCTION)
    assert read_pdf(pdf.data(), "x.pdf").document.text.startswith("Bra\u00f1as and Kov\u00e1r\u00edk saw it")
