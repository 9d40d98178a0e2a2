"""Lines joined to paragraphs: across line ends, hyphens, pages and figures in between."""

from __future__ import annotations

import pytest

from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf.papers import INTRODUCTION, METHODS, RESULTS
from tests.reading.pdf.set_lines import text_of
from tests.reading.pdf.writer import PdfWriter

FILL = "These words only make the line as long as the others of its paragraph on the page are, "


@pytest.mark.parametrize(
    ("first", "second", "elsewhere", "joined"),
    [
        ("infor-", "mation is lost", "Other words.", "information is lost"),
        ("well-", "known rules", "It is a well-known matter.", "well-known rules"),
        ("well-", "known rules", "It is known well.", "well-known rules"),
        ("there-", "fore it holds", "There it holds, and therefore it stays.", "therefore it holds"),
        ("Moor-", "Strand law", "Other words.", "Moor-Strand law"),
        ("methyl-5-", "phosphate salts", "Other words.", "methyl-5-phosphate salts"),
        ("many B-", "vitamins are", "Other words.", "many B-vitamins are"),
        ("mixed-ef-", "fects models", "Effects of models.", "mixed-effects models"),
        ("state-of-", "the-art loggers", "Other words.", "state-of-the-art loggers"),
        ("multi-instru-", "ment bands", "Other words.", "multi-instrument bands"),
        ("state-of-the-", "art loggers", "The state-of-the-art is old.", "state-of-the-art loggers"),
    ],
)
def test_a_hyphen_at_a_lines_end_is_judged_by_the_other_words(
    first: str, second: str, elsewhere: str, joined: str
) -> None:
    assert joined in text_of(FILL + first, second + " in the end.", after=f"{elsewhere} {INTRODUCTION}")


def test_paragraphs_are_told_by_indent_and_by_gap() -> None:
    pdf = PdfWriter().page()
    y = pdf.paragraph(90, 100, 415, INTRODUCTION)
    y = pdf.paragraph(90, y, 415, METHODS, indent=15)
    pdf.paragraph(90, y + 6, 415, RESULTS)
    text = read_pdf(pdf.data(), "x.pdf").document.sections[0].text
    assert text == f"{INTRODUCTION}\n\n{METHODS}\n\n{RESULTS}"


def test_a_sentence_goes_on_over_a_page_and_its_figure() -> None:
    pdf = PdfWriter().page()
    y = pdf.paragraph(90, 100, 415, f"{METHODS} {RESULTS} The wind was measured on the high")
    pdf.page()
    pdf.line(90, 100, "Figure 2: The wind of the year.", 9)
    pdf.paragraph(90, 140, 415, "cliffs above the pools. " + INTRODUCTION)
    assert y < 700
    text = read_pdf(pdf.data(), "x.pdf").document.sections[0].text
    assert "on the high cliffs above the pools." in text
    assert "Figure 2: The wind of the year." in text.split("\n\n")


def test_a_word_goes_on_after_a_drawing_with_words_in_it() -> None:
    pdf = PdfWriter().page()
    pdf.paragraph(90, 100, 415, f"{METHODS} {RESULTS}")
    pdf.line(90, 400, "The wind was measured in the first year on the high cliffs above the pools of the Aus-")
    pdf.line(90, 412, "tralian coast, and in the second year on those cliffs and on the dunes behind the Tas-")
    pdf.page()
    pdf.line(200, 90, "Share")
    pdf.line(300, 120, "Site B")
    pdf.line(240, 160, "Days")
    pdf.line(180, 170, "Fig. 2. The wind of the year.", 9)
    pdf.paragraph(90, 200, 415, "manian shore, too. " + INTRODUCTION)
    text = read_pdf(pdf.data(), "x.pdf").document.text
    assert "behind the Tasmanian shore, too. " in text and "above the pools of the Australian coast" in text


def test_code_keeps_its_lines() -> None:
    pdf = PdfWriter().page()
    y = pdf.paragraph(90, 100, 415, INTRODUCTION)
    pdf.line(90, y + 12, "> pools <- read(file)", 10, "mono")
    pdf.line(90, y + 24, "> mean(pools)", 10, "mono")
    pdf.paragraph(90, y + 48, 415, METHODS)
    assert "> pools <- read(file)\n> mean(pools)" in read_pdf(pdf.data(), "x.pdf").document.text


def test_numbers_along_an_axis_are_left_out() -> None:
    pdf = PdfWriter().page()
    y = pdf.paragraph(90, 100, 415, METHODS)
    for place in range(6):
        pdf.line(120 + 50 * place, y + 60, str(1960 + place), 7, "sans")
    pdf.paragraph(90, y + 100, 415, RESULTS)
    assert read_pdf(pdf.data(), "x.pdf").document.sections[0].text == f"{METHODS}\n\n{RESULTS}"
