"""What is not the text: repositories' covers, running heads, numbers, contents, footnotes."""

from __future__ import annotations

import pytest

from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf import papers as pdf_papers
from tests.reading.pdf.papers import INTRODUCTION, METHODS, RESULTS
from tests.reading.pdf.writer import PdfWriter

LONG = f"{INTRODUCTION} {METHODS} {RESULTS}"


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


def test_running_heads_and_page_numbers_are_dropped() -> None:
    text = read_pdf(pdf_papers.one_column().data(), "paper.pdf").document.text
    assert "Moor and Strand" not in text
    assert "Depth decides" not in text
    assert f"{RESULTS}\n\n{INTRODUCTION}" in text


def test_running_heads_that_change_with_the_page_are_dropped() -> None:
    names = ["Heat in pools", "On the depth of water", "What the loggers say", "Winter mornings", "A rule for pools"]
    pdf = PdfWriter().page()
    pdf.centred(80, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    pdf.paragraph(90, 120, 415, LONG)
    for number, name in enumerate(names, start=2):
        pdf.page()
        pdf.line(90, 50, name, 9, "italic")
        pdf.paragraph(90, 90, 415, LONG)
        pdf.centred(800, str(number))
    text = read_pdf(pdf.data(), "x.pdf").document.text
    assert [name in text for name in names] == [False] * 5


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


@pytest.mark.parametrize("step", [1, 5])
def test_line_numbers_beside_each_column_are_left_out(step: int) -> None:
    pdf = PdfWriter()
    for _ in range(2):
        number = 0
        pdf.page()
        for x in (60, 315):
            end = pdf.paragraph(x, 130, 225, f"{LONG} {LONG}")
            for row in range(round((end - 130) / 12)):
                number += 1
                if number % step == 0:
                    pdf.line(x - 16 + 4 * (number < 10), 130 + 12 * row, str(number), 8)
    assert read_pdf(pdf.data(), "x.pdf").document.text.split() == f"{LONG} {LONG} {LONG} {LONG} ".split() * 2


def test_numbers_beside_entries_of_several_lines_stay() -> None:
    pdf = PdfWriter().page()
    y = 100.0
    for number in range(1, 13):
        pdf.line(70, y, str(number))
        y = pdf.paragraph(90, y, 415, INTRODUCTION)
    assert "12 A tide pool" in read_pdf(pdf.data(), "x.pdf").document.text


def test_a_page_number_high_above_the_edge_is_dropped() -> None:
    pdf = PdfWriter()
    for number in (1, 2):
        pdf.page()
        pdf.line(90, 90, f"{number}  {('Introduction', 'Methods')[number - 1]}", 14, "bold")
        pdf.paragraph(90, 112, 415, LONG)
        pdf.centred(703, str(number))
    assert [one.text for one in read_pdf(pdf.data(), "x.pdf").document.sections] == [LONG, LONG]


def _ending_in(lasts: list[str]) -> str:
    """What is read of pages that end in those lines, each below a paragraph of its own."""
    pdf = PdfWriter()
    words = LONG.split()
    for number, last in enumerate(lasts):
        pdf.page()
        turned = words[11 * number :] + words[: 11 * number]
        pdf.line(90, pdf.paragraph(90, 640 + number, 415, " ".join(turned)), last)
    return " ".join(read_pdf(pdf.data(), "x.pdf").document.text.split())


@pytest.mark.parametrize("before", ["", "1,00"])
def test_the_last_line_of_a_page_is_text_though_its_number_counts_up(before: str) -> None:
    words = METHODS.split()
    lasts = [f"{' '.join(words[9 * number : 9 * number + 9])} {before}{number + 1}" for number in range(4)]
    text = _ending_in(lasts)
    assert [line in text for line in lasts] == [True] * 4


def test_a_year_that_ends_a_page_is_no_page_number() -> None:
    pdf = PdfWriter().page()
    pdf.line(90, 90, "1  Introduction", 14, "bold")
    pdf.paragraph(90, 120, 415, LONG)
    pdf.line(90, 540, "References", 14, "bold")
    for number in range(1, 16):
        pdf.line(
            90, 544 + 18 * number, f"[{number}] A. Moor, B. Strand: Pools of shore {number}. Shore Notes {number}", 8
        )
        pdf.line(104, 553 + 18 * number, f"({1990 + number})", 8)
    references = read_pdf(pdf.data(), "x.pdf").document.sections[-1]
    assert references.role == "references" and references.text.endswith("Shore Notes 15 (2005)")


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
