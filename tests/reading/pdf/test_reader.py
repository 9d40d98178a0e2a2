"""PDF files are opened in a process of their own and read as papers and patents, or refused with a reason."""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.core import files, processes
from engine.core.errors import (
    CancelledError,
    EmptyInputError,
    EncryptedFileError,
    EnoughError,
    InputTooLargeError,
    MalformedFileError,
    ScannedPdfError,
    TooManyPagesError,
    TruncatedFileError,
    WrongExtensionError,
)
from engine.core.progress import Progress
from engine.documents import Document, PageStart, Section
from engine.reading.dispatch import read_bytes
from engine.reading.limits import LIMITS, Budget
from engine.reading.pdf import worker
from engine.reading.pdf.file import load_pdf
from engine.reading.pdf.reader import as_patent, read_pdf
from tests.reading.pdf import papers
from tests.reading.pdf import papers as pdf_papers
from tests.reading.pdf.papers import ABSTRACT, INTRODUCTION, METHODS, REFERENCES, RESULTS
from tests.reading.pdf.writer import PdfWriter, nested_drawings, whole_file


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


def packed_page(content: bytes) -> bytes:
    """A page whose content was packed twice."""
    page = "/Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R"
    filters = f"/Length {len(content)} /Filter [/FlateDecode /FlateDecode]"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page {page} >>",
        f"<< {filters} >>\nstream\n{content.decode('latin-1')}\nendstream",
    ]
    return whole_file(objects, "")


def test_the_other_process_gives_what_reading_here_gives() -> None:
    for paper in (papers.one_column(title="A title"), papers.two_columns()):
        paper.bookmarks = ["Introduction"]
        data = paper.data()
        assert worker.read_contents(data, "x.pdf", LIMITS) == load_pdf(data, "x.pdf", LIMITS)


def test_pages_are_counted_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.reading.limits._SECONDS_QUIET", 0.0)
    heard: list[Progress] = []
    read_bytes(papers.one_column().data(), "x.pdf", report=heard.append)
    assert {one.done for one in heard} == {0, 1, 2, 3, 4}
    assert (heard[-1].stage, heard[-1].total) == ("read x.pdf", 4)


def test_a_drawing_that_draws_itself_without_end_is_stopped() -> None:
    with pytest.raises(InputTooLargeError, match=r"Expected a page or a document from bomb\.pdf within 1 seconds"):
        read_pdf(nested_drawings(14), "bomb.pdf", replace(LIMITS, max_seconds=1))
    assert read_pdf(papers.one_column().data(), "x.pdf").pages == 4


def test_a_stream_that_unpacks_to_gigabytes_is_stopped() -> None:
    data = packed_page(zlib.compress(zlib.compress(b" " * (300 << 20), 9), 9))
    with pytest.raises(InputTooLargeError, match=r"read in 256 MiB of memory; bomb\.pdf takes more than a paper does"):
        read_pdf(data, "bomb.pdf", replace(LIMITS, max_memory_bytes=256 << 20))
    assert read_pdf(papers.one_column().data(), "x.pdf").pages == 4


def test_cancel_stops_a_file_between_its_pages() -> None:
    def stop(_: Progress) -> None:
        raise CancelledError("Stopped.")

    with pytest.raises(CancelledError, match="Stopped"):
        read_bytes(nested_drawings(14), "bomb.pdf", report=stop)
    assert read_pdf(papers.one_column().data(), "x.pdf").pages == 4


def test_the_pages_so_far_are_kept_where_these_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.reading.limits._SECONDS_QUIET", 0.0)

    def enough_at(page: int) -> Callable[[Progress], None]:
        def report(progress: Progress) -> None:
            if progress.done == page and not asked:
                asked.append(progress.done)
                raise EnoughError("Stopped.")

        asked: list[int] = []
        return report

    whole, data = read_pdf(papers.one_column().data(), "x.pdf"), papers.one_column().data()
    reading = read_bytes(data, "x.pdf", report=enough_at(2))
    assert (reading.pages, reading.document.title) == (2, whole.document.title)
    assert "The reading was ended after 2 pages; the rest was left out." in reading.warnings
    with pytest.raises(EnoughError):
        read_bytes(nested_drawings(14), "bomb.pdf", report=enough_at(0))
    assert read_pdf(data, "x.pdf") == whole


def test_two_files_are_read_at_a_time_and_a_third_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    data = papers.one_column().data()
    first = read_pdf(data, "x.pdf")
    budget = Budget.of_file(LIMITS, "x.pdf")
    with worker._process(budget) as one, worker._process(budget) as other:
        assert one is not other
        heard: list[Progress] = []

        def stop(progress: Progress) -> None:
            heard.append(progress)
            raise CancelledError("Stopped.")

        monkeypatch.setattr("engine.reading.limits._SECONDS_QUIET", 0.0)
        with pytest.raises(CancelledError):
            read_bytes(data, "third.pdf", report=stop)
        assert heard[0].done == 0
    assert read_pdf(data, "x.pdf") == first
    assert len(worker._running) == 2


def test_a_file_that_ends_the_process_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    worker._stop()
    monkeypatch.setattr(processes, "_START", "import sys; sys.stdin.buffer.read(8)")
    with pytest.raises(MalformedFileError, match=r"the process that read x\.pdf ended over it\. Export or download it"):
        read_pdf(papers.one_column().data(), "x.pdf")
    monkeypatch.undo()
    assert read_pdf(papers.one_column().data(), "x.pdf").pages == 4


def test_a_process_that_no_file_comes_for_ends_and_one_that_is_used_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    worker._stop()
    data = papers.one_column().data()
    first = read_pdf(data, "x.pdf")
    (waiting,) = worker._running
    early = waiting.timer
    assert read_pdf(data, "x.pdf") == first and early is not None and early.finished.is_set()
    worker._end_idle(waiting)  # as if a timer of before came late
    assert worker._running == [waiting]
    monkeypatch.setattr(worker, "_IDLE_SECONDS", 0.01)
    assert read_pdf(data, "x.pdf") == first
    assert waiting.process.wait(30) != 0
    monkeypatch.undo()
    assert read_pdf(data, "x.pdf") == first and waiting not in worker._running


def test_a_process_that_has_ended_is_started_again() -> None:
    data = papers.one_column().data()
    first = read_pdf(data, "x.pdf")
    worker._running[0].process.kill()
    worker._running[0].process.wait()
    assert read_pdf(data, "x.pdf") == first
