"""Pages that are pictures are recognised, whichever way they lie; what is not one is left alone."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from engine.core.errors import InputError, ScannedPdfError
from engine.reading.limits import Limits
from engine.reading.pdf import file as module
from engine.reading.pdf import reader, recognition, worker
from engine.reading.pdf.file import PdfContents, load_pdf
from engine.reading.pdf.page import PdfPage
from engine.reading.pdf.scan_lines import ScanPage
from engine.reading.pdf.tesseract import RecognitionFault
from tests.reading.pdf.scans import HEADING, PATIENT, PROSE, TITLE, as_pdf, loaded, scan
from tests.reading.pdf.writer import PdfWriter


@pytest.fixture(scope="module", params=[0, 3, -4, 90, 180, 270])
def picture(request: pytest.FixtureRequest) -> Image.Image:
    """A scan, whichever way it lies."""
    return scan(turned=request.param)


@pytest.fixture(scope="module", params=recognition.ENGINES)
def recognised(request: pytest.FixtureRequest, picture: Image.Image) -> PdfContents:
    """What each engine, chosen by the environment, finds on the scan."""
    if not recognition.ENGINES[request.param].is_installed():
        pytest.skip(
            f"{request.param} is not installed: .ci/run installs Tesseract, the extra `ocr` RapidOCR; made pages are "
            "checked"
        )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(recognition.ENGINE_VARIABLE, request.param)
        return loaded(as_pdf(picture))


def test_a_page_is_read_whichever_way_it_lies(recognised: PdfContents) -> None:
    page = recognised.pages[0]
    assert [run.text.replace(" ", "") for run in page.runs] == [
        text.replace(" ", "") for text in (TITLE, HEADING, *PROSE)
    ]
    assert page.recognised is not None and page.recognised > 0.9
    lines = page.runs[2:]
    assert abs(lines[0].x0 - lines[1].x0) < 3  # straight again
    assert 12 < lines[1].y - lines[0].y < 26  # 40 of 150 dots an inch are 19.2 points
    assert page.runs[0].size > 1.25 * lines[0].size
    assert [run.font.bold for run in page.runs[1:]] == [True, False, False]


def test_lines_lie_where_they_were_recognised(
    picture: Image.Image, recognised: PdfContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each box holds most of the ink that a box of its size may, whichever way the page lies."""
    monkeypatch.setattr(reader, "read_contents", lambda *_: recognised)
    document = reader.read_pdf(as_pdf(picture), "scan.pdf", PATIENT).document
    (section,) = document.sections
    ink = np.asarray(picture) < 128
    boxes = [box for part in (section, document.parts[0]) for box in part.lines_of(0, len(part.text))]
    assert len(boxes) == len(PROSE) + 1
    dots = 150 / 72
    held = np.zeros_like(ink)
    for box in boxes:
        top, bottom = (round(len(ink) - dots * y) for y in (box.top, box.bottom))
        held[max(top, 0) : bottom, round(dots * box.left) : round(dots * box.right)] = True
    assert (ink & held).sum() > 0.8 * ink.sum()  # the heading has none
    assert held.mean() < 0.3


def test_a_document_says_which_of_its_pages_were_recognised() -> None:
    reading = reader.read_pdf(as_pdf(scan()), "scan.pdf", PATIENT)
    assert reading.document.title == TITLE
    (section,) = reading.document.sections
    assert section.text.startswith("Reefs move slowly")
    assert [one.page for one in section.recognised] == [1]
    assert any(
        text.startswith("This page is a scan; the text was recognised, on average 9") for text in reading.warnings
    )


def test_the_process_that_recognised_gives_what_is_recognised_here_and_ends_with_its_file() -> None:
    data = as_pdf(scan())
    assert worker.read_contents(data, "scan.pdf", PATIENT) == loaded(data)
    assert not worker._running  # its models would count as the next file's memory


def test_only_pages_without_text_are_recognised() -> None:
    pdf = PdfWriter()
    pdf.page().line(72, 700, "This page has a text of its own, which is longer than a label.")
    assert loaded(pdf.data()).pages[0].recognised is None


def test_the_steps_of_a_recognition_are_told() -> None:
    told: list[None] = []
    load_pdf(as_pdf(scan()), "scan.pdf", PATIENT, goes_on=lambda: told.append(None))
    assert len(told) >= 3


class Slow:
    """An engine that finds no line in time, and counts its pages."""

    name = "Slow"
    read_pages = 0

    def __init__(self, limits: Limits) -> None:
        """Take what every engine takes."""

    @staticmethod
    def is_installed() -> bool:
        """Always."""
        return True

    def read(self, *_given: object) -> ScanPage:
        """A page cut short."""
        type(self).read_pages += 1
        return ScanPage([], 600, 800, whole=False)


class Broken(Slow):
    """An engine that fails."""

    name = "Broken"

    def read(self, *_given: object) -> ScanPage:
        """No page."""
        raise RecognitionFault("it ended with 1 and said: no data")


def a_text_and_scans(count: int) -> bytes:
    """A PDF of a page of text and scans after it."""
    import io

    import pypdfium2 as pdfium

    pdf = PdfWriter()
    page = pdf.page()
    for number in range(20):
        page.line(72, 700 - 20 * number, "This page has a text of its own, which is longer than a label.")
    whole = pdfium.PdfDocument(pdf.data())
    whole.import_pages(pdfium.PdfDocument(as_pdf(*[scan()] * count)))
    file = io.BytesIO()
    whole.save(file)
    return file.getvalue()


def use(monkeypatch: pytest.MonkeyPatch, engine: type[Slow]) -> None:
    monkeypatch.delenv(recognition.ENGINE_VARIABLE, raising=False)
    monkeypatch.setattr(recognition, "ENGINES", {"slow": engine})


def test_scans_that_take_too_long_are_named_and_the_rest_of_them_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Slow)
    monkeypatch.setattr(Slow, "read_pages", 0)
    contents = loaded(a_text_and_scans(4))
    assert Slow.read_pages == 2
    assert contents.warnings[-1] == (
        "Scans that took too long or could not be recognised, so that lines are missing: pages 2-5."
    )


def test_an_engine_that_fails_on_a_page_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Broken)
    contents = loaded(a_text_and_scans(1))
    assert contents.warnings[-1] == "Broken failed: it ended with 1 and said: no data."
    with pytest.raises(ScannedPdfError) as caught:
        loaded(as_pdf(scan()))
    assert str(caught.value).endswith(
        "Broken failed: it ended with 1 and said: no data. Mend that, or choose another program for it (OCR) by "
        "PRIORSCOPE_OCR."
    )


def test_an_engine_that_we_do_not_know_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(recognition.ENGINE_VARIABLE, "abbyy")
    with pytest.raises(InputError) as caught:
        loaded(as_pdf(scan()))
    assert str(caught.value) == (
        "Expected tesseract or rapidocr in the environment variable PRIORSCOPE_OCR, found abbyy. "
        "Correct it, or unset it to use what is installed."
    )


@pytest.mark.parametrize(
    ("named", "installed", "taken"),
    [
        ("", ("tesseract", "rapidocr"), "tesseract"),
        ("", ("rapidocr",), "rapidocr"),
        ("rapidocr", ("tesseract", "rapidocr"), "rapidocr"),
        ("rapidocr", ("tesseract",), None),
        ("", (), None),
    ],
)
def test_the_named_engine_is_taken_or_the_first_that_is_installed(
    named: str, installed: tuple[str, ...], taken: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(recognition.ENGINE_VARIABLE, named)
    for name, engine in recognition.ENGINES.items():
        monkeypatch.setattr(engine, "is_installed", lambda name=name: name in installed)
    assert recognition.choose_engine() == taken


def test_a_named_engine_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(recognition.ENGINE_VARIABLE, "tesseract")
    monkeypatch.setattr(recognition.ENGINES["tesseract"], "is_installed", lambda: False)
    with pytest.raises(ScannedPdfError) as caught:
        loaded(as_pdf(scan()))
    assert str(caught.value).endswith(
        "PRIORSCOPE_OCR chooses tesseract to recognise it (OCR), which is not installed. Install or unset it."
    )


def test_without_an_engine_the_refusal_names_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(recognition.ENGINE_VARIABLE, raising=False)
    monkeypatch.setattr(recognition, "choose_engine", lambda: None)
    with pytest.raises(ScannedPdfError) as caught:
        loaded(as_pdf(scan()))
    assert str(caught.value) == (
        "Expected a PDF with text; scan.pdf holds 0 letters on 1 page, so it is probably scanned pictures. "
        "To have it recognised (OCR), install Tesseract so that it is on PATH, or the extra: "
        'pip install "priorscope[ocr]". Or paste its text.'
    )


def test_a_picture_without_text_is_refused() -> None:
    with pytest.raises(ScannedPdfError, match=r"No text could be recognised in them \(OCR\)\. Paste its text\."):
        loaded(as_pdf(Image.new("L", (600, 800), 255)))


def test_stretches_of_scanned_pages_are_named() -> None:
    blank = [PdfPage(number, 600, 800, [], recognised=0.9) for number in (0, 1, 2, 6)]
    assert module._numbers(blank) == "1-3, 7"
