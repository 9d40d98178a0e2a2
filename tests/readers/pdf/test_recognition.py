"""Pages that are pictures are recognised, whichever way they lie; what is not one is left alone."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from matplotlib import font_manager
from PIL import Image, ImageDraw, ImageFont

from engine.errors import ScannedPdfError
from engine.readers.limits import LIMITS
from engine.readers.pdf import file as module
from engine.readers.pdf import worker
from engine.readers.pdf.file import PdfContents, load_pdf
from engine.readers.pdf.reader import read_pdf
from tests.readers.pdf.writer import PdfWriter

TITLE = "Slow Drift in Reef Maps"
HEADING = "1 Introduction"
PROSE = ("Reefs move slowly and nobody has looked at them for long", "enough to say how far they go in a year of calm.")
PATIENT = replace(LIMITS, max_seconds=120, max_recognition_seconds=60)


def letters(size: int, weight: str = "normal") -> ImageFont.FreeTypeFont:
    named = font_manager.FontProperties(family="DejaVu Serif", weight=weight)
    return ImageFont.truetype(font_manager.findfont(named), size)


def scan(*, turned: float = 0, width: int = 1240, height: int = 900) -> Image.Image:
    """A page of a title, a bold heading and two lines, at 150 dots an inch."""
    picture = Image.new("L", (width, height), 255)
    pen = ImageDraw.Draw(picture)
    pen.text((330, 100), TITLE, font=letters(48), fill=0)
    pen.text((120, 260), HEADING, font=letters(26, "bold"), fill=0)
    for number, line in enumerate(PROSE):
        pen.text((120, 320 + 40 * number), line, font=letters(26), fill=0)
    return picture.rotate(turned, expand=True, fillcolor=255, resample=Image.Resampling.BICUBIC)


def as_pdf(*pictures: Image.Image) -> bytes:
    file = io.BytesIO()
    pictures[0].save(file, "PDF", resolution=150, save_all=True, append_images=pictures[1:])
    return file.getvalue()


def loaded(data: bytes) -> PdfContents:
    return load_pdf(data, "scan.pdf", PATIENT)


@pytest.mark.parametrize("turned", [0, 3, -4, 90, 180, 270])
def test_a_page_is_read_whichever_way_it_lies(turned: float) -> None:
    page = loaded(as_pdf(scan(turned=turned))).pages[0]
    assert [run.text.replace(" ", "") for run in page.runs] == [
        text.replace(" ", "") for text in (TITLE, HEADING, *PROSE)
    ]
    assert page.recognised is not None and page.recognised > 0.9
    lines = page.runs[2:]
    assert abs(lines[0].x0 - lines[1].x0) < 3  # straight again
    assert 12 < lines[1].y - lines[0].y < 26  # 40 of 150 dots an inch are 19.2 points
    assert page.runs[0].size > 1.25 * lines[0].size
    assert [run.font.bold for run in page.runs[1:]] == [True, False, False]


def test_a_document_says_which_of_its_pages_were_recognised() -> None:
    reading = read_pdf(as_pdf(scan()), "scan.pdf", PATIENT)
    assert reading.document.title == TITLE
    (section,) = reading.document.sections
    assert section.text.startswith("Reefs move slowly")
    assert [one.page for one in section.recognised] == [1]
    assert any(
        text.startswith("All pages are scans; their text was recognised, on average 9") for text in reading.warnings
    )


def test_the_process_that_recognised_ends_with_its_file() -> None:
    assert read_pdf(as_pdf(scan()), "scan.pdf", PATIENT).document.title == TITLE
    assert not worker._running  # its models would count as the next file's memory


def test_only_pages_without_text_are_recognised() -> None:
    pdf = PdfWriter()
    pdf.page().line(72, 700, "This page has a text of its own, which is longer than a label.")
    assert loaded(pdf.data()).pages[0].recognised is None


def test_the_steps_of_a_recognition_are_told() -> None:
    told: list[None] = []
    load_pdf(as_pdf(scan()), "scan.pdf", PATIENT, goes_on=lambda: told.append(None))
    assert len(told) >= 3


def test_a_scan_that_takes_too_long_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10_000, 100))
    monkeypatch.setattr("engine.readers.pdf.recognition.time.process_time", lambda: next(clock))
    with pytest.raises(ScannedPdfError):  # the first look at the clock is over the limit already
        load_pdf(as_pdf(scan()), "scan.pdf", LIMITS)


def test_without_the_extra_the_refusal_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_installed", lambda: False)
    with pytest.raises(ScannedPdfError) as caught:
        loaded(as_pdf(scan()))
    assert str(caught.value) == (
        "Expected a PDF with text; scan.pdf holds 0 letters on 1 page, so it is probably scanned pictures. "
        'To have it recognised (OCR), install the extra: pip install "priorscope[ocr]". Or paste its text.'
    )


def test_a_picture_without_text_is_refused() -> None:
    with pytest.raises(ScannedPdfError, match=r"No text could be recognised in them \(OCR\)\. Paste its text\."):
        loaded(as_pdf(Image.new("L", (600, 800), 255)))


def test_stretches_of_scanned_pages_are_named() -> None:
    blank = [module.Page(number, 600, 800, [], recognised=0.9) for number in (0, 1, 2, 6)]
    assert module._listed(blank) == "1-3, 7"
