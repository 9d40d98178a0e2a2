"""PDFs that we wrote, read as documents; and every kind of file that must be refused with a reason."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from engine import files
from engine.errors import (
    EmptyInputError,
    EncryptedFileError,
    InputTooLargeError,
    MalformedFileError,
    ScannedPdfError,
    TooManyPagesError,
    TruncatedFileError,
    WrongExtensionError,
)
from engine.readers.limits import LIMITS
from engine.readers.pdf.reader import read_pdf
from tests.readers.pdf import papers as pdf_papers
from tests.readers.pdf.papers import ABSTRACT, INTRODUCTION, METHODS, REFERENCES, RESULTS
from tests.readers.pdf.writer import PdfWriter


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


def test_running_heads_and_page_numbers_are_dropped() -> None:
    text = read_pdf(pdf_papers.one_column().data(), "paper.pdf").document.text
    assert "Moor and Strand" not in text
    assert "Depth decides" not in text
    assert f"{RESULTS}\n\n{INTRODUCTION}" in text


def test_the_reference_list_is_set_apart_entry_by_entry() -> None:
    references = read_pdf(pdf_papers.one_column().data(), "paper.pdf").document.sections[-1]
    assert references.role == "references"
    assert references.text == "\n\n".join(REFERENCES)


def test_two_columns_are_read_one_after_the_other() -> None:
    document = read_pdf(pdf_papers.two_columns().data(), "paper.pdf").document
    assert document.title == "Depth Decides How Tide Pools Keep Their Heat"
    assert document.authors == ("Ada Moor", "Ben K. Strand")
    assert document.abstract == ABSTRACT
    assert [section.title for section in document.sections] == [
        "INTRODUCTION",
        "METHODS",
        "RESULTS",
        "CONCLUSION",
        "REFERENCES",
    ]
    assert document.sections[0].text == f"{INTRODUCTION} {INTRODUCTION}"
    end_of_left = "The last measured value in the left column stands before the right column begins."
    assert document.sections[1].text == f"{METHODS} {METHODS} {end_of_left} {METHODS} {RESULTS}"
    assert document.sections[3].text == f"{INTRODUCTION} {RESULTS}"
    assert document.sections[4].text.split("\n\n")[1] == f"[2] {REFERENCES[1]}"


def test_a_wide_caption_divides_the_columns_and_stays_whole() -> None:
    results = read_pdf(pdf_papers.two_columns().data(), "paper.pdf").document.sections[2].text
    assert results.endswith("on which loggers were lost marked by crosses below.")
    assert results.split("\n\n")[-1].startswith("Figure 1. Temperature of all forty pools")


def test_a_patent_gives_number_title_abstract_classes_and_claims() -> None:
    document = read_pdf(pdf_papers.patent().data(), "patent.pdf").document
    assert (document.kind, document.id, document.year) == ("patent", "US9876543B2", 2015)
    assert document.title == "Pool warmer with a floating lid"
    assert document.authors == ("Ada Moor",)
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


@pytest.mark.parametrize("junk", ["paper_final2.docx", "Microsoft Word - draft", "untitled", "tidepools-v3"])
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


def test_text_without_headings_stands_in_one_section() -> None:
    pdf = PdfWriter().page()
    y = pdf.paragraph(90, 100, 415, INTRODUCTION)
    pdf.paragraph(90, y + 12, 415, METHODS)
    reading = read_pdf(pdf.data(), "x.pdf")
    assert [(section.title, section.text) for section in reading.document.sections] == [
        ("", f"{INTRODUCTION}\n\n{METHODS}")
    ]
    assert "No section headings were found; the text stands in one section." in reading.warnings


def test_a_stamp_that_runs_up_the_margin_is_dropped() -> None:
    pdf = pdf_papers.one_column()
    pdf.turned(30, 600, "preprint 2101.00001v2 of 3 Jan 2021", 20)
    assert "preprint" not in read_pdf(pdf.data(), "x.pdf").document.text


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


def refusal(data: bytes, error: type[Exception], limits: object = LIMITS) -> str:
    with pytest.raises(error) as caught:
        read_pdf(data, "draft.pdf", limits)  # type: ignore[arg-type]
    assert type(caught.value) is error
    assert "draft.pdf" in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("data", [b"", b"\n \x00"])
def test_an_empty_file_is_refused(data: bytes) -> None:
    text = refusal(data, EmptyInputError)
    assert "is empty" in text
    assert "download it again" in text


def test_a_file_over_the_size_limit_is_refused() -> None:
    text = refusal(b"%PDF-1.4" + b" " * 200 + b"x", InputTooLargeError, replace(LIMITS, max_file_bytes=100))
    assert "at most 100 bytes" in text
    assert "has 209" in text


def test_what_is_not_a_pdf_is_refused() -> None:
    text = refusal(b"PK\x03\x04 a zip file", WrongExtensionError)
    assert "begins with %PDF-" in text
    assert "PK" in text


def test_an_encrypted_file_is_refused() -> None:
    text = refusal(pdf_papers.one_column(encrypt=True).data(), EncryptedFileError)  # type: ignore[arg-type]
    assert "asks for" in text
    assert "without a password" in text


@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.95])
def test_a_file_that_was_cut_off_is_refused(share: float) -> None:
    data = pdf_papers.one_column().data()
    text = refusal(data[: int(share * len(data))], TruncatedFileError)
    assert "ends with %%EOF" in text
    assert "cut off" in text


def test_a_damaged_file_is_refused() -> None:
    text = refusal(b"%PDF-1.7\n" + bytes(range(256)) * 20 + b"\nstartxref\n7\n%%EOF", MalformedFileError)
    assert "damaged" in text


def test_a_file_whose_pages_are_damaged_is_refused() -> None:
    data = pdf_papers.one_column().data().replace(b"/Type /Page /Parent", b"/Type /Pags /Parent")
    text = refusal(data, MalformedFileError)
    assert "Expected 4 pages" in text
    assert "none of them can be read" in text


def test_pictures_of_pages_are_refused() -> None:
    pdf = PdfWriter()
    for _ in range(3):
        pdf.page().picture()
    text = refusal(pdf.data(), ScannedPdfError)
    assert "3 pages" in text
    assert "OCR" in text


def test_ten_thousand_pages_are_refused_within_a_second() -> None:
    pdf = PdfWriter()
    for _ in range(10_000):
        pdf.page()
    data = pdf.data()
    started = time.process_time()
    text = refusal(data, TooManyPagesError)
    assert time.process_time() - started < 1
    assert f"{LIMITS.max_pages:,} pages" in text
    assert "10,000" in text


def test_a_false_count_of_pages_is_not_believed() -> None:
    data = pdf_papers.one_column().data().replace(b"/Count 4", b"/Count 99999999")
    assert read_pdf(data, "draft.pdf").pages == 4


def test_text_over_the_limit_is_cut_with_a_warning() -> None:
    reading = read_pdf(pdf_papers.one_column().data(), "x.pdf", replace(LIMITS, max_characters=3000))
    assert reading.pages == 3
    assert "The text is over the limit; it was read up to page 3 of 4." in reading.warnings
    assert "Introduction" in [section.title for section in reading.document.sections]


def test_too_many_sections_are_refused() -> None:
    text = refusal(pdf_papers.one_column().data(), InputTooLargeError, replace(LIMITS, max_sections=3))
    assert "at most 3 sections" in text
    assert "has 6" in text


def test_a_page_of_too_many_characters_is_cut() -> None:
    pdf = PdfWriter().page()
    pdf.pages[-1] += [f"BT /regular 1 Tf 1 0 0 1 20 {820 - 4 * row} Tm ({'word ' * 250}) Tj ET" for row in range(200)]
    reading = read_pdf(pdf.data(), "x.pdf")
    assert any("over 200,000 characters" in warning for warning in reading.warnings)
    assert len(reading.document.text) < 300_000


def test_a_ring_of_bookmarks_ends() -> None:
    pdf = pdf_papers.one_column()
    pdf.bookmarks = ["Introduction", "Methods"]
    data = pdf.data()
    last = data.rfind(b"/Title (Methods)")
    ring = data[:last] + data[last:].replace(b"/Fit] >>", b"/Fit] /Next 18 0 R >>", 1)
    assert read_pdf(ring, "x.pdf").document.title
