"""A page's geometry and its lines: gutters, columns, margins, hyphens at the ends of lines; hostile pages end soon."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

import pytest

from engine.core.errors import InputTooLargeError
from engine.reading.limits import LIMITS, Budget
from engine.reading.pdf.lines import Hyphens
from engine.reading.pdf.page import Font, PdfLine, PdfPage, TextRun
from engine.reading.pdf.reader import read_pdf
from engine.reading.pdf.sections import parts_of
from tests.reading.pdf.papers import ABSTRACT, INTRODUCTION, METHODS, RESULTS
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


TITLE = "Depth Decides How Tide Pools Keep Their Heat"
LONG = f"{INTRODUCTION} {METHODS} {RESULTS}"
PLAIN = Font("Times-Roman")


@pytest.mark.parametrize(("number", "y"), [("576", 790), ("- 9 -", 800), ("Page 12", 30), ("7", 500)])
def test_a_number_in_the_gutter_does_not_join_the_columns(number: str, y: float) -> None:
    pdf = PdfWriter()
    for _ in range(2):
        pdf.page()
        end = max(pdf.paragraph(x, 140 + shift, 236, LONG) for x, shift in ((50, 0), (309, 3)))
        pdf.centred(end if number == "7" else y, number)
    text = read_pdf(pdf.data(), "x.pdf").document.text
    assert f"{METHODS} {RESULTS}" in text and text.count(METHODS) == 4


def test_three_columns_are_read_one_after_the_other() -> None:
    pdf = PdfWriter()
    for page in range(2):
        pdf.page()
        if page == 0:
            pdf.line(40, 80, TITLE, 18, "bold")
        for place in range(3):
            pdf.paragraph(40 + 176 * place, 120 + 3 * place, 162, f"{LONG} End of column {place + 1}.", size=9)
    text = read_pdf(pdf.data(), "x.pdf").document.text
    assert text.index("End of column 1") < text.index("End of column 2") < text.index("End of column 3")
    assert f"{LONG} End of column 1. {LONG}" in text.replace("\n\n", " ")


@pytest.mark.parametrize("right", [False, True])
def test_a_side_column_is_kept_out_of_the_abstract(right: bool) -> None:
    pdf = PdfWriter().page()
    main, side = (50, 430) if right else (180, 50)
    pdf.line(main, 80, TITLE, 16)
    pdf.line(main, 104, "Ada Moor, Ben K. Strand", 10, "bold")
    pdf.line(main, 140, "Abstract", 12, "bold")
    end = pdf.paragraph(main, 156, 365, f"{ABSTRACT} {RESULTS}")
    pdf.line(main, end + 16, "Introduction", 12, "bold")
    pdf.paragraph(main, end + 32, 365, f"{LONG} {LONG}")
    y = 150.0
    citation = "Citation: Moor A (2021) Depth decides. Shore Notes 5(1): e1."
    for text in ("OPEN ACCESS", citation, "Received: April 14, 2020", "Published: June 13, 2021"):
        y = pdf.paragraph(side, y, 110, text, size=7) + 9
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.abstract == f"{ABSTRACT} {RESULTS}"
    assert [section.title for section in document.sections] == ["Introduction"]
    assert document.sections[0].text == f"{LONG} {LONG}"
    assert document.year == 2021


def test_key_words_beside_the_abstract_are_read_there() -> None:
    pdf = PdfWriter().page()
    pdf.line(50, 70, TITLE, 16)
    pdf.line(50, 92, "Ada Moor a,*, Ben K. Strand b", 11)
    pdf.line(50, 130, "ARTICLE INFO", 9)
    pdf.line(200, 130, "ABSTRACT", 9)
    for place, text in enumerate(("Keywords:", "tide pools", "heat loss")):
        pdf.line(50, 148 + 9.6 * place, text, 8)
    pdf.paragraph(200, 148, 345, f"{ABSTRACT} {RESULTS}", size=8)
    for page in range(2):
        top = 300 if page == 0 else 60
        pdf.line(50, top, f"{page + 1}. {('Introduction', 'Methods')[page]}", 11, "bold")
        pdf.paragraph(50, top + 16, 236, LONG)
        pdf.paragraph(309, top + 2, 236, LONG)
        pdf.page()
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.abstract == f"{ABSTRACT} {RESULTS}"
    assert document.keywords == ("tide pools", "heat loss")
    assert document.authors == ("Ada Moor", "Ben K. Strand")
    assert [section.title for section in document.sections] == ["Introduction", "Methods"]


def test_a_margins_text_is_no_part_of_the_line_beside_it() -> None:
    pdf = PdfWriter()
    for place, title in enumerate(("Introduction", "Method", "Results")):
        pdf.page()
        pdf.line(40, 60, "SN", 11)
        pdf.line(40, 73, "29,2", 11)
        pdf.line(40, 120, str(162 + place), 12, "bold")
        pdf.line(130, 60, title, 11, "bold")
        pdf.paragraph(130, 76, 380, f"{LONG} {LONG}")
    sections = read_pdf(pdf.data(), "x.pdf").document.sections
    assert [section.title for section in sections] == ["Introduction", "Method", "Results"]
    assert all(section.text == f"{LONG} {LONG}" for section in sections)


def test_what_a_later_pages_margin_says_follows_its_section() -> None:
    pdf = PdfWriter().page()
    pdf.line(180, 60, TITLE, 16, "bold")
    pdf.line(180, 120, "1  Introduction", 12, "bold")
    pdf.paragraph(180, 140, 365, LONG)
    pdf.page()
    pdf.paragraph(180, 60, 365, f"{LONG} {LONG}")
    pdf.paragraph(
        50,
        90,
        110,
        "Competing interests: The authors sell loggers for pools and lids for them, and say so here in full.",
        size=7,
    )
    text = read_pdf(pdf.data(), "x.pdf").document.sections[0].text
    assert text.endswith("The authors sell loggers for pools and lids for them, and say so here in full.")
    assert f"{LONG}" in text


def test_authors_above_columns_are_read_across() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, TITLE, 15, "bold")
    for x, name in ((110, "Ada Moor"), (380, "Ben van Strand")):
        pdf.line(x, 110, name, 12, "bold")
        pdf.line(x, 123, "Shore House")
        pdf.line(x, 136, name[:3].lower() + "@shore.example", 9, "mono")
    pdf.line(130, 170, "Abstract", 11, "bold")
    end = pdf.paragraph(60, 186, 216, ABSTRACT, size=9)
    pdf.line(50, end + 14, "1  Introduction", 11, "bold")
    pdf.paragraph(50, end + 30, 236, f"{LONG} {LONG}")
    pdf.paragraph(309, 170, 236, f"{LONG} {LONG}")
    pdf.page()
    pdf.line(50, 60, "2  Methods", 11, "bold")
    pdf.paragraph(50, 76, 236, f"{LONG} {LONG}")
    pdf.paragraph(309, 60, 236, f"{LONG} {LONG}")
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.authors == ("Ada Moor", "Ben van Strand")
    assert document.abstract == ABSTRACT
    assert [section.title for section in document.sections] == ["Introduction", "Methods"]


@pytest.mark.parametrize(
    ("kind", "runs"),
    [
        ("lines", lambda n: [TextRun("a", 100, 105, 10 + 0.28 * place, 1, PLAIN) for place in range(n)]),
        (
            "columns",
            lambda n: [TextRun("ab", x, x + 200, 10 + place, 1, PLAIN) for place in range(n // 4) for x in (9, 300)],
        ),
        (
            "cells",
            lambda n: [TextRun("a", 20 * (p % 220), 20 * (p % 220) + 5, p // 220 * 12, 9, PLAIN) for p in range(n)],
        ),
        ("baseline", lambda n: [TextRun("a", 0.2 * place, 0.2 * place + 0.1, 100, 9, PLAIN) for place in range(n)]),
        (
            "initials",
            lambda n: [
                TextRun("aQ"[p % 2], 100 + p % 99, 105 + p % 99, 0.2 * p, (8, 30)[p % 2], PLAIN) for p in range(n)
            ],
        ),
        (
            "powers",
            lambda n: [
                TextRun("a2"[p % 2], 0.2 * p, 0.2 * p + 0.1, 100 - 5 * (p % 2), (20, 4)[p % 2], PLAIN) for p in range(n)
            ],
        ),
        (
            "lists",
            lambda n: [TextRun("1. A. Name 1999", 100, 105, 10 + 24 * place, 10, PLAIN) for place in range(n // 10)],
        ),
    ],
)
def test_a_page_of_many_pieces_is_read_within_its_files_budget(kind: str, runs: Callable[[int], list[TextRun]]) -> None:
    parts = parts_of([PdfPage(0, 14_400, 14_400, runs(20_000), 20_000)], Budget.of_file(LIMITS, f"{kind}.pdf"))
    assert parts.first_page  # else the budget has ended the file


def test_a_page_that_takes_too_long_ends_its_file() -> None:
    page = PdfPage(0, 600, 800, [TextRun("a", 5 * place, 5 * place + 4, 100, 9, PLAIN) for place in range(100)], 100)
    budget = Budget.of_file(replace(LIMITS, max_seconds=1), "x.pdf")
    budget._watch.spent = 1.0
    with pytest.raises(InputTooLargeError, match=r"Expected a page or a document from x\.pdf within 1 seconds"):
        parts_of([page], budget)


def test_a_grid_of_authors_whose_addresses_fill_a_column_is_read_across() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, TITLE, 18, "bold")
    y = 110
    for names in (("Ada Moor", "Ben K. Strand"), ("Cleo Tern", "Dan Weir")):
        for x, name in zip((50, 309), names, strict=True):
            pdf.line(x + 90, y, name, 11)
            pdf.line(x + 5, y + 12, "Institute of the Sea and of its Shores, University of Reef", 9, "italic")
            pdf.line(x + 90, y + 24, f"{name[:3].lower()}@shore.example")
        y += 60
    pdf.line(50, y, "Abstract", 11, "bold")
    end = pdf.paragraph(50, y + 14, 236, ABSTRACT, size=9)
    pdf.line(50, end + 14, "1  Introduction", 11, "bold")
    pdf.paragraph(50, end + 30, 236, f"{LONG} {LONG}")
    pdf.paragraph(309, y, 236, f"{LONG} {LONG}")
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.authors == ("Ada Moor", "Ben K. Strand", "Cleo Tern", "Dan Weir")
    assert document.abstract == ABSTRACT


def test_the_first_of_three_authors_above_columns_is_no_side_column() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, TITLE, 18, "bold")
    for x, y, name in (
        (74, 100, "Ada Moor"),
        (238, 100, "Ben Strand"),
        (412, 100, "Cleo Tern"),
        (184, 170, "Dan Weir"),
    ):
        pdf.line(x + 40, y, name, 12)
        pdf.line(x, y + 12, "Institute of the Sea and of its")
        pdf.line(x + 20, y + 24, "Shores, Rocks and Reefs")
        pdf.line(x + 18, y + 36, "4200-319 Reef, Portugal")
        pdf.line(x + 30, y + 48, f"{name[:3].lower()}@shore.example")
    pdf.line(50, 230, "Abstract", 12, "bold")
    end = pdf.paragraph(50, 246, 236, ABSTRACT)
    pdf.line(50, end + 14, "1  Introduction", 12, "bold")
    pdf.paragraph(50, end + 30, 236, f"{LONG} {LONG}")
    pdf.paragraph(309, 230, 236, f"{LONG} {LONG}")
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.authors == ("Ada Moor", "Ben Strand", "Cleo Tern", "Dan Weir")
    assert document.abstract == ABSTRACT


@pytest.mark.parametrize("label", ["[{}]", "{}.", "({})"])
def test_a_list_of_references_across_both_columns_follows_the_text_above_it(label: str) -> None:
    pdf = PdfWriter().page()
    pdf.line(50, 80, "1  Introduction", 14, "bold")
    for x in (50, 309):
        pdf.paragraph(x, 104, 236, f"{LONG} {LONG}")
    pdf.page()
    for x in (50, 309):
        end = pdf.paragraph(x, 80 + x / 50, 236, f"{RESULTS} {METHODS} The end of {x}.")
    for column, x in enumerate((50, 309)):
        y = end + 30
        for number in range(1 + 8 * column, 9 + 8 * column):
            entry = f"A. Moor, B. Strand: Pools of the shore. Shore Notes {number}, 12 (19{70 + number})."
            y = pdf.paragraph(x, y, 230, f"{label.format(number)} {entry}", size=8)
    document = read_pdf(pdf.data(), "x.pdf").document
    *_, body, references = document.sections
    assert references.role == "references" and len(references.text.split("\n\n")) == 16
    assert f"The end of 50. {RESULTS}" in " ".join(body.text.split()) and body.text.endswith("The end of 309.")


def test_headings_beside_each_other_begin_no_list_across_both_columns() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, TITLE, 18, "bold")
    pdf.line(50, 110, "Abstract", 12, "bold")
    pdf.paragraph(50, 128, 236, LONG)
    pdf.line(50, 480, "1  Introduction", 14, "bold")
    pdf.line(309, 480, "2  Methods", 14, "bold")
    pdf.paragraph(309, 110, 236, f"{RESULTS} {INTRODUCTION}")
    for x in (50, 309):
        pdf.paragraph(x, 504, 236, METHODS)
    introduction, methods = read_pdf(pdf.data(), "x.pdf").document.sections
    assert " ".join(introduction.text.split()) == f"{METHODS} {RESULTS} {INTRODUCTION}"
    assert methods.text == METHODS


def test_a_heading_at_a_columns_top_is_no_running_head() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, TITLE, 18, "bold")
    pdf.line(50, 120, "1  Introduction", 14, "bold")
    pdf.paragraph(50, 144, 236, f"{LONG} {LONG}")
    pdf.paragraph(309, 120, 236, f"{LONG} {LONG}")
    for page in range(2):
        pdf.page()
        pdf.line(309, 67, f"{page + 2}  Part of the work", 14, "bold")
        pdf.line(100, 73, f"Table {page + 1}: Pools and what lives in them by season.")
        pdf.paragraph(50, 110, 236, f"{LONG} {LONG}")
        pdf.paragraph(309, 86, 236, f"{LONG} {LONG}")
    sections = read_pdf(pdf.data(), "x.pdf").document.sections
    assert [section.title for section in sections] == ["Introduction", "Part of the work", "Part of the work"]
    assert sections[0].text.count(METHODS[-40:]) == sections[0].text.count(METHODS[:40]) == 6


def test_the_foot_of_a_page_with_double_spacing_is_text() -> None:
    pdf = PdfWriter()
    words = f"{LONG} {LONG} {LONG}".split()
    for page in range(2):
        pdf.page()
        for line in range(29):
            stop = 12 * (29 * page + line)
            pdf.line(90, 100 + 22.4 * line, " ".join(words[stop : stop + 12]))
        pdf.centred(790, str(page + 1))
    text = read_pdf(pdf.data(), "x.pdf").document.text
    assert " ".join(words[12 * 27 : 12 * 31]) in " ".join(text.split())


@pytest.mark.parametrize(
    ("first", "second", "title"),
    [
        ("2. LONG RUNS OF NIGHT TEM-", "PERATURES", "LONG RUNS OF NIGHT TEMPERATURES"),
        ("2. Long Runs of Night Tem-", "peratures", "Long Runs of Night Temperatures"),
    ],
)
def test_a_heading_is_joined_over_its_lines(first: str, second: str, title: str) -> None:
    pdf = PdfWriter().page()
    pdf.line(50, 60, "1. INTRODUCTION" if title.isupper() else "1. Introduction", 12, "bold")
    pdf.paragraph(50, 80, 236, INTRODUCTION)
    pdf.line(50, 300, first, 12, "bold")
    pdf.line(50, 314, second, 12, "bold")
    pdf.paragraph(50, 334, 236, METHODS)
    assert read_pdf(pdf.data(), "x.pdf").document.sections[1].title == title


def test_the_end_of_a_word_on_the_next_line_is_no_word() -> None:
    lines = [set_line("for the develop-"), set_line("ment of a method. They develop it."), set_line("the treat-")]
    assert Hyphens([*lines, set_line("ment is new.")]).join("for the develop-", "ment of") == "for the development of"


def test_many_lines_are_joined_as_two_are() -> None:
    hyphens = Hyphens([])
    texts = [f"number {place} is infor-" if place % 2 else f"mation number {place} and" for place in range(2_000)]
    assert hyphens.joined(texts) == reduce(hyphens.join, texts)
    assert hyphens.joined([]) == ""


def set_line(text: str) -> PdfLine:
    return PdfLine(text, 0, 400, 0, 10, 0, 0, 0, 400)
