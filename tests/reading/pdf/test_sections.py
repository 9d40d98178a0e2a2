"""A PDF's lines become headings, paragraphs and sections; covers, running heads and footnotes are left out."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from engine.documents import Document, Translation
from engine.documents.text import clean
from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf import papers as pdf_papers
from tests.reading.pdf.papers import ABSTRACT, INTRODUCTION, METHODS, RESULTS, one_column, patent, text_of
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
