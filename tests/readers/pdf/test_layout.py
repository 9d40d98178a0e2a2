"""Lines, columns, paragraphs and letters: what is found on pages that we wrote for each case."""

from __future__ import annotations

import pytest

from engine.documents import Document
from engine.readers.pdf.letters import bitmap_text, letter_of
from engine.readers.pdf.reader import read_pdf
from engine.readers.pdf.runs import font_of
from tests.readers.pdf.papers import INTRODUCTION, METHODS, RESULTS
from tests.readers.pdf.writer import PdfWriter


def document_of(*lines: str, after: str = INTRODUCTION) -> Document:
    """A document whose lines are set as given, all of about one width, with a paragraph after them."""
    pdf = PdfWriter().page()
    for place, line in enumerate(lines):
        pdf.line(90, 100 + 12 * place, line)
    pdf.paragraph(90, 100 + 12 * len(lines) + 24, 415, after)
    return read_pdf(pdf.data(), "x.pdf").document


def text_of(*lines: str, after: str = INTRODUCTION) -> str:
    return document_of(*lines, after=after).sections[0].text.split("\n\n")[0]


FILL = "These words only make the line as long as the others of its paragraph on the page are, "


@pytest.mark.parametrize(
    ("first", "second", "elsewhere", "joined"),
    [
        ("infor-", "mation is lost", "Other words.", "information is lost"),
        ("well-", "known rules", "It is a well-known matter.", "well-known rules"),
        ("well-", "known rules", "It is known well.", "well-known rules"),
        ("there-", "fore it holds", "There it holds, and therefore it stays.", "therefore it holds"),
        ("Moor-", "Strand law", "Other words.", "Moor-Strand law"),
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


def test_ligatures_are_spelt_out() -> None:
    assert text_of("We \ufb01nd the \ufb02ow of heat.") == "We find the flow of heat."


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


def test_footnotes_stand_after_their_section() -> None:
    pdf = PdfWriter().page()
    pdf.paragraph(90, 100, 415, METHODS)
    pdf.page()
    pdf.line(90, 60, "1  Introduction", 14, "bold")
    y = pdf.paragraph(90, 100, 415, INTRODUCTION)
    pdf.line(90, 696, "3", 6)
    pdf.line(94, 700, "The pools of the north were left out of this count of pools.", 8)
    pdf.page()
    pdf.paragraph(90, 100, 415, RESULTS)
    assert y < 600
    section = read_pdf(pdf.data(), "x.pdf").document.sections[-1]
    assert section.text.split("\n\n") == [
        INTRODUCTION,
        RESULTS,
        "3 The pools of the north were left out of this count of pools.",
    ]


def test_code_keeps_its_lines() -> None:
    pdf = PdfWriter().page()
    y = pdf.paragraph(90, 100, 415, INTRODUCTION)
    pdf.line(90, y + 12, "> pools <- read(file)", 10, "mono")
    pdf.line(90, y + 24, "> mean(pools)", 10, "mono")
    pdf.paragraph(90, y + 48, 415, METHODS)
    assert "> pools <- read(file)\n> mean(pools)" in read_pdf(pdf.data(), "x.pdf").document.text


def test_a_table_in_one_column_is_not_taken_for_columns() -> None:
    pdf = PdfWriter().page()
    y = pdf.paragraph(90, 100, 415, METHODS)
    for row in range(12):
        pdf.line(120, y + 12 * (row + 2), f"pool {row}")
        pdf.line(400, y + 12 * (row + 2), f"{row}.5 degrees")
    pdf.paragraph(90, y + 200, 415, RESULTS)
    assert "pool 3 3.5 degrees" in read_pdf(pdf.data(), "x.pdf").document.text


def test_numbers_along_an_axis_are_left_out() -> None:
    pdf = PdfWriter().page()
    y = pdf.paragraph(90, 100, 415, METHODS)
    for place in range(6):
        pdf.line(120 + 50 * place, y + 60, str(1960 + place), 7, "sans")
    pdf.paragraph(90, y + 100, 415, RESULTS)
    assert read_pdf(pdf.data(), "x.pdf").document.sections[0].text == f"{METHODS}\n\n{RESULTS}"


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


def test_a_contents_list_is_left_out() -> None:
    pdf = PdfWriter().page()
    pdf.centred(80, "A Guide to Tide Pools", 18, "bold")
    pdf.line(90, 120, "Contents", 14, "bold")
    for place, title in enumerate(("Introduction", "Methods", "Results")):
        pdf.line(90, 140 + 12 * place, f"{place + 1} {title} . . . . . . . . . . . {place + 2}")
    for place, (title, text) in enumerate(zip(("Introduction", "Methods"), (INTRODUCTION, METHODS), strict=True)):
        pdf.line(90, 220 + 150 * place, f"{place + 1}  {title}", 14, "bold")
        pdf.paragraph(90, 240 + 150 * place, 415, text)
    sections = read_pdf(pdf.data(), "x.pdf").document.sections
    assert [(section.title, section.text) for section in sections] == [
        ("Introduction", INTRODUCTION),
        ("Methods", METHODS),
    ]


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


def test_letters_of_codes() -> None:
    assert [letter_of(code) for code in (0x41, 2, 0xAD, 0xFB03, 12, 28)] == ["A", "-", "-", "ffi", "fi", "fi"]
    assert [letter_of(code) for code in (0, 0xFFFE, 0xE001, 0xD800, 1)] == [""] * 5


def test_dingbats_of_a_bitmap_font_are_letters() -> None:
    assert bitmap_text("P\u2761\u2665\u275b\u2767\u2710\u2462\u2761\u275e") == "Penalized"
    assert bitmap_text("plain") == "plain"
