"""Recognises the text of pages that are pictures, in the process that reads PDFs, by the engine that is installed.

That is Tesseract, a program, or RapidOCR, the extra `ocr`; both read pages in columns and whichever way they lie.
"""

from __future__ import annotations

import ctypes
import math
import os
from dataclasses import replace
from functools import cached_property
from typing import Any, Protocol

from engine.core.errors import InputError
from engine.core.files import shown
from engine.reading.limits import Limits
from engine.reading.pdf.drawing import render
from engine.reading.pdf.page import PdfPage
from engine.reading.pdf.rapidocr import RapidOcr
from engine.reading.pdf.scan_lines import Draw, Scan, ScanPage, Step, runs_of, slope_of
from engine.reading.pdf.tesseract import RecognitionFault, Tesseract

ENGINE_VARIABLE = "PRIORSCOPE_OCR"
"""The environment variable that chooses an engine by name."""
_INSTALL = (
    "To have it recognised (OCR), install Tesseract so that it is on PATH, or the extra: "
    'pip install "priorscope[ocr]". Or paste its text.'
)
_POINTS_AN_INCH = 72
_DPI = 200
_MOST_PIXELS = 8_000_000
_PICTURED = 0.6
"""The share of a page that pictures cover when it is a scan."""
_FEW_LETTERS = 25
_SLOW_PAGES = 2
"""After this many pages that took too long, a file's other scans are left out."""


class Engine(Protocol):
    """What finds lines on the picture of a page, and reads them."""

    name: str

    def read(self, draw: Draw, dots: float, goes_on: Step) -> ScanPage:
        """Read a page whose picture has `dots` an inch. Raises RecognitionFault if the engine is broken."""


ENGINES: dict[str, type[Tesseract] | type[RapidOcr]] = {"tesseract": Tesseract, "rapidocr": RapidOcr}
"""By the name that chooses it. The first that is installed is taken: it is quicker, and reads as well, as
engine/research/reports/recognition.md shows."""


def choose_engine() -> str | None:
    """Return the name of the engine to use, None if it is not installed.

    Raises InputError if the environment names an engine that we do not know.
    """
    named = os.environ.get(ENGINE_VARIABLE, "")
    if named and named not in ENGINES:
        raise InputError(
            f"Expected {' or '.join(ENGINES)} in the environment variable {ENGINE_VARIABLE}, found {shown(named)}. "
            "Correct it, or unset it to use what is installed."
        )
    return next((name for name in ([named] if named else ENGINES) if ENGINES[name].is_installed()), None)


def how_to_install() -> str:
    """Return what to do where `choose_engine` gives none."""
    if named := os.environ.get(ENGINE_VARIABLE):
        return f"{ENGINE_VARIABLE} chooses {named} to recognise it (OCR), which is not installed. Install or unset it."
    return _INSTALL


def is_picture(raw: Any, handle: Any, page: PdfPage) -> bool:  # noqa: ANN401  pdfium's bindings carry no types
    """Tell whether a page has next to no text, and pictures cover most of it."""
    letters = sum(sum(map(str.isalpha, run.text)) for run in page.runs)
    return letters < _FEW_LETTERS and _picture_share(raw, handle, page) >= _PICTURED


def _picture_share(raw: Any, handle: Any, page: PdfPage) -> float:  # noqa: ANN401
    """Return the share of a page that its pictures and forms cover; strips of one scan are added up."""
    covered = 0.0
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    for place in range(raw.FPDFPage_CountObjects(handle)):
        drawn = raw.FPDFPage_GetObject(handle, place)
        if raw.FPDFPageObj_GetType(drawn) not in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM):
            continue
        if raw.FPDFPageObj_GetBounds(drawn, left, bottom, right, top):
            covered += abs(right.value - left.value) * abs(top.value - bottom.value)
    return covered / max(1.0, page.width * page.height)


class Recogniser:
    """Reads the scans of one file."""

    def __init__(self, raw: Any, limits: Limits, goes_on: Step) -> None:  # noqa: ANN401
        """Take pdfium's bindings, the limits, and what is called at each step.

        `max_recognition_seconds` bounds each page.
        """
        self._raw = raw
        self._limits = limits
        self._goes_on = goes_on
        self._slow = 0
        self.fault = ""
        """What is wrong with the engine, as the last page showed."""

    @cached_property
    def engine(self) -> Engine | None:
        """The engine, if one is installed. Raises as `choose_engine`."""
        name = choose_engine()
        return ENGINES[name](self._limits) if name else None

    def read(self, handle: Any, page: PdfPage) -> PdfPage:  # noqa: ANN401
        """Return the page with the lines that were recognised on its picture, upright and straight.

        `recognised` is the mean confidence by letters, 0 where no line was found; `cut` says that lines are missing,
        because time ran out or the engine failed.
        """
        assert self.engine
        if self._slow >= _SLOW_PAGES:
            return replace(page, recognised=0.0, cut=True)
        self._goes_on()
        scale = min(_DPI / _POINTS_AN_INCH, math.sqrt(_MOST_PIXELS / max(1.0, page.width * page.height)))
        try:
            found = self.engine.read(
                lambda angle: _draw(self._raw, handle, page, scale, angle), scale * _POINTS_AN_INCH, self._goes_on
            )
        except RecognitionFault as fault:
            self.fault = f"{self.engine.name} failed: {fault}."
            return replace(page, recognised=0.0, cut=True)
        self._slow += not found.whole
        return replace(
            page,
            width=found.width / scale,
            height=found.height / scale,
            runs=runs_of(found, scale),
            characters=found.letters,
            recognised=found.confidence,
            turned=found.turned,
            cut=not found.whole,
            quarters=found.quarters,
            skew=slope_of(found) - found.askew,
        )


def _draw(raw: Any, handle: Any, page: PdfPage, scale: float, angle: float) -> Scan:  # noqa: ANN401
    """Return a page's picture in grey on white, turned clockwise about its centre."""
    width, height = max(1, round(page.width * scale)), max(1, round(page.height * scale))
    sine, cosine = math.sin(angle), math.cos(angle)
    right, down = width / 2 * (1 - cosine) + height / 2 * sine, height / 2 * (1 - cosine) - width / 2 * sine
    matrix = raw.FS_MATRIX(scale * cosine, scale * sine, -scale * sine, scale * cosine, right, down)
    return render(raw, handle, width, height, grey=True, matrix=matrix if angle else None)
