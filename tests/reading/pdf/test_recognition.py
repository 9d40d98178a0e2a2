"""Pages that are pictures are recognised, whichever way they lie, by Tesseract and RapidOCR; others are left alone."""

from __future__ import annotations

import io
import math
import os
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest
from matplotlib import font_manager
from PIL import Image, ImageDraw, ImageFont

from engine.core.errors import InputError, ScannedPdfError
from engine.core.progress import Progress
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.pdf import file as module
from engine.reading.pdf import rapidocr, reader, recognition, worker
from engine.reading.pdf.file import PdfContents, load_pdf
from engine.reading.pdf.page import PdfPage
from engine.reading.pdf.rapidocr import RapidOcr
from engine.reading.pdf.reader import read_pdf
from engine.reading.pdf.scan_lines import Scan, ScanLine, ScanPage, runs_of, stroke_of
from engine.reading.pdf.tesseract import RecognitionFault, Tesseract, skew
from tests.reading.pdf.writer import PdfWriter

TITLE = "Slow Drift in Reef Maps"
HEADING = "1 Introduction"
PROSE = ("Reefs move slowly and nobody has looked at them for long", "enough to say how far they go in a year of calm.")
PATIENT = replace(LIMITS, max_seconds=120, max_recognition_seconds=60)


def letters(size: int, weight: str = "normal") -> ImageFont.FreeTypeFont:
    """The letters of a scan."""
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
    """Pictures of 150 dots an inch as the pages of a PDF."""
    file = io.BytesIO()
    pictures[0].save(file, "PDF", resolution=150, save_all=True, append_images=pictures[1:])
    return file.getvalue()


def loaded(data: bytes) -> PdfContents:
    """What is read of a scan in this process."""
    return load_pdf(data, "scan.pdf", PATIENT)


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


def line(
    text: str, left: float, top: float, width: float, *, size: float = 20, slope: float = 0, stroke: float = 2
) -> ScanLine:
    """A line of that width, which falls to the right by a slope."""
    fall = slope * width
    corners = [(left, top), (left + width, top + fall), (left + width, top + fall + 20), (left, top + 20)]
    return ScanLine(np.array(corners, dtype=np.float64), text, 0.9, size, 5, stroke)


def test_lengths_are_in_points_and_from_the_top() -> None:
    (run,) = runs_of(ScanPage([line("Reef", 100, 200, 300)], 1000, 1400), 2)
    assert (run.x0, run.x1, run.y, run.size) == (50, 200, (220 - 5) / 2, 10)
    assert run.broken and not run.font.bold


def test_a_skewed_page_is_set_straight_about_its_middle() -> None:
    slope = math.tan(math.radians(3))
    rows = [line(f"row {number}", 100, 200 + 40 * number, 800, slope=slope) for number in range(5)]
    runs = runs_of(ScanPage(rows, 1000, 1400), 1)
    assert np.diff([run.y for run in runs]) == pytest.approx([40 * math.cos(math.radians(3))] * 4)
    assert np.diff([run.x0 for run in runs]) == pytest.approx([40 * math.sin(math.radians(3))] * 4)


def test_sizes_that_differ_little_are_one_and_thick_strokes_are_bold() -> None:
    rows = [
        line("The text of the page", 100, 300, 800),
        line("and what follows", 100, 340, 600, size=22),
        line("A note below it", 100, 380, 200, size=16),
        line("Heading", 100, 100, 200, stroke=3.5),
    ]
    runs = runs_of(ScanPage(rows, 1000, 1400), 1)
    assert [(run.text.split()[0], run.size, run.font.bold) for run in runs] == [
        ("Heading", 20, True),
        ("The", 20, False),
        ("and", 20, False),
        ("A", 16, False),
    ]


def test_a_page_without_lines_gives_no_runs() -> None:
    page = ScanPage([], 10, 10)
    assert runs_of(page, 1) == [] and page.letters == 0 and page.confidence == 0


def test_a_stroke_is_as_thick_as_its_dark_pixels_in_a_row() -> None:
    picture = np.full((10, 60), 230, dtype=np.uint8)
    for left in range(5, 55, 10):
        picture[:, left : left + 3] = 20
    assert stroke_of(picture) == 3


HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
needs_tesseract = pytest.mark.skipif(
    not Tesseract.is_installed(), reason="Tesseract is not installed; .ci/run installs it by apt"
)
needs_a_shell = pytest.mark.skipif(os.name == "nt", reason="stands in for Tesseract by a script of the shell")
Stand = Callable[[str], None]


@pytest.fixture
def stands_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stand:
    """Puts a script on PATH in Tesseract's place; it lists its languages, and then does what it is told."""

    def put(does: str) -> None:
        script = tmp_path / "tesseract"
        script.write_text(f'#!/bin/sh\nif [ "$1" = --list-langs ]; then echo eng; exit 0; fi\n{does}\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setenv(recognition.ENGINE_VARIABLE, "tesseract")

    return put


def row(place: str, left: float, text: str, sure: float = 95, top: float = 100, height: float = 20) -> str:
    return f"5\t1\t{place}\t1\t{left}\t{top}\t80\t{height}\t{sure}\t{text}"


def has_ended(process: int) -> bool:
    """Whether a process ends within a few seconds; who started it may not have heard of that yet."""
    with suppress(psutil.NoSuchProcess):
        running = psutil.Process(process)
        _, alive = psutil.wait_procs([running], timeout=5)
        return not alive or running.status() == psutil.STATUS_ZOMBIE
    return True


def read_table(stands_in: Stand, tmp_path: Path, *rows: str) -> list[str]:
    """The lines of a page for which Tesseract prints a table."""
    table = tmp_path / "table.tsv"
    table.write_text("\n".join([HEAD, *rows, ""]))
    stands_in(f"cat >/dev/null; cat {table}")
    return [line.text for line in Tesseract(LIMITS).read(blank, 200, lambda: None).lines]


def blank(_angle: float) -> Scan:
    return np.full((600, 500), 255, dtype=np.uint8)


@needs_tesseract
def test_words_have_letters_of_their_font_whatever_reaches_up_or_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(recognition.ENGINE_VARIABLE, "tesseract")
    picture = Image.new("L", (1240, 900), 255)
    pen = ImageDraw.Draw(picture)
    for number, text in enumerate(
        ("are seen once more as a man runs on", "High buildings stand by the quay, jug in hand")
    ):
        pen.text((120, 260 + 60 * number), text, font=letters(26), fill=0)
    first, second = loaded(as_pdf(picture)).pages[0].runs
    assert first.size == second.size
    assert abs(first.size - 26 * 72 / 150) < 1.5
    assert abs(second.y - first.y - 60 * 72 / 150) < 1


@needs_tesseract
def test_no_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(recognition.ENGINE_VARIABLE, "tesseract")
    for variable in ("TMPDIR", "TMP", "TEMP"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert loaded(as_pdf(scan())).pages[0].runs
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("turned", [0, 2.4, -4, 90, 92.4, 176, 270])
def test_the_skew_of_a_page_is_found(turned: float) -> None:
    page = scan().rotate(-turned, expand=True, fillcolor=255, resample=Image.Resampling.BICUBIC)
    skewed = (turned + 45) % 90 - 45
    assert math.degrees(skew(np.asarray(page))) == pytest.approx(skewed, abs=0.25)


def test_an_empty_page_has_no_skew() -> None:
    assert skew(blank(0)) == pytest.approx(0, abs=0.15)


@needs_a_shell
def test_unsure_words_and_rows_of_another_form_are_passed_over(stands_in: Stand, tmp_path: Path) -> None:
    lines = read_table(
        stands_in,
        tmp_path,
        row("1\t1\t1", 100, "Slow"),
        "5\t1\tcut",
        "5\t1\t1\t1\t1\t2\tx\ty\tz\t20\t95\tlost",
        "5\t1\t1\t1\t1\t2\tnan\t1\t1\t20\t95\tlost",
        "4\t1\t1\t1\t1\t0\t100\t100\t300\t20\t-1\t",
        row("1\t1\t1", 200, "drift"),
        row("1\t1\t2", 100, "specks", sure=20, top=200),
        row("2\t1\t1", 100, '"quoted', top=300),
    )
    assert lines == ["Slow drift", '"quoted']


@needs_a_shell
def test_lines_that_run_another_way_are_counted_as_turned(stands_in: Stand, tmp_path: Path) -> None:
    table = [row("1\t1\t1", 100 + 90 * number, "reef") for number in range(4)]
    table += [f"5\t1\t2\t1\t1\t1\t450\t{400 - 90 * number}\t20\t80\t95\tarXiv" for number in range(2)]
    assert read_table(stands_in, tmp_path, *table) == ["reef reef reef reef"]
    assert Tesseract(LIMITS).read(blank, 200, lambda: None).turned == len("arXiv") * 2


@needs_a_shell
@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("cat >/dev/null; echo rubbish; exit 0", "Tesseract failed: it gave no table of words, but: rubbish."),
        ("cat >/dev/null; exit 0", "Tesseract failed: it gave no table of words, but: nothing."),
        ("echo bad data >&2; exit 3", "Tesseract failed: it ended with 3 and said: bad data."),
        ("kill -11 $$", "Tesseract failed: it ended with -11 and said: nothing."),
        ("head -c 999 /dev/urandom", "Tesseract failed: it gave no table of words, but: "),
    ],
)
def test_a_tesseract_that_fails_ends_in_a_sentence(stands_in: Stand, does: str, told: str) -> None:
    stands_in(does)
    with pytest.raises(ScannedPdfError) as caught:
        loaded(as_pdf(scan()))
    assert told in str(caught.value)


@needs_a_shell
def test_a_tesseract_without_our_languages_or_that_does_not_start_is_told(stands_in: Stand, tmp_path: Path) -> None:
    stands_in("")
    script = tmp_path / "tesseract"
    script.write_text("#!/bin/sh\necho tlh\n")
    with pytest.raises(RecognitionFault, match="it has none of the languages eng, deu, fra, spa, ita, por"):
        Tesseract(LIMITS).read(blank, 200, lambda: None)
    script.write_text("#!/nowhere\n")
    with pytest.raises(RecognitionFault, match=r"it does not start: .*No such file"):
        Tesseract(LIMITS).read(blank, 200, lambda: None)


@needs_a_shell
def test_the_installed_languages_are_asked_for_and_every_direction(stands_in: Stand, tmp_path: Path) -> None:
    stands_in("")
    script = tmp_path / "tesseract"
    listed = "List of available languages\\nfra\\neng\\nosd\\ntlh"
    script.write_text(
        f'#!/bin/sh\nif [ "$1" = --list-langs ]; then printf "{listed}"; exit; fi\necho "$@" >&2; exit 1\n'
    )
    with pytest.raises(RecognitionFault, match=r"said: - - -l eng\+fra --psm 1 --dpi 200 -c tessedit_create_tsv=1"):
        Tesseract(LIMITS).read(blank, 200, lambda: None)


@needs_a_shell
def test_a_tesseract_that_works_without_end_is_stopped(stands_in: Stand) -> None:
    stands_in("while :; do :; done")
    begun = time.monotonic()
    with pytest.raises(ScannedPdfError):
        load_pdf(as_pdf(scan()), "scan.pdf", replace(LIMITS, max_recognition_seconds=1))
    assert time.monotonic() - begun < 60


@needs_a_shell
def test_a_tesseract_that_takes_too_much_memory_is_stopped(stands_in: Stand) -> None:
    stands_in(f"exec {sys.executable} -c 'import time; held = b\"x\" * (300 << 20); time.sleep(100)'")
    with pytest.raises(RecognitionFault, match="it took more than 200 MiB of memory"):
        Tesseract(replace(LIMITS, max_recognition_bytes=400 << 20)).read(blank, 200, lambda: None)


@needs_a_shell
def test_the_steps_are_told_while_it_works_and_cancel_ends_it(stands_in: Stand, tmp_path: Path) -> None:
    marks = tmp_path / "pid"
    stands_in(f"echo $$ > {marks}; exec sleep 100")
    told: list[None] = []

    def step() -> None:
        told.append(None)
        if len(told) > 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Tesseract(LIMITS).read(blank, 200, step)
    assert has_ended(int(marks.read_text()))


@needs_a_shell
def test_the_process_that_reads_takes_tesseract_with_it(stands_in: Stand, tmp_path: Path) -> None:
    marks = tmp_path / "pid"
    stands_in(f"echo $$ > {marks}; exec sleep 100")

    class StopError(Exception):
        """Stands for Cancel."""

    def report(_progress: Progress) -> None:
        if marks.exists() and marks.read_text():
            raise StopError

    worker._stop()  # one that reads for other tests already has their PATH
    with pytest.raises(StopError):
        read_pdf(as_pdf(scan()), "scan.pdf", Budget.of_file(LIMITS, "scan.pdf", report))
    assert has_ended(int(marks.read_text()))


needs_rapidocr = pytest.mark.skipif(
    not RapidOcr.is_installed(), reason="RapidOCR is not installed; the extra `test` brings it"
)


@pytest.fixture
def rapidocr_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(recognition.ENGINE_VARIABLE, "rapidocr")


@needs_rapidocr
@pytest.mark.usefixtures("rapidocr_chosen")
def test_lines_of_one_font_have_one_size_whatever_their_letters_reach() -> None:
    texts = ("are seen once more as a man runs on", "High buildings stand by the quay", "WHO gave (WHO) NEWS in 1998")
    picture = Image.new("L", (1240, 900), 255)
    pen = ImageDraw.Draw(picture)
    for number, text in enumerate(texts):
        pen.text((120, 260 + 60 * number), text, font=letters(26), fill=0)
    runs = loaded(as_pdf(picture)).pages[0].runs
    assert len({run.size for run in runs}) == 1
    assert np.diff([run.y for run in runs]) == pytest.approx([60 * 72 / 150] * 2, abs=1)


@needs_rapidocr
@pytest.mark.usefixtures("rapidocr_chosen")
def test_the_body_of_letters_tells_their_size_and_baseline() -> None:
    font = letters(52)
    for text in ("are seen once more", "High buildings by the quay", "IN CAPITALS 1998"):
        crop = Image.new("L", (1200, 90), 255)
        ImageDraw.Draw(crop).text((10, 70), text, font=font, fill=0, anchor="ls")
        size, rise = rapidocr._letters(np.asarray(crop), text)
        assert size == pytest.approx(52, rel=0.08)
        assert rise == pytest.approx(90 - 70, abs=2)


@needs_rapidocr
@pytest.mark.usefixtures("rapidocr_chosen")
def test_a_page_that_takes_too_long_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10_000, 100))
    monkeypatch.setattr("engine.reading.pdf.rapidocr.time.process_time", lambda: next(clock))
    page = RapidOcr(LIMITS).read(lambda _angle: np.asarray(scan()), 150, lambda: None)
    assert not page.whole and not page.lines  # the first look at the clock is over the limit already


@needs_rapidocr
@pytest.mark.usefixtures("rapidocr_chosen")
def test_a_page_without_lines_is_empty() -> None:
    page = RapidOcr(LIMITS).read(lambda _angle: np.full((600, 500), 255, dtype=np.uint8), 150, lambda: None)
    assert page.whole and not page.lines
