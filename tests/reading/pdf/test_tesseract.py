"""Tesseract reads pages straight and upright; whatever it prints, no traceback comes of it."""

from __future__ import annotations

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
from PIL import Image, ImageDraw

from engine.core.errors import ScannedPdfError
from engine.core.progress import Progress
from engine.reading.limits import LIMITS, Budget
from engine.reading.pdf import recognition, worker
from engine.reading.pdf.file import load_pdf
from engine.reading.pdf.reader import read_pdf
from engine.reading.pdf.scan_lines import Scan
from engine.reading.pdf.tesseract import RecognitionFault, Tesseract, skew
from tests.reading.pdf.scans import as_pdf, letters, loaded, scan

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
