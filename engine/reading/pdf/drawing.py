"""Draws an open page of a PDF as a picture, with a passage's lines tinted and boxed."""

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

from engine.core.errors import MalformedFileError

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
class PagePicture:
    """A page as a PNG; `width` and `height` in points, as the page is shown, and how many pages its file has."""

    png: bytes
    width: float
    height: float
    pages: int


def picture_of(raw: Any, page: Any, wanted: Wanted, name: str, pages: int) -> PagePicture:  # noqa: ANN401
    """Return an open page of a file with `pages` as a picture. Raises MalformedFileError where it has no size."""
    width, height = raw.FPDF_GetPageWidthF(page), raw.FPDF_GetPageHeightF(page)
    scale = _fit_scale(width, height, wanted, name)
    pixels = render(raw, page, max(1, round(width * scale)), max(1, round(height * scale)))
    _mark(pixels, wanted.marks, height, scale)
    return PagePicture(_png(pixels), width, height, pages)


def _fit_scale(width: float, height: float, wanted: Wanted, name: str) -> float:
    """Return the scale, or the largest that leaves the picture within its limits."""
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise MalformedFileError(
            f"Expected page {wanted.page:,} of {name} to have a size, found {width:g} × {height:g} points. "
            "Choose another page."
        )
    return min(wanted.scale, math.sqrt(_MOST_PIXELS / (width * height)), _MOST_SIDE / max(width, height))


def render(
    raw: Any,  # noqa: ANN401  pdfium's bindings carry no types
    page: Any,  # noqa: ANN401
    width: int,
    height: int,
    *,
    grey: bool = False,
    matrix: Any = None,  # noqa: ANN401
) -> Pixels:
    """Return a page's picture on white, (height, width, 3) or in `grey` (height, width), placed by a `matrix` if given.

    It lacks the frames of links and the notes of readers.
    """
    channels, kind = (1, raw.FPDFBitmap_Gray) if grey else (4, raw.FPDFBitmap_BGRx)
    flags = raw.FPDF_GRAYSCALE if grey else raw.FPDF_REVERSE_BYTE_ORDER
    bitmap = raw.FPDFBitmap_CreateEx(width, height, kind, None, 0)
    try:
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        if matrix is None:
            raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
        else:
            whole = raw.FS_RECTF(0, 0, width, height)
            raw.FPDF_RenderPageBitmapWithMatrix(bitmap, page, matrix, whole, flags)
        stride = raw.FPDFBitmap_GetStride(bitmap)
        drawn = ctypes.cast(raw.FPDFBitmap_GetBuffer(bitmap), ctypes.POINTER(ctypes.c_ubyte * (stride * height)))
        rows = np.frombuffer(drawn.contents, dtype=np.uint8).reshape(height, stride)[:, : channels * width]
        return rows.copy() if grey else np.ascontiguousarray(rows.reshape(height, width, channels)[:, :, :3])
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
    """Write a PNG (ISO/IEC 15948), in grey where that says all; rows stand as they are, as text packs best."""
    height, width = pixels.shape[:2]
    grey = bool((pixels[:, :, 0] == pixels[:, :, 1]).all() and (pixels[:, :, 1] == pixels[:, :, 2]).all())
    rows = (pixels[:, :, :1] if grey else pixels).reshape(height, -1)
    lines = np.concatenate([np.zeros((height, 1), np.uint8), rows], axis=1)  # 0: no filter
    head = struct.pack(">IIBBBBB", width, height, 8, 0 if grey else 2, 0, 0, 0)
    packed = zlib.compress(lines.tobytes(), _COMPRESSION)
    return b"\x89PNG\r\n\x1a\n" + _piece(b"IHDR", head) + _piece(b"IDAT", packed) + _piece(b"IEND", b"")


def _piece(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
