"""A coverage as one HTML file for people, and as a table and a picture for other programs.

The file shows what the library has nothing like, what it comes close to, the heatmap, and the passages behind both.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.compare import Coverage, CoverageCell
from engine.documents import KIND_NAMES
from engine.documents.text import in_percent
from engine.exports.page import day, render
from engine.exports.records import csv_text

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont


_SHEET = Path(__file__).parent / "comparison" / "report.css"
_STEPS = 8
_SHOWN, _OPENING = 900, 110
_NOTE = (
    "Each number is the probability that a document says a part of yours: that a passage of it says the same, perhaps "
    f"in other words. From {Coverage.said_from:.2f} on, the part is said there; else it is close where a passage is on "
    "this very subject, but something differs: read it. A part of several passages is said there where at least half "
    "of its words are. What this library has nothing like may still stand elsewhere."
)


def coverage_html(coverage: Coverage, *, held: int, made_on: date | None = None) -> str:
    """Return the file's text; nothing in it is fetched or runs, and no text of a document becomes markup.

    `held` is how many documents the library holds.
    """
    return render(
        "coverage_report.html",
        title=f"How much of {coverage.question.name} is already said",
        heading="What is said already, what comes close, and what has nothing like it here",
        sheet=_SHEET.read_text("utf-8"),
        making=_making(coverage, held, made_on),
        note=_NOTE,
        coverage=coverage,
        groups=coverage.not_said(),
        rows=range(len(coverage.rows)),
        shown_cells=(cells := _shown_cells(coverage)),
        linked={(row, column) for row, column, _ in cells},
        step=lambda p: min(_STEPS - 1, int(p * _STEPS)),
        facts_of=lambda one: ", ".join(filter(None, (KIND_NAMES[one.kind], str(one.year or ""), one.public_id))),
        shown=lambda text: text if len(text) <= _SHOWN else f"{text[:_SHOWN].rstrip()} …",
        opening=lambda text: shorten(text, _OPENING, placeholder=" …"),
        percent=in_percent,
    )


def _making(coverage: Coverage, held: int, made_on: date | None) -> dict[str, str]:
    return {
        "Rows": coverage.kind,
        "Columns": f"{len(coverage.columns):,} of {held:,} documents",
        "Left out": f"{', '.join(coverage.copies)}: the document itself" if coverage.copies else "",
        "Made on": day(made_on) if made_on else "",
    }


def _shown_cells(coverage: Coverage) -> list[tuple[int, int, CoverageCell]]:
    """Return every cell that says its row, and the nearest of a row that is close; row by row, the surest first."""
    every = [(row, column, cell) for row, cells in enumerate(coverage.cells) for column, cell in enumerate(cells)]
    found = [one for one in every if one[2].is_said or (one[2].is_close and one[2] is coverage.row_best(one[0]))]
    return sorted(found, key=lambda one: (one[0], one[2].rank, -one[2].p))


def coverage_csv(coverage: Coverage) -> str:
    """Return a line a row: its title, its word, the share of it that is said, its p, then the p of each document.

    Documents are named by their ids in the first line. Lines end in CR LF (RFC 4180), and no name is a formula to a
    spreadsheet.
    """
    table: list[list[object]] = [
        ["row", "page", "covered", "word", "share", "p", *(one.id for one in coverage.columns)]
    ]
    for number, (row, cells) in enumerate(zip(coverage.rows, coverage.cells, strict=True)):
        ps = [round(cell.p, 3) for cell in cells]
        covered = "yes" if coverage.is_said(number) else "no"
        told = (coverage.row_word(number), round(coverage.row_share(number), 3), round(coverage.row_p(number), 3))
        table.append([row.title, row.chunk.page or "", covered, *told, *ps])
    return csv_text(table)


_FONT = Path(__file__).parent / "dejavu" / "DejaVuSans.ttf"
_INK, _OTHER_INK = "#000000", "#8a4b00"
_COLOURS = (
    *((255, 255, 217), (237, 248, 177), (199, 233, 180), (127, 205, 187), (65, 182, 196)),
    *((29, 145, 192), (34, 94, 168), (37, 52, 148), (8, 29, 88)),
)
"""YlGnBu of ColorBrewer (Harrower and Brewer, 2003): even steps of probability from 0 to 1, mixed between them."""
_DOTS = 150
_ROW_CHARACTERS, _COLUMN_CHARACTERS, _TITLE_CHARACTERS = 48, 40, 80
_LETTERS, _TITLE_LETTERS = 17, 21
"""The heights of letters, in pixels as all that follows."""
_CELL, _NARROW_CELL = 42, 10
_LEAST, _MOST = 375, 8_400
"""How high and wide the cells together are at least; beyond the most, each cell is narrower."""
_SPACE, _BAR, _BAR_SHARE = 12, 30, 0.6
_LACKING = "[…]"
_LACKING_NOTE = f"{_LACKING} and numbers stand for letters that this picture lacks; the HTML file has every name."


def coverage_png(coverage: Coverage) -> bytes:
    """Return the heatmap as a PNG: rows downwards, documents across, dark where one says the row.

    Rows that are not said there are named by their word. The same coverage makes the same bytes.
    """
    from PIL import Image, ImageDraw

    said, columns = [coverage.is_said(row) for row in range(len(coverage.rows))], len(coverage.columns)
    heading = f"How much of {coverage.question.name} is already said"
    names = [_legible(row.title, f"row {number}", _ROW_CHARACTERS) for number, row in enumerate(coverage.rows, 1)]
    names = [name if said[row] else f"{coverage.row_word(row)} · {name}" for row, name in enumerate(names)]
    documents = [_legible(one.name, f"document {n}", _COLUMN_CHARACTERS) for n, one in enumerate(coverage.columns, 1)]
    values = np.array([[cell.p for cell in cells] for cells in coverage.cells]).reshape(len(names), columns)
    grid = _coloured(values, _extent(columns), _extent(len(names)))
    beside = _labels(names, grid.height, [_INK if one else _OTHER_INK for one in said])
    below = _labels(documents, grid.width, [_INK] * columns).transpose(Image.Transpose.ROTATE_90)
    scale, title = _scale(grid.height), _line(_legible(heading, heading, _TITLE_CHARACTERS), _TITLE_LETTERS)
    texts = [heading, *(row.title for row in coverage.rows), *(one.name for one in coverage.columns)]
    lacking = not all(_has(letter) for text in texts for letter in " ".join(text.split()))
    note = _line(_LACKING_NOTE if lacking else "", _LETTERS)

    left, top = beside.width + 2 * _SPACE, title.height + 2 * _SPACE
    right, bottom = left + grid.width, top + grid.height
    width = max(right + 2 * _SPACE + scale.width, title.width + _SPACE, note.width + _SPACE) + _SPACE
    end = max(bottom + below.height, top + scale.height) + 2 * _SPACE
    picture = Image.new("RGB", (width, end + (note.height if lacking else 0)), "white")
    picture.paste(title, (min(left, width - _SPACE - title.width), _SPACE))
    picture.paste(beside, (_SPACE, top))
    picture.paste(grid, (left, top))
    picture.paste(below, (left, bottom + _SPACE))
    picture.paste(scale, (right + 2 * _SPACE, top))
    if lacking:
        picture.paste(note, (_SPACE, end))
    ImageDraw.Draw(picture).rectangle((left - 1, top - 1, right, bottom), outline=_INK)
    stream = io.BytesIO()
    picture.save(stream, "PNG", dpi=(_DOTS, _DOTS))
    return stream.getvalue()


def _extent(count: int) -> int:
    """Return the pixels that a number of cells take."""
    return max(_LEAST, count * min(_CELL, max(_NARROW_CELL, _MOST // max(1, count))))


def _coloured(values: NDArray[np.float64], width: int, height: int) -> Image:
    """Return probabilities (rows, columns) as a picture of that size, each as a square of its colour."""
    from PIL import Image

    if not values.size:
        return Image.new("RGB", (width, height), "white")
    steps = np.linspace(0, 1, len(_COLOURS))
    mixed = np.stack([np.interp(values, steps, channel) for channel in zip(*_COLOURS, strict=True)], axis=-1)
    return Image.fromarray(mixed.round().astype(np.uint8)).resize((width, height), Image.Resampling.NEAREST)


def _labels(names: Sequence[str], height: int, inks: Sequence[str]) -> Image:
    """Return names below each other, evenly over a height, ending at one edge."""
    from PIL import Image, ImageDraw

    step = height / max(1, len(names))
    font = _font(min(_LETTERS, int(step)))
    width = max([1, *(int(font.getlength(name)) + 1 for name in names)])
    strip = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(strip)
    for number, (name, ink) in enumerate(zip(names, inks, strict=True)):
        draw.text((width, (number + 0.5) * step), name, ink, font, anchor="rm")
    return strip


def _line(text: str, letters: int) -> Image:
    """Return one line of text, as high as its letters and the space around them."""
    from PIL import Image, ImageDraw

    font = _font(letters)
    line = Image.new("RGB", (max(1, int(font.getlength(text)) + 1), letters + _SPACE), "white")
    ImageDraw.Draw(line).text((0, line.height / 2), text, _INK, font, anchor="lm")
    return line


def _scale(height: int) -> Image:
    """Return what the colours mean, beside a grid of a height."""
    from PIL import Image, ImageDraw

    said = _line("probability that the document says it", _LETTERS).transpose(Image.Transpose.ROTATE_90)
    font, height = _font(_LETTERS), max(height, said.height)
    numbers = int(font.getlength("0.0")) + 1
    scale = Image.new("RGB", (_BAR + numbers + _SPACE + said.width, height), "white")
    bar = _coloured(np.linspace(1, 0, 256)[:, None], _BAR, int(_BAR_SHARE * height))
    above = (height - bar.height) // 2
    scale.paste(bar, (0, above))
    draw = ImageDraw.Draw(scale)
    draw.rectangle((0, above, _BAR, above + bar.height), outline=_INK)
    for tenth in range(0, 11, 2):
        place = above + (1 - tenth / 10) * bar.height
        draw.line((_BAR, place, _BAR + _SPACE // 2, place), _INK)
        draw.text((_BAR + _SPACE, place), f"{tenth / 10:.1f}", _INK, font, anchor="lm")
    scale.paste(said, (_BAR + numbers + _SPACE, (height - said.height) // 2))
    return scale


def _legible(text: str, otherwise: str, most: int) -> str:
    """Return a name on one line, cut to its room, in letters that the font has; `otherwise` where none is left."""
    line = " ".join(text.split())
    found = re.sub(r"\0(?:\s*\0)*", _LACKING, "".join(letter if _has(letter) else "\0" for letter in line))
    if _LACKING in found and not any(letter.isalnum() for letter in found):
        return otherwise
    return found if len(found) <= most else f"{found[: most - 1].rstrip()}…"


@lru_cache(maxsize=4_096)
def _has(letter: str) -> bool:
    """Return whether the font has a letter: it draws one box for all that it lacks."""
    drawn, lacking = (_font(_LETTERS).getmask(one) for one in (letter, "\U000f0000"))
    return drawn.size != lacking.size or bytes(drawn) != bytes(lacking)


@lru_cache(maxsize=32)
def _font(height: int) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(str(_FONT), height)
