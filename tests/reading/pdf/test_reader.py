"""PDFs that we wrote, read as papers and patents; and every kind of file that must be refused with a reason."""

from __future__ import annotations

import threading

import pytest

from engine.core import files
from engine.documents import Document, PageStart, Section
from engine.reading.pdf.reader import as_patent, read_pdf
from tests.reading.pdf import papers as pdf_papers
from tests.reading.pdf.papers import ABSTRACT, INTRODUCTION, METHODS, REFERENCES, RESULTS
from tests.reading.pdf.writer import PdfWriter


def titles(data: bytes) -> list[str]:
    return [section.title for section in read_pdf(data, "paper.pdf").document.sections]


def test_one_column_paper_is_read_whole() -> None:
    data = pdf_papers.one_column().data()
    reading = read_pdf(data, "paper.pdf")
    document = reading.document
    assert (reading.format, reading.pages, reading.warnings) == ("pdf", 4, ())
    assert document.id == f"file:{files.fingerprint(data)}"
    assert document.kind == "paper"
    assert document.title == "Depth Decides How Tide Pools Keep Their Heat"
    assert document.authors == ("Ada Moor", "Ben K. Strand")
    assert document.abstract == ABSTRACT
    assert document.keywords == ("tide pools", "temperature", "loggers")
    assert [section.title for section in document.sections] == [
        "Introduction",
        "Methods",
        "Results",
        "Discussion",
        "Conclusions",
        "References",
    ]


def test_paragraphs_and_lower_headings_stay_in_a_section() -> None:
    methods = read_pdf(pdf_papers.one_column().data(), "paper.pdf").document.sections[1]
    assert methods.text == f"{METHODS}\n\n2.1 Loggers\n\n{RESULTS}"
    assert methods.role == "body"


def test_the_reference_list_is_set_apart_entry_by_entry() -> None:
    references = read_pdf(pdf_papers.one_column().data(), "paper.pdf").document.sections[-1]
    assert references.role == "references"
    assert references.text == "\n\n".join(REFERENCES)


def test_a_doi_on_the_first_page_is_the_id() -> None:
    pdf = pdf_papers.one_column()
    pdf.pages[0], rest = [], pdf.pages[0]
    pdf.pages, pages = [[]], pdf.pages
    pdf.line(90, 40, "Journal of Shores 12 (2021), doi:10.5555/Shores.2021.7.", 8)
    pdf.pages = [[*pdf.pages[0], *rest], *pages[1:]]
    document = read_pdf(pdf.data(), "paper.pdf").document
    assert document.id == "doi:10.5555/shores.2021.7"
    assert document.url == "https://doi.org/10.5555/shores.2021.7"


@pytest.mark.parametrize(
    "printed",
    ["doi:10.5555/v000.i00", "doi:10.1145/nnnnnnn.nnnnnnn", "doi:10.5555/1 and doi:10.5555/2", "10.5555/12345"],
    ids=["zeros of a template", "letters of a template", "two", "not printed as a DOI"],
)
def test_what_is_not_plainly_the_papers_doi_is_no_id(printed: str) -> None:
    pdf = PdfWriter().page()
    pdf.line(90, 40, printed, 8)
    pdf.paragraph(90, 100, 415, INTRODUCTION)
    assert read_pdf(pdf.data(), "paper.pdf").document.id.startswith("file:")


def test_the_metadata_give_the_title_only_where_the_page_has_none() -> None:
    pdf = PdfWriter(title="A Year of Forty Tide Pools").page()
    pdf.paragraph(90, 100, 415, f"{INTRODUCTION} {METHODS} {RESULTS}")
    assert read_pdf(pdf.data(), "x.pdf").document.title == "A Year of Forty Tide Pools"
    assert read_pdf(pdf_papers.one_column(title="Some other title").data(), "x.pdf").document.title.startswith("Depth")


@pytest.mark.parametrize("junk", ["paper_final2.docx", "Microsoft Word - draft", "tidepools-v3", "Adobe Photoshop PDF"])
def test_a_junk_title_in_the_metadata_is_not_taken(junk: str) -> None:
    pdf = PdfWriter(title=junk).page()
    pdf.paragraph(90, 100, 415, f"{INTRODUCTION} {METHODS} {RESULTS}")
    reading = read_pdf(pdf.data(), "x.pdf")
    assert reading.document.title == ""
    assert "No title was found; please add it." in reading.warnings


def test_the_metadatas_authors_complete_those_that_were_found() -> None:
    pdf = pdf_papers.one_column(author="Ada Moor, Ben K. Strand, Cleo Tern")
    assert read_pdf(pdf.data(), "x.pdf").document.authors == ("Ada Moor", "Ben K. Strand", "Cleo Tern")
    pdf = pdf_papers.one_column(author="scanner, user, admin")
    assert read_pdf(pdf.data(), "x.pdf").document.authors == ("Ada Moor", "Ben K. Strand")


@pytest.mark.parametrize("page", [2, 1])
def test_notes_of_a_text_without_headings_are_kept_or_told(page: int) -> None:
    pdf = PdfWriter()
    for place in (1, 2):
        y = pdf.page().paragraph(90, 100, 415, f"{INTRODUCTION} {METHODS} {RESULTS}")
        if place == page:
            pdf.line(90, y + 30, "1", 5)
            pdf.line(94, y + 33, "The loggers were lent by the station, which has had them for a long time by now,", 8)
            pdf.line(90, y + 42, "and were given back after a year of work.", 8)
    reading = read_pdf(pdf.data(), "x.pdf")
    told = "Notes or text in a margin belong to no section and were left out: page 1."
    kept = reading.document.sections[-1].text.endswith("were given back after a year of work.")
    assert (kept, told in reading.warnings) == ((True, False) if page == 2 else (False, True))


def test_text_that_is_set_sideways_is_told() -> None:
    pdf = pdf_papers.one_column()
    for place in range(6):
        pdf.turned(300 + 12 * place, 700, "A wide table of pools, depths, and how warm they were by day and night")
    said = "Text that is set sideways, such as a wide table, was left out: pages 4."
    assert said in read_pdf(pdf.data(), "x.pdf").warnings


def test_text_without_headings_stands_in_one_section() -> None:
    pdf = PdfWriter().page()
    y = pdf.paragraph(90, 100, 415, INTRODUCTION)
    pdf.paragraph(90, y + 12, 415, METHODS)
    reading = read_pdf(pdf.data(), "x.pdf")
    assert [(section.title, section.text) for section in reading.document.sections] == [
        ("", f"{INTRODUCTION}\n\n{METHODS}")
    ]
    assert "No section headings were found; the text stands in one section." in reading.warnings


def test_threads_may_read_at_once() -> None:
    papers = [pdf_papers.one_column().data(), pdf_papers.two_columns().data()] * 4
    expected = [read_pdf(data, "x.pdf") for data in papers]
    found: list[object] = [None] * len(papers)

    def read(place: int) -> None:
        found[place] = read_pdf(papers[place], "x.pdf")

    threads = [threading.Thread(target=read, args=(place,)) for place in range(len(papers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_a_patent_gives_number_title_abstract_classes_and_claims() -> None:
    document = read_pdf(pdf_papers.patent().data(), "patent.pdf").document
    assert (document.kind, document.id, document.year) == ("patent", "US9876543B2", 2015)
    assert document.title == "Pool warmer with a floating lid"
    assert document.authors == document.inventors == ("Ada Moor",)
    assert document.abstract.startswith("A warmer for pools has a lid that floats on the water")
    assert document.abstract.endswith("above the water at all times.")
    assert document.categories == ("E04H 4/12", "F24J 2/04")
    assert [section.title for section in document.sections] == ["BACKGROUND", "DETAILED DESCRIPTION"]
    assert document.sections[0].text == " ".join([INTRODUCTION, METHODS, RESULTS, INTRODUCTION])
    assert document.claims == (
        "A warmer for a pool, comprising a lid that floats on the water of the pool; a dark plate on the lid; and a "
        "float that keeps the plate above the water.",
        "The warmer of claim 1, wherein the lid turns toward the sun by means of a sail that the wind moves, and stops "
        "at night.",
    )


def test_text_above_the_first_heading_is_kept() -> None:
    opening = (
        "This invention relates to pool warmers and is a continuation of application 12/345,678, which was filed in "
        "May 2011. All of it is herein included by reference."
    )
    document = read_pdf(pdf_papers.patent(opening=opening, labels=True).data(), "patent.pdf").document
    assert [section.title for section in document.sections] == ["Description", "BACKGROUND", "DETAILED DESCRIPTION"]
    assert document.sections[0].text == opening
    assert document.sections[0].pages == (PageStart(0, 3),)


def test_what_the_front_page_and_drawings_say_is_left_out_with_a_warning() -> None:
    front = Section("", "(51) Int. Cl. ......... E04H\n\nlid 10\n\nFIG. 1", pages=(PageStart(0, 1), PageStart(30, 2)))
    claims = Section("BACKGROUND", "Pools are cold.\n\nWhat is claimed is:\n\n1. A lid.", pages=(PageStart(0, 3),))
    document, told = as_patent(Document("file:1", sections=(front, claims)), "United States Patent")
    assert [section.title for section in document.sections] == ["BACKGROUND"]
    assert document.claims == ("A lid.",)
    assert told == [
        "The front page's data and the words of drawings were left out: '(51) Int. Cl. E04H lid 10 FIG. 1' and so on."
    ]
