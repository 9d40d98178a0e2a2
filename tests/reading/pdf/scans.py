"""Scans for tests: pages drawn as pictures, in a PDF."""

from __future__ import annotations

import io
from dataclasses import replace

from matplotlib import font_manager
from PIL import Image, ImageDraw, ImageFont

from engine.reading.limits import LIMITS
from engine.reading.pdf.file import PdfContents, load_pdf

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
