"""Runs of text of one font."""

from __future__ import annotations

import pytest

from engine.reading.limits import LIMITS, Budget
from engine.reading.pdf.lines import page_lines
from engine.reading.pdf.reader import read_pdf
from engine.reading.pdf.runs import Font, Page, Run, font_of, is_from_right
from tests.reading.pdf import papers as pdf_papers
from tests.reading.pdf.papers import METHODS
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
        Run(letter, 100.0 - 10 * place, 108.0 - 10 * place, 50, 10, Font("A")) for place, letter in enumerate(word)
    ]
    latin = Run("Rcpp", 15, 40, 50, 10, Font("A"), spaced=True)
    [[line]] = page_lines([Page(0, 595, 842, [*hebrew, latin])], Budget.of_file(LIMITS, "x.pdf"))
    assert line.text == f"{word} Rcpp"
