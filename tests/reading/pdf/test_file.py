"""PDF files are opened safely: what cannot be read is refused with the reason, and what is read is bounded."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from engine.core.errors import (
    EmptyInputError,
    EncryptedFileError,
    InputTooLargeError,
    MalformedFileError,
    ScannedPdfError,
    TooManyPagesError,
    TruncatedFileError,
    WrongExtensionError,
)
from engine.reading.limits import LIMITS
from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf import papers as pdf_papers
from tests.reading.pdf.writer import PdfWriter


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
    assert "found 6" in text


def test_a_page_of_too_many_characters_is_cut() -> None:
    pdf = PdfWriter().page()
    pdf.pages[-1] += [f"BT /regular 1 Tf 1 0 0 1 20 {820 - 4 * row} Tm ({'word ' * 250}) Tj ET" for row in range(200)]
    reading = read_pdf(pdf.data(), "x.pdf")
    assert any("over 50,000 characters" in warning for warning in reading.warnings)
    assert len(reading.document.text) < 75_000


def test_a_file_of_such_pages_is_refused() -> None:
    pdf = PdfWriter()
    for _ in range(5):
        pdf.page()
        pdf.line(20, 20, "word " * 30)
    text = refusal(pdf.data(), InputTooLargeError, replace(LIMITS, max_page_characters=100))
    assert "Expected pages of at most 100 characters in draft.pdf; several hold more, which no paper" in text


def test_a_page_of_too_many_pieces_of_text_is_left_out() -> None:
    pdf = pdf_papers.one_column()
    pdf.page()
    pdf.pages[-1] += ["BT /regular 9 Tf 1 0 0 1 20 820 Tm (word) Tj ET"] * 60
    pdf.page()
    pdf.pages[-1] += ["0 0 m 9 9 l S"] * 60  # a drawing
    reading = read_pdf(pdf.data(), "x.pdf", replace(LIMITS, max_page_objects=50))
    assert "word word" not in reading.document.text and reading.pages == 6


def test_a_file_of_too_many_pieces_of_text_is_read_in_part() -> None:
    reading = read_pdf(pdf_papers.one_column().data(), "x.pdf", replace(LIMITS, max_objects=20))
    assert reading.pages is not None and reading.pages < 4
    assert f"The text is over the limit; it was read up to page {reading.pages} of 4." in reading.warnings


def test_a_ring_of_bookmarks_ends() -> None:
    pdf = pdf_papers.one_column()
    pdf.bookmarks = ["Introduction", "Methods"]
    data = pdf.data()
    last = data.rfind(b"/Title (Methods)")
    ring = data[:last] + data[last:].replace(b"/Fit] >>", b"/Fit] /Next 18 0 R >>", 1)
    assert read_pdf(ring, "x.pdf").document.title
