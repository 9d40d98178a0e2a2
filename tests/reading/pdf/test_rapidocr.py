"""RapidOCR's lines: each has the size and the baseline of its letters, and a page has its time."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from engine.reading.limits import LIMITS
from engine.reading.pdf import rapidocr, recognition
from engine.reading.pdf.rapidocr import RapidOcr
from tests.reading.pdf.scans import as_pdf, letters, loaded, scan

pytestmark = pytest.mark.skipif(
    not RapidOcr.is_installed(), reason="RapidOCR is not installed; the extra `test` brings it"
)


@pytest.fixture(autouse=True)
def _chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(recognition.ENGINE_VARIABLE, "rapidocr")


def test_lines_of_one_font_have_one_size_whatever_their_letters_reach() -> None:
    texts = ("are seen once more as a man runs on", "High buildings stand by the quay", "WHO gave (WHO) NEWS in 1998")
    picture = Image.new("L", (1240, 900), 255)
    pen = ImageDraw.Draw(picture)
    for number, text in enumerate(texts):
        pen.text((120, 260 + 60 * number), text, font=letters(26), fill=0)
    runs = loaded(as_pdf(picture)).pages[0].runs
    assert len({run.size for run in runs}) == 1
    assert np.diff([run.y for run in runs]) == pytest.approx([60 * 72 / 150] * 2, abs=1)


def test_the_body_of_letters_tells_their_size_and_baseline() -> None:
    font = letters(52)
    for text in ("are seen once more", "High buildings by the quay", "IN CAPITALS 1998"):
        crop = Image.new("L", (1200, 90), 255)
        ImageDraw.Draw(crop).text((10, 70), text, font=font, fill=0, anchor="ls")
        size, rise = rapidocr._letters(np.asarray(crop), text)
        assert size == pytest.approx(52, rel=0.08)
        assert rise == pytest.approx(90 - 70, abs=2)


def test_a_page_that_takes_too_long_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10_000, 100))
    monkeypatch.setattr("engine.reading.pdf.rapidocr.time.process_time", lambda: next(clock))
    page = RapidOcr(LIMITS).read(lambda _angle: np.asarray(scan()), 150, lambda: None)
    assert not page.whole and not page.lines  # the first look at the clock is over the limit already


def test_a_page_without_lines_is_empty() -> None:
    page = RapidOcr(LIMITS).read(lambda _angle: np.full((600, 500), 255, dtype=np.uint8), 150, lambda: None)
    assert page.whole and not page.lines
