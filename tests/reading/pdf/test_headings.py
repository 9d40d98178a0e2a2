"""Headings: which lines are, which are at the top, and what is not one."""

from __future__ import annotations

import pytest

from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf.papers import INTRODUCTION, METHODS, RESULTS
from tests.reading.pdf.writer import PdfWriter

TEXTS = (INTRODUCTION, METHODS, RESULTS)


def paper(*headings: tuple[str, float, str], centred: bool = False, bookmarks: tuple[str, ...] = ()) -> PdfWriter:
    """A paper with a large title and, under each heading (text, size, font), one paragraph."""
    pdf = PdfWriter(bookmarks=list(bookmarks)).page()
    pdf.centred(70, "Pools of the Northern Coast", 20)
    y = 120.0
    for place, (text, size, font) in enumerate(headings):
        if y > 650:
            pdf.page()
            y = 90.0
        if centred:
            pdf.centred(y, text, size, font)
        else:
            pdf.line(90, y, text, size, font)
        y = pdf.paragraph(90, y + 20, 415, TEXTS[place % 3]) + 20
    return pdf


def tops(pdf: PdfWriter) -> list[str]:
    return [section.title for section in read_pdf(pdf.data(), "x.pdf").document.sections]


@pytest.mark.parametrize(
    "numbers",
    [("1", "2", "3"), ("1.", "2.", "3."), ("I.", "II.", "III."), ("1", "2", "A")],
    ids=["plain", "with points", "roman", "an appendix"],
)
def test_numbered_headings(numbers: tuple[str, str, str]) -> None:
    titles = ("Introduction", "Pools and Loggers", "What We Found")
    headings = [(f"{number}   {title}", 13.0, "bold") for number, title in zip(numbers, titles, strict=True)]
    if numbers[2] == "A":
        headings[2] = ("A. What We Found", 13.0, "bold")
    assert tops(paper(*headings)) == list(titles)


def test_lower_numbers_do_not_make_sections() -> None:
    pdf = paper(("1  Introduction", 13, "bold"), ("1.1  Pools", 11, "bold"), ("2  Methods", 13, "bold"))
    document = read_pdf(pdf.data(), "x.pdf").document
    assert [section.title for section in document.sections] == ["Introduction", "Methods"]
    assert "1.1 Pools" in document.sections[0].text.split("\n\n")


def test_a_list_of_numbered_bold_items_does_not_make_sections() -> None:
    pdf = paper(
        ("1  Introduction", 14, "bold"),
        ("2  Methods", 14, "bold"),
        ("1. Find a pool.", 10, "bold"),
        ("2. Measure it.", 10, "bold"),
        ("3  Results", 14, "bold"),
    )
    assert tops(pdf) == ["Introduction", "Methods", "Results"]


def test_unnumbered_headings_by_size() -> None:
    pdf = paper(
        ("Where pools form", 14, "bold"),
        ("On rock", 11, "bold"),
        ("How pools cool", 14, "bold"),
        ("What follows", 14, "bold"),
    )
    assert tops(pdf) == ["Where pools form", "How pools cool", "What follows"]


def test_known_names_show_which_look_is_at_the_top() -> None:
    pdf = paper(
        ("INTRODUCTION", 10, "regular"),
        ("Pools", 10, "bold"),
        ("METHODS", 10, "regular"),
        ("FIELD SITES", 10, "regular"),
        centred=True,
    )
    assert tops(pdf) == ["INTRODUCTION", "METHODS", "FIELD SITES"]


def test_unnumbered_sections_beside_numbered_ones() -> None:
    pdf = paper(("1  Introduction", 13, "bold"), ("2  Methods", 13, "bold"), ("Data access", 13, "bold"))
    assert tops(pdf) == ["Introduction", "Methods", "Data access"]


def test_a_heading_of_two_lines_is_one() -> None:
    pdf = paper(("1  Introduction", 14, "bold"))
    y = 300.0
    pdf.line(90, y, "2  A long heading that says what this part of the paper is", 14, "bold")
    pdf.line(108, y + 17, "about in full", 14, "bold")
    pdf.paragraph(90, y + 40, 415, METHODS)
    assert tops(pdf) == ["Introduction", "A long heading that says what this part of the paper is about in full"]


def test_bookmarks_are_evidence() -> None:
    headings = (("Where pools form", 11, "bold"), ("On rock", 11, "bold"), ("How pools cool", 11, "bold"))
    assert tops(paper(*headings)) == ["Where pools form", "On rock", "How pools cool"]
    marked = paper(*headings, bookmarks=("Where pools form", "How pools cool"))
    assert tops(marked)[0] == "Where pools form"
    assert "How pools cool" in tops(marked)


def test_captions_and_bold_starts_of_paragraphs_are_no_headings() -> None:
    pdf = paper(("1  Introduction", 14, "bold"), ("Table 1: Pools by depth", 11, "bold"), ("2  Results", 14, "bold"))
    assert tops(pdf) == ["Introduction", "Results"]


def test_a_german_paper() -> None:
    pdf = paper(
        ("Zusammenfassung", 10, "bold"),
        ("1  Einleitung", 13, "bold"),
        ("2  Ergebnisse", 13, "bold"),
        ("Literatur", 13, "bold"),
    )
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.abstract == INTRODUCTION
    assert [(section.title, section.role) for section in document.sections] == [
        ("Einleitung", "body"),
        ("Ergebnisse", "body"),
        ("Literatur", "references"),
    ]


def test_an_abstract_without_a_name_is_told_by_its_look() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, "Pools of the Northern Coast", 20)
    pdf.paragraph(120, 120, 355, INTRODUCTION, size=8.5)
    for place, (title, text) in enumerate(zip(("1  Introduction", "2  Methods"), TEXTS[1:], strict=True)):
        pdf.line(90, 220 + 200 * place, title, 14, "bold")
        pdf.paragraph(90, 240 + 200 * place, 415, f"{text} {INTRODUCTION}")
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.abstract == INTRODUCTION
    assert [section.title for section in document.sections] == ["Introduction", "Methods"]


def test_the_title_is_not_the_journals_name() -> None:
    pdf = paper(("1  Introduction", 14, "bold"), ("2  Methods", 14, "bold"))
    pdf.pages[0], kept = [], pdf.pages[0]
    first, *others = pdf.pages
    pdf.pages = [first]
    pdf.line(90, 40, "Journal of Northern Shores", 24)
    pdf.pages = [[*pdf.pages[0], *kept], *others]
    assert read_pdf(pdf.data(), "x.pdf").document.title == "Pools of the Northern Coast"


def test_addresses_after_the_text_end_the_last_section() -> None:
    pdf = paper(("1  Introduction", 13, "bold"), ("2  Methods", 13, "bold"), ("Affiliation:", 11, "bold"))
    sections = read_pdf(pdf.data(), "x.pdf").document.sections
    assert [(section.title, section.text) for section in sections] == [
        ("Introduction", INTRODUCTION),
        ("Methods", METHODS),
    ]


def test_a_first_heading_that_is_partly_code_counts_with_the_others() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    y = 100.0
    for number, name in enumerate(("Model:", "Data on many pools", "Results of the year"), start=1):
        pdf.line(90, y, f"{number}. {name}", 14, "bold")
        if number == 1:
            pdf.line(150, y, "tidepool", 14, "mono")
        y = pdf.paragraph(90, y + 20, 415, METHODS) + 20
    titles = [section.title for section in read_pdf(pdf.data(), "x.pdf").document.sections]
    assert titles == ["Model: tidepool", "Data on many pools", "Results of the year"]


def test_numbered_appendices_do_not_outrank_sections_without_numbers() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    y = 100.0
    for name in ("Introduction", "Pools and loggers", "Summary"):
        pdf.line(90, y, name, 12, "bold")
        y = pdf.paragraph(90, y + 20, 415, METHODS) + 20
    pdf.page()
    for place, name in enumerate(("References", "Appendix 1: Loggers", "Appendix 2: Pools")):
        pdf.line(90, 100 + 120 * place, name, 12 if place == 0 else 10.5, "bold")
        pdf.paragraph(90, 120 + 120 * place, 415, RESULTS)
    titles = [section.title for section in read_pdf(pdf.data(), "x.pdf").document.sections]
    assert titles == [
        "Introduction",
        "Pools and loggers",
        "Summary",
        "References",
        "Appendix 1: Loggers",
        "Appendix 2: Pools",
    ]


def test_a_numbered_heading_of_the_titles_words_is_no_running_head() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, "Measured: Tide Pools in Winter", 18, "bold")
    pdf.line(90, 110, "1. Introduction", 12, "bold")
    pdf.paragraph(90, 130, 415, INTRODUCTION)
    pdf.page()
    pdf.line(90, 70, "2. Tide Pools", 12, "bold")
    pdf.paragraph(90, 90, 415, METHODS)
    titles = [section.title for section in read_pdf(pdf.data(), "x.pdf").document.sections]
    assert titles == ["Introduction", "Tide Pools"]


@pytest.mark.parametrize("label", ["Chapter", "Kapitel", "CHAPITRE"])
def test_a_chapters_number_above_its_title_is_no_heading_of_its_own(label: str) -> None:
    pdf = PdfWriter().page()
    pdf.centred(300, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    pdf.centred(340, "Ada Moor", 12)
    for number, title in enumerate(("Tides", "Pools of the North"), 1):
        pdf.page()
        pdf.line(90, 120, f"{label} {number}", 20, "bold")
        pdf.line(90, 170, title, 24, "bold")
        y = pdf.paragraph(90, 230, 415, METHODS)
        pdf.line(90, y + 20, f"{number}.1  Coasts", 14, "bold")
        pdf.paragraph(90, y + 44, 415, RESULTS)
    found = read_pdf(pdf.data(), "x.pdf").document
    assert [one.title for one in found.sections] == ["Tides", "Pools of the North"]
    assert found.sections[1].text.startswith("Each pool carried")
