"""A document's parts from a PDF: the pages of a passage, reference lists without a heading."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from engine.documents import Document, Translation
from engine.documents.text import clean
from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf.papers import ABSTRACT, INTRODUCTION, METHODS, RESULTS, one_column, patent
from tests.reading.pdf.writer import PdfWriter

VIGNETTES = Path("/usr/lib/R/site-library")
SAME_LETTERS = 14
"""This many letters and digits after a page's start are looked for on that page."""


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, clean(text)))


def test_sections_know_their_pages() -> None:
    document = read_pdf(one_column().data(), "x.pdf").document
    pages = {section.title: section.page_at(0) for section in document.sections if section.role != "references"}
    assert pages == {"Introduction": 1, "Methods": 1, "Results": 2, "Discussion": 3, "Conclusions": 4}


def test_a_footnote_is_on_the_page_that_it_stands_on() -> None:
    pdf = PdfWriter()
    for number in (1, 2):
        pdf.page()
        pdf.line(90, 80, f"{number}  {('Introduction', 'Methods')[number - 1]}", 14, "bold")
        y = pdf.paragraph(90, 102, 415, INTRODUCTION)
        pdf.paragraph(90, pdf.paragraph(90, y + 24, 415, METHODS) + 24, 415, RESULTS)
    pdf.line(90, 760, "1 A footnote of the second page says a little more.", 7)
    methods = read_pdf(pdf.data(), "x.pdf").document.sections[1]
    assert methods.page_at(methods.text.index("A footnote")) == methods.page_at(0) == 2


def test_a_patents_description_keeps_its_pages_without_the_claims() -> None:
    document = read_pdf(patent().data(), "x.pdf").document
    assert document.claims
    pages = [start for section in document.sections for start in section.pages]
    assert pages
    assert all(start < len(section.text) for section in document.sections for start, _ in section.pages)


@pytest.mark.parametrize("paper", ["lme4/doc/lmer.pdf", "sandwich/doc/sandwich-CL.pdf", "zoo/doc/zoo.pdf"])
def test_pages_of_real_papers_hold_what_is_said_to_begin_there(paper: str) -> None:
    """A displayed formula's signs come in another order from the file: a few pages begin with one."""
    file = VIGNETTES / paper
    if not file.is_file():
        pytest.skip(f"{paper} is not there: it comes with Debian's package r-cran-{paper.split('/')[0]}")
    document = read_pdf(file.read_bytes(), file.name).document
    with pypdfium2.PdfDocument(file) as pdf:
        printed = [letters(page.get_textpage().get_text_range()) for page in pdf]
    starts = [(text[start : start + 80], page) for text, start, page in _starts(document)]
    assert len({page for _, page in starts}) >= 0.8 * len(printed)  # the reference list's pages are not told
    wrong = [begun for begun, page in starts if letters(begun)[:SAME_LETTERS] not in printed[page - 1]]
    assert len(wrong) <= 0.07 * len(starts), wrong


def _starts(document: Document) -> list[tuple[str, int, int]]:
    return [(section.text, start, page) for section in document.sections for start, page in section.pages]


PROSE = {
    "en": f"{ABSTRACT} The rule holds on every coast that we have seen.",
    "de": "Wir messen vierzig Becken an einer felsigen Kueste und zeigen, dass die Tiefe, nicht die Flaeche, bestimmt, "
    "wie weit die Temperatur vor dem Morgen sinkt. Die Regel gilt an jeder Kueste, die wir gesehen haben, und auch im "
    "Winter, wenn das Wasser an der Luft gefriert.",
}
HEADED = {"en": "Abstract", "de": "Zusammenfassung"}
TITLES = {"en": ("Introduction", "Methods"), "de": ("Einleitung", "Methoden")}
LISTED = {"en": "Keywords: pools, heat", "de": "Schlagworte: Becken, Wärme"}


def bilingual(order: str, *, own: str, run_in: bool, between: str = "") -> Document:
    """A paper with an abstract in two languages, each with its key words below."""
    pdf = PdfWriter().page()
    pdf.centred(60, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    pdf.centred(90, "Ada Moor", 12)
    y = 120.0
    for language in order.split():
        if between and y > 120:
            pdf.centred(y, between, 13, "bold")
            y += 24
        if run_in:
            pdf.line(90, y, f"{HEADED[language]}.", 10, "bold")
            y = pdf.paragraph(90, y + 12, 415, PROSE[language])
        else:
            pdf.line(90, y, HEADED[language], 12, "bold")
            y = pdf.paragraph(90, y + 18, 415, PROSE[language])
        pdf.line(90, y, LISTED[language])
        y += 12 if run_in else 30
    for number, title in enumerate(TITLES[own], 1):
        pdf.line(90, y + 20, f"{number}  {title}", 14, "bold")
        y = pdf.paragraph(90, y + 42, 415, {"en": METHODS, "de": PROSE["de"]}[own])
    return read_pdf(pdf.data(), "x.pdf").document


@pytest.mark.parametrize("run_in", [True, False])
@pytest.mark.parametrize("own", ["en", "de"])
@pytest.mark.parametrize("order", ["en de", "de en"])
def test_an_abstract_in_two_languages(order: str, own: str, run_in: bool) -> None:
    found = bilingual(order, own=own, run_in=run_in)
    other = "de" if own == "en" else "en"
    assert (found.language, found.abstract) == (own, PROSE[own])
    assert found.translations == (Translation(other, abstract=PROSE[other]),)
    assert [one.title for one in found.sections] == list(TITLES[own])
    assert len(found.keywords) == 2


def test_a_title_between_two_abstracts_is_no_section() -> None:
    found = bilingual("en de", own="de", run_in=False, between="Tiefe bestimmt die Wärme der Becken an der See")
    assert (found.language, found.abstract) == ("de", PROSE["de"])
    assert [one.title for one in found.sections] == ["Einleitung", "Methoden"]


def test_a_summary_in_the_language_of_the_abstract_is_a_section() -> None:
    pdf = PdfWriter().page()
    pdf.centred(60, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    y = 100.0
    for title in ("Abstract", "Summary", "Introduction", "Methods"):
        pdf.line(90, y + 20, title, 14, "bold")
        y = pdf.paragraph(90, y + 42, 415, PROSE["en"])
    found = read_pdf(pdf.data(), "x.pdf").document
    assert [one.title for one in found.sections] == ["Summary", "Introduction", "Methods"]
    assert (found.language, found.translations) == ("", ())


def roles(*entries: str) -> list[tuple[str, str]]:
    pdf = PdfWriter().page()
    pdf.line(90, 80, "METHODS", 10, "bold")
    y = pdf.paragraph(90, 96, 415, f"{METHODS} {INTRODUCTION}") + 20
    for entry in entries:
        y = pdf.paragraph(90, y, 415, entry, size=8) + 2
    return [(section.role, section.text) for section in read_pdf(pdf.data(), "x.pdf").document.sections]


@pytest.mark.parametrize("label", ["1. ", "[1] "])
def test_numbered_entries_with_years_are_references(label: str) -> None:
    entries = [
        f"{label.replace('1', str(number))}Moor, A. Heat. Shore Notes 5, 1-9 (200{number})." for number in (1, 2)
    ]
    assert roles(*entries)[-1] == ("references", "\n\n".join(entries))


def test_a_numbered_list_without_years_is_text() -> None:
    assert [role for role, _ in roles("1. Fill the pool with water.", "2. Wait for the night.")] == ["body"]
