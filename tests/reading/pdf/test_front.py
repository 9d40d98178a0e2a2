"""What stands on a PDF's first page: names, an abstract's ends, a year; hostile lines are told as fast as others."""

from __future__ import annotations

import pytest

from engine.documents import Document
from engine.reading.pdf.byline import may_be_author
from engine.reading.pdf.imprint import doi_of, year_of
from engine.reading.pdf.opening import plausible_title
from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf.papers import ABSTRACT, INTRODUCTION, METHODS, RESULTS
from tests.reading.pdf.writer import PdfWriter


def test_a_year_stands_beside_its_word() -> None:
    assert year_of("Volume 12, Number 3, 2004") == 2004
    assert year_of("Received 3 September 2011") == 2011


@pytest.mark.parametrize("line", ["vol" * 30_000, "mar" * 30_000, "proceedings" * 5_000])
def test_a_long_line_without_a_year(line: str) -> None:
    assert year_of(line) is None


def test_a_doi_of_zeros_is_none() -> None:
    assert doi_of("doi: 10.1000/a0000") == ""
    assert doi_of("doi: 10.1000/a1000.") == "10.1000/a1000"


def test_what_is_far_too_long_is_no_doi() -> None:
    assert doi_of("doi:10.1000/" + "a/0" * 30_000 + "1") == ""


def front_page(*lines: tuple[str, float, str], below: str = INTRODUCTION) -> Document:
    """A page with a title, the given lines of (text, size, font), and a numbered section."""
    pdf = PdfWriter().page()
    pdf.centred(80, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    for place, (text, size, font) in enumerate(lines):
        pdf.centred(110 + 16 * place, text, size, font)
    y = pdf.paragraph(90, 220, 415, below)
    pdf.line(90, y + 30, "1  Introduction", 14, "bold")
    pdf.paragraph(90, y + 52, 415, METHODS)
    return read_pdf(pdf.data(), "x.pdf").document


def test_words_before_a_name_are_no_part_of_it() -> None:
    assert front_page(("by Ada Moor and Ben K. Strand", 12, "regular")).authors == ("Ada Moor", "Ben K. Strand")
    assert front_page(("and Ada Moor", 12, "regular"), ("Shore Clinic", 12, "regular")).authors == ("Ada Moor",)


def test_a_sentence_is_no_name() -> None:
    assert front_page(("Pools Lose Their Warmth quickly", 12, "regular")).authors == ()


def test_the_abstracts_name_may_stand_without_a_mark() -> None:
    pdf = PdfWriter().page()
    pdf.centred(80, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    pdf.line(90, 120, "Abstract", 10, "bold")
    pdf.line(134, 120, "We measured forty pools on a rocky coast for one year.")
    pdf.line(90, 160, "1  Introduction", 14, "bold")
    pdf.paragraph(90, 182, 415, METHODS)
    assert read_pdf(pdf.data(), "x.pdf").document.abstract.startswith("We measured forty pools")


def test_a_bold_abstract_ends_where_the_text_begins() -> None:
    pdf = PdfWriter().page()
    pdf.centred(80, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    for place in range(4):
        pdf.line(90, 120 + 11 * place, "Deep pools of the coast keep their heat in each month of the year.", 9, "bold")
    y = pdf.paragraph(90, 190, 415, INTRODUCTION)
    pdf.line(90, y + 30, "1  Methods", 14, "bold")
    pdf.paragraph(90, y + 52, 415, METHODS)
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.abstract.startswith("Deep pools") and document.abstract.endswith("of the year.")
    assert document.sections[0].text == INTRODUCTION


def test_an_abstract_ends_at_a_contents_list_and_at_a_publishers_lines() -> None:
    for title in ("Contents", "CCS Concepts: shores; heat."):
        pdf = PdfWriter().page()
        pdf.centred(80, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
        pdf.line(90, 120, "Abstract", 12, "bold")
        y = pdf.paragraph(90, 140, 415, ABSTRACT)
        pdf.line(90, y + 20, title, 10 if ":" in title else 12, "regular" if ":" in title else "bold")
        if title == "Contents":
            pdf.line(90, y + 40, "1 Methods . . . . . . . . . . . . . 1")
        y = pdf.paragraph(90, y + 70, 415, INTRODUCTION)
        pdf.line(90, y + 30, "1  Methods", 14, "bold")
        pdf.paragraph(90, y + 52, 415, METHODS)
        document = read_pdf(pdf.data(), "x.pdf").document
        assert document.abstract == ABSTRACT
        assert document.sections[0].text.endswith(INTRODUCTION)


@pytest.mark.parametrize(
    "notice",
    [
        "Permission to make digital or hard copies of all or part of this work is granted without fee.",
        "© 2020 The Authors. Publication rights licensed to nobody.",
        "This article is licensed under a Creative Commons Attribution licence, which permits use.",
    ],
)
def test_a_notice_of_rights_is_no_part_of_the_abstract_above_it(notice: str) -> None:
    pdf = PdfWriter().page()
    pdf.centred(80, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    pdf.line(90, 120, "Abstract", 12, "bold")
    y = pdf.paragraph(90, 140, 415, ABSTRACT)
    y = pdf.paragraph(90, y + 24, 415, notice)
    pdf.line(90, y + 30, "1  Methods", 14, "bold")
    pdf.paragraph(90, y + 52, 415, METHODS)
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.abstract == ABSTRACT
    assert [section.text for section in document.sections if section.title == "Methods"] == [METHODS]


def test_a_number_of_a_preprint_is_no_year() -> None:
    assert year_of("https://arxiv.org/abs/1911.06416") is None


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("Received 4 October 2019; accepted 8 March 2020\nReef Notes, Vol. 29 No. 2, 2021, pp. 1-9", 2021),
        ("Manuscript received March 2, 2006\nShore Letters, Volume 12, September 2007", 2007),
        ("Received: April 14, 2020\nPublished: June 13, 2021", 2021),
        ("Moor et al. Shore Health 2010, 4:1", 2010),
        ("Shore Notes 54a, 272-280 (2000)\nReceived June 12, 1998", 2000),
    ],
)
def test_publication_counts_before_receipt(text: str, year: int) -> None:
    assert year_of(text) == year


def test_a_title_may_be_set_with_double_spacing() -> None:
    pdf = PdfWriter().page()
    pdf.centred(120, "Depth Decides How Tide", 18)
    pdf.centred(160, "Pools Keep Heat", 18)
    pdf.centred(200, "Ada Moor", 12)
    pdf.page()
    pdf.line(90, 60, "1  Introduction", 12, "bold")
    pdf.paragraph(90, 80, 415, METHODS)
    assert read_pdf(pdf.data(), "x.pdf").document.title == "Depth Decides How Tide Pools Keep Heat"


def test_an_abstract_without_a_name_follows_notices() -> None:
    notice = "Copyright 2021 Ada Moor. This is an open access article, which permits unrestricted use of the work. " * 3
    pdf = PdfWriter().page()
    pdf.line(60, 80, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    pdf.line(80, 110, "Ada Moor, Ben K. Strand", 11, "bold")
    pdf.line(80, 130, "Received 9 November 2020", 9)
    y = pdf.paragraph(80, 150, 435, notice, size=9)
    y = pdf.paragraph(80, y + 8, 435, ABSTRACT, size=9)
    pdf.line(60, y + 30, "1. Introduction", 12, "bold")
    pdf.paragraph(60, y + 50, 475, METHODS)
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.abstract == ABSTRACT
    assert document.authors == ("Ada Moor", "Ben K. Strand")


def test_a_label_above_the_title_is_no_author() -> None:
    pdf = PdfWriter().page()
    pdf.line(60, 60, "RESEARCH ARTICLE", 10, "bold")
    pdf.line(450, 60, "Open Access", 10, "bold")
    pdf.line(60, 90, "Depth Decides How Tide Pools Keep Their Heat", 18)
    pdf.line(60, 112, "Ada Moor1*, Ben K. Strand2", 10)
    pdf.line(60, 150, "Abstract", 10, "bold")
    y = pdf.paragraph(60, 166, 475, ABSTRACT)
    pdf.line(60, y + 20, "Background", 10, "bold")
    pdf.paragraph(60, y + 36, 475, METHODS)
    document = read_pdf(pdf.data(), "x.pdf").document
    assert (document.authors, document.abstract) == (("Ada Moor", "Ben K. Strand"), ABSTRACT)


@pytest.mark.parametrize(
    "title",
    [
        "Adobe Photoshop PDF",
        "Adobe InDesign CS6 (Windows)",
        "Microsoft PowerPoint - talk",
        "PowerPoint Presentation",
        "LaTeX output 2019.03.04:1215",
        "Scanned Document",
        "Untitled-1 copy",
        "(Untitled document)",
        r"C:\papers\tides final.dvi",
        "tides of the coast.indd (read-only)",
        "PII: S0140-6736(98)00123-4",
        "pnas.1234567 1..6",
        "Acrobat PDFMaker 9.1 for Word",
        "untitled",
        "Tides",
    ],
)
def test_a_programs_or_a_files_name_is_no_title(title: str) -> None:
    assert plausible_title(title) == ""


@pytest.mark.parametrize(
    "title",
    [
        "Writing with LaTeX",
        "X-ray diffraction",
        "On Adobe bricks of the coast",
        "BRCA1 mutations",
        "Pools of the U.S. coast",
        "\u6f6e\u6c50\u6c60\u4e2d\u7684\u6e29\u5ea6 \u53ca\u5176\u53d8\u5316",
    ],
)
def test_a_title_of_the_metadata_may_speak_of_programs(title: str) -> None:
    assert plausible_title(title) == title


def test_headings_of_classes_and_key_words_begin_no_section() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    pdf.centred(100, "Ada Moor", 12)
    y = 140.0
    for heading, text in (
        ("ABSTRACT", ABSTRACT),
        ("CCS CONCEPTS", "Applied computing: Marine science."),
        ("KEYWORDS", "tide pools, heat loss, loggers"),
        ("INTRODUCTION", f"{INTRODUCTION} {METHODS}"),
        ("METHODS", METHODS),
    ):
        pdf.line(90, y, heading, 12, "bold")
        y = pdf.paragraph(90, y + 16, 415, text) + 14
    document = read_pdf(pdf.data(), "x.pdf").document
    assert [section.title for section in document.sections] == ["INTRODUCTION", "METHODS"]
    assert document.keywords == ("tide pools", "heat loss", "loggers")
    assert document.abstract == ABSTRACT


def test_an_affiliation_by_a_raised_number_hides_no_abstract_below_it() -> None:
    pdf = PdfWriter().page()
    pdf.centred(62, "Depth Decides How Tide Pools Keep Their Heat", 12, "bold")
    pdf.centred(86, "Ada Moor and Ben K. Strand", 10)
    pdf.line(236, 96, "1", 6)
    pdf.line(240, 100, "Institute of Shores, Northport", 9, "italic")
    pdf.paragraph(110, 124, 390, ABSTRACT, size=9)
    pdf.line(120, 200, "INTRODUCTION", 9, "bold")
    for x in (50, 309):
        pdf.paragraph(x, 220, 236, f"{INTRODUCTION} {METHODS} {INTRODUCTION}")
    found = read_pdf(pdf.data(), "x.pdf")
    assert found.document.abstract == ABSTRACT
    assert [one.title for one in found.document.sections] == ["INTRODUCTION"]


def test_names_in_the_middle_of_three_columns_stand_above_all_of_them() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, "Depth Decides How Tide Pools Keep Their Heat", 16, "bold")
    pdf.centred(96, "Ada Moor, Ben K. Strand", 11)
    pdf.centred(110, "Institute of Shores", 10)
    for number, x in enumerate((40, 220, 400)):
        pdf.line(x, 150, ("Introduction", "Methods", "Results")[number], 13, "bold")
        y = pdf.paragraph(x, 170, 155, (INTRODUCTION, METHODS, METHODS)[number])
        pdf.paragraph(x, y, 155, f"{METHODS} {INTRODUCTION} {METHODS}", indent=12)
    found = read_pdf(pdf.data(), "x.pdf").document
    assert found.authors == ("Ada Moor", "Ben K. Strand")
    assert [one.title for one in found.sections] == ["Introduction", "Methods", "Results"]
    assert "Ada Moor" not in found.text


@pytest.mark.parametrize(
    "text",
    ["Open Access", "Free Full Text", "REVIEW ARTICLE", "Shore Institute", "New York", "As Published:", "Hill Street"],
)
def test_labels_and_places_are_no_names(text: str) -> None:
    assert not may_be_author(text)
    assert may_be_author("Ada Moor")


def paper(*lines: tuple[float, float, str, str]) -> tuple[str, ...]:
    pdf = PdfWriter().page()
    pdf.centred(70, "Depth Decides How Tide Pools Keep Their Heat", 16, "bold")
    for x, y, text, font in lines:
        pdf.line(x, y, text, 11, font)
    pdf.line(90, 300, "Abstract", 11, "bold")
    pdf.paragraph(90, 316, 415, METHODS)
    pdf.line(90, 400, "1  Introduction", 12, "bold")
    pdf.paragraph(90, 420, 415, METHODS)
    return read_pdf(pdf.data(), "x.pdf").document.authors


def test_a_grid_gives_its_rows_one_after_the_other() -> None:
    lines = []
    for place, name in enumerate(("Ada Moor", "Ben Strand", "Cleo Reed", "Dai Tarn", "Eva Fox")):
        x, y = 90 + 160 * (place % 3), 110 + 56 * (place // 3)
        lines += [(x, y, name, "bold"), (x, y + 13, "Shore House", "regular"), (x, y + 26, "ab@shore.example", "mono")]
    assert paper(*lines) == ("Ada Moor", "Ben Strand", "Cleo Reed", "Dai Tarn", "Eva Fox")


def test_names_stand_over_their_addresses() -> None:
    lines = [(90, 110, "Ada Moor", "regular"), (90, 124, "Shore House, Accra", "italic"),
             (90, 142, "Ben Strand", "regular"), (90, 156, "North House, Lund", "italic")]  # fmt: skip
    assert paper(*lines) == ("Ada Moor", "Ben Strand")


def test_an_address_in_the_look_of_the_names_is_none() -> None:
    assert paper((90, 110, "Ada Moor and Ben Strand", "regular"), (90, 134, "Lamp House, Lund", "regular")) == (
        "Ada Moor",
        "Ben Strand",
    )


def test_a_lines_end_may_cut_a_name_and_authors_have_their_own_fonts() -> None:
    pdf = PdfWriter().page()
    pdf.centred(80, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    pdf.centred(110, "Ada Moor, Ben K. Strand, Cleo Tern, Dan Weir, and Eva", 12, "sans")
    pdf.centred(124, "Fox", 12, "sans")
    pdf.centred(150, "Shore House, University of Reef", 10)
    pdf.line(90, 190, "1  Introduction", 12, "bold")
    pdf.paragraph(90, 210, 415, f"{METHODS} {METHODS}")
    authors = read_pdf(pdf.data(), "x.pdf").document.authors
    assert authors == ("Ada Moor", "Ben K. Strand", "Cleo Tern", "Dan Weir", "Eva Fox")


def test_names_in_a_font_of_their_own_above_text_without_headings_are_read_and_no_text() -> None:
    pdf = PdfWriter().page()
    pdf.centred(90, "Notes on the Heat of Tide Pools", 18)
    pdf.centred(130, "Ada Moor", 12, "sans")
    pdf.centred(150, "November 11, 2021", 12, "sans")
    y = 200.0
    for _ in range(4):
        y = pdf.paragraph(90, y, 415, INTRODUCTION) + 12
    document = read_pdf(pdf.data(), "x.pdf").document
    assert (document.title, document.authors) == ("Notes on the Heat of Tide Pools", ("Ada Moor",))
    assert document.year == 2021
    (section,) = document.sections
    assert section.text.startswith(INTRODUCTION[:40])


def test_small_names_between_a_title_and_the_text_stay_at_the_top_of_the_page() -> None:
    pdf = PdfWriter().page()
    pdf.line(60, 60, "Tide Pool Attributes", 22)
    pdf.line(60, 84, "Ada Moor, Ben Strand, and Cleo Adu", 8)
    pdf.line(60, 700, "Received in spring; the logs are kept at the shore.", 6)
    pdf.line(60, 130, "Abstract", 10, "bold")
    y = pdf.paragraph(60, 146, 475, ABSTRACT)
    pdf.line(60, y + 20, "1  Introduction", 14, "bold")
    y = pdf.paragraph(60, y + 40, 475, INTRODUCTION)
    for number in (2, 3, 4):
        pdf.page()
        pdf.line(60, 50, "Tide Pool Attributes", 8)
        y = pdf.paragraph(60, 80, 475, METHODS)
        pdf.line(60, y + 20, f"{number}  Shores", 14, "bold")
        pdf.paragraph(60, y + 40, 475, RESULTS)
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.title == "Tide Pool Attributes"
    assert document.authors == ("Ada Moor", "Ben Strand", "Cleo Adu")
    assert "Tide Pool Attributes" not in " ".join(section.text for section in document.sections)
