"""The process that reads PDFs: it can be stopped, it comes back, and it gives what reading here gives."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.core import processes
from engine.core.errors import CancelledError, EnoughError, InputTooLargeError, MalformedFileError
from engine.core.progress import Progress
from engine.reading.dispatch import read_bytes
from engine.reading.limits import LIMITS, Budget
from engine.reading.pdf import worker
from engine.reading.pdf.file import load_pdf
from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf import papers
from tests.reading.pdf.writer import whole_file


def nested_drawings(depth: int) -> bytes:
    """A page that draws a form, which draws the next one ten times, and so on."""
    page = "/Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >>"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page {page} >>",
        "<< /Length 5 >>\nstream\n/X Do\nendstream",
    ]
    for place in range(depth):
        body = "/X Do " * 10 if place + 1 < depth else "0 0 m 9 9 l S"
        resources = f"<< /XObject << /X {6 + place} 0 R >> >>"
        form = f"/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources {resources}"
        objects.append(f"<< {form} /Length {len(body)} >>\nstream\n{body}\nendstream")
    return whole_file(objects, "")


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


def test_a_process_that_has_ended_is_started_again() -> None:
    data = papers.one_column().data()
    first = read_pdf(data, "x.pdf")
    worker._running[0].process.kill()
    worker._running[0].process.wait()
    assert read_pdf(data, "x.pdf") == first
