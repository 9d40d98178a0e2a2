"""Draws a page of a PDF as a picture, with a passage's lines tinted and boxed; runs in the process that reads PDFs."""

from __future__ import annotations

import ctypes
import math
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import InputError, MalformedFileError
from engine.reading.limits import Limits
from engine.reading.pdf.file import LOCK, check_bytes, check_pages, open_document

LEAST_SCALE, MOST_SCALE = 0.1, 8.0
"""Pixels a point."""
_MOST_PIXELS = 12_000_000
_MOST_SIDE = 12_000
_TINT = (1.0, 0.92, 0.5)
"""What is left of white in red, green and blue under a mark."""
_EDGE = (194, 94, 0)
_PADDING, _THICKNESS = 2.0, 1.5
"""How far from its lines a passage's box is drawn, and how thick, in points."""
_COMPRESSION = 3

Pixels = NDArray[np.uint8]
"""(height, width, 3)."""
Mark = tuple[float, float, float, float]
"""Left, bottom, right and top of what to mark, in points from the page's lower left corner as it is shown."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page to draw: its number from 1, pixels a point, and the lines to mark in the order of their text.

    A page that would have too many pixels is drawn smaller.
    """

    page: int
    scale: float = 2.0
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as a PNG; `width` and `height` in points, as the page is shown, and how many pages its file has."""

    png: bytes
    width: float
    height: float
    pages: int


def draw_here(data: bytes, name: str, limits: Limits, wanted: Wanted) -> Picture:
    """Draw a page in this process, which a hostile file can stop: `worker.draw_page` draws it in another.

    Raises an InputError's kind for a file that does not open, a page that it does not have, or a scale out of range.
    """
    check_bytes(data, name, limits)
    if not LEAST_SCALE <= wanted.scale <= MOST_SCALE:  # not so for NaN
        raise InputError(
            f"Expected a scale from {LEAST_SCALE:g} to {MOST_SCALE:g} pixels a point, got {wanted.scale:g}. "
            "Choose one between."
        )
    import pypdfium2.raw as raw

    with LOCK, open_document(raw, data, name) as document:
        count = raw.FPDF_GetPageCount(document)
        check_pages(count, data, name, limits)
        if not 1 <= wanted.page <= count:
            raise InputError(
                f"Expected a page from 1 to {count:,} of {name}, got {wanted.page:,}. Choose one of these."
            )
        page = raw.FPDF_LoadPage(document, wanted.page - 1)
        if not page:
            raise MalformedFileError(
                f"Expected page {wanted.page:,} of {name}; it is damaged. Export or download the file again."
            )
        try:
            width, height = raw.FPDF_GetPageWidthF(page), raw.FPDF_GetPageHeightF(page)
            scale = _fit_scale(width, height, wanted, name)
            pixels = _draw(raw, page, max(1, round(width * scale)), max(1, round(height * scale)))
        finally:
            raw.FPDF_ClosePage(page)
    _mark(pixels, wanted.marks, height, scale)
    return Picture(_png(pixels), width, height, count)


def _fit_scale(width: float, height: float, wanted: Wanted, name: str) -> float:
    """Return the scale, or the largest that leaves the picture within its limits."""
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise MalformedFileError(
            f"Expected page {wanted.page:,} of {name} to have a size, found {width:g} × {height:g} points. "
            "Choose another page."
        )
    return min(wanted.scale, math.sqrt(_MOST_PIXELS / (width * height)), _MOST_SIDE / max(width, height))


def _draw(raw: Any, page: Any, width: int, height: int) -> Pixels:  # noqa: ANN401  pdfium's bindings carry no types
    """Return a page's picture on white, without the frames of links and the notes of readers."""
    bitmap = raw.FPDFBitmap_CreateEx(width, height, raw.FPDFBitmap_BGRx, None, 0)
    try:
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, raw.FPDF_REVERSE_BYTE_ORDER)
        stride = raw.FPDFBitmap_GetStride(bitmap)
        held = ctypes.cast(raw.FPDFBitmap_GetBuffer(bitmap), ctypes.POINTER(ctypes.c_ubyte * (stride * height)))
        rows = np.frombuffer(held.contents, dtype=np.uint8).reshape(height, stride)
        return np.ascontiguousarray(rows[:, : 4 * width].reshape(height, width, 4)[:, :, :3])
    finally:
        raw.FPDFBitmap_Destroy(bitmap)


def _mark(pixels: Pixels, marks: Sequence[Mark], height: float, scale: float) -> None:
    """Tint the lines of a passage, and draw a box about each of its blocks."""
    for mark in marks:
        rows, columns = _area(pixels, mark, height, scale, 0.0)
        part = pixels[rows, columns]
        part[:] = np.minimum(part, np.multiply(255, _TINT))
    thick = max(2, round(_THICKNESS * scale))
    for block in blocks(marks):
        rows, columns = _area(pixels, block, height, scale, _PADDING)
        part = pixels[rows, columns]
        for edge in (part[:thick], part[-thick:], part[:, :thick], part[:, -thick:]):
            edge[:] = _EDGE


def blocks(marks: Sequence[Mark]) -> list[Mark]:
    """Return what a passage's lines cover together, line below line: one block a column that it stands in."""
    found: list[Mark] = []
    for left, bottom, right, top in marks:
        before = found[-1] if found else None
        if before and left < before[2] and before[0] < right and -(top - bottom) < before[1] - top < top - bottom:
            found[-1] = (
                min(left, before[0]),
                min(bottom, before[1]),
                max(right, before[2]),
                max(top, before[3]),
            )
        else:
            found.append((left, bottom, right, top))
    return found


def _area(pixels: Pixels, mark: Mark, height: float, scale: float, more: float) -> tuple[slice, slice]:
    """Return the pixels of a mark, and `more` points about it, as far as the picture goes."""
    left, bottom, right, top = mark
    sides = (height - top - more, height - bottom + more, left - more, right + more)
    y0, y1, x0, x1 = (round(min(max(side * scale, 0.0), _MOST_SIDE)) for side in sides)
    return slice(y0, min(y1, pixels.shape[0])), slice(x0, min(x1, pixels.shape[1]))


def _png(pixels: Pixels) -> bytes:
    """The pixels as a PNG (ISO/IEC 15948), in grey where that says all; rows stand as they are, as text packs best."""
    height, width = pixels.shape[:2]
    grey = bool((pixels[:, :, 0] == pixels[:, :, 1]).all() and (pixels[:, :, 1] == pixels[:, :, 2]).all())
    rows = (pixels[:, :, :1] if grey else pixels).reshape(height, -1)
    lines = np.concatenate([np.zeros((height, 1), np.uint8), rows], axis=1)  # 0: no filter
    head = struct.pack(">IIBBBBB", width, height, 8, 0 if grey else 2, 0, 0, 0)
    packed = zlib.compress(lines.tobytes(), _COMPRESSION)
    return b"\x89PNG\r\n\x1a\n" + _piece(b"IHDR", head) + _piece(b"IDAT", packed) + _piece(b"IEND", b"")


def _piece(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
