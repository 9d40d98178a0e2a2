"""The process that reads PDFs: it can be stopped, it comes back, and it gives what reading here gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import InputTooLargeError
from engine.readers.limits import LIMITS
from engine.readers.pdf import worker
from engine.readers.pdf.file import load_pdf
from engine.readers.pdf.reader import read_pdf
from tests.readers.pdf import papers
from tests.readers.pdf.writer import whole_file


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


def test_the_other_process_gives_what_reading_here_gives() -> None:
    for paper in (papers.one_column(title="A title"), papers.two_columns()):
        paper.bookmarks = ["Introduction"]
        data = paper.data()
        assert worker.read_contents(data, "x.pdf", LIMITS) == load_pdf(data, "x.pdf", LIMITS)


def test_a_drawing_that_draws_itself_without_end_is_stopped() -> None:
    with pytest.raises(InputTooLargeError) as caught:
        read_pdf(nested_drawings(14), "bomb.pdf", replace(LIMITS, max_page_seconds=1))
    assert "within 1 seconds, and all within 300; bomb.pdf takes longer" in str(caught.value)
    assert "Export it again" in str(caught.value)
    assert read_pdf(papers.one_column().data(), "x.pdf").pages == 4


def test_a_file_of_many_slow_pages_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "sys.stdout.buffer.write(struct.pack('>Q', 0)); sys.stdout.buffer.flush()"
    worker._stop()
    slow = f"import struct, sys, threading\nwhile not threading.Event().wait(0.05): {page}"
    monkeypatch.setattr(worker, "_START", slow)
    with pytest.raises(InputTooLargeError, match=r"within 20 seconds, and all within 1; slow\.pdf takes longer"):
        read_pdf(papers.one_column().data(), "slow.pdf", replace(LIMITS, max_pdf_seconds=1))
    monkeypatch.undo()
    assert read_pdf(papers.one_column().data(), "x.pdf").pages == 4


def test_a_process_that_has_ended_is_started_again() -> None:
    data = papers.one_column().data()
    first = read_pdf(data, "x.pdf")
    worker._running[0].kill()
    worker._running[0].wait()
    assert read_pdf(data, "x.pdf") == first
