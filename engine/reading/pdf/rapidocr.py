"""Lines of a scan by RapidOCR, with the models of its own wheel (PP-OCRv6 small), so that nothing is fetched.

It finds lines, and reads each. From a line's place we set a page upright that lies on its side or stands on its head.
Two lines are read at a time, each by one thread: two threads on one line wait for each other most of the time.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.reading.limits import Limits
from engine.reading.pdf.scan_lines import (
    CAPITALS,
    SAME_SIZE,
    SURE,
    X_HEIGHT,
    Draw,
    Scan,
    ScanLine,
    ScanPage,
    Step,
    find_ink,
    line_lengths,
    stroke_of,
    weighted_median,
)

_DETECTED_SIDE = 960
"""The longer side of the picture in which lines are found, in pixels; they are read from the whole picture."""
_MOST_SIDE = 6_000
_THREADS = 2
_LINES_AT_ONCE = 8
_TALL = 1.5
_UPRIGHT_SAMPLE = 12
_INK_SHARE = 0.5
"""Rows of a line with at least this share of the ink of its darkest belong to the small letters' bodies."""
_DARKEST = 90
_LARGEST_SHARE = 0.9
"""Of a found line's height, the part that its font's size may be; a rule or a neighbour's letters make more of it."""


class RapidOcr:
    """Reads pages with RapidOCR; loads its models at the first."""

    name = "RapidOCR"

    def __init__(self, limits: Limits) -> None:
        """Take the limits: a page may take `max_recognition_seconds` of two processors."""
        self._max_seconds = limits.max_recognition_seconds

    @staticmethod
    def is_installed() -> bool:
        """Tell whether the packages of the extra `ocr` are there."""
        return all(find_spec(name) for name in ("rapidocr", "onnxruntime", "cv2"))

    def read(self, draw: Draw, _dots: float, goes_on: Step) -> ScanPage:
        """Return the lines of a page."""
        picture = _add_colours(draw(0.0))
        goes_on()
        picture, corners, quarters = self._upright(picture, self._corners(picture))
        lines, whole = self._lines(picture, corners, goes_on)
        return ScanPage(_settle_sizes(lines), picture.shape[1], picture.shape[0], whole, quarters=quarters)

    @cached_property
    def _engine(self) -> Any:  # noqa: ANN401  the engine's package carries no types
        from rapidocr import RapidOCR

        return RapidOCR(
            params={
                "Global.log_level": "critical",
                "Global.max_side_len": _MOST_SIDE,
                "Det.limit_type": "max",
                "Det.limit_side_len": _DETECTED_SIDE,
                "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            }
        )

    def _corners(self, picture: Scan) -> NDArray[np.float64]:
        """Return the corners (n, 4, 2) of the lines on a picture."""
        found = self._engine(picture, use_det=True, use_cls=False, use_rec=False)
        return np.zeros((0, 4, 2)) if found.boxes is None else np.asarray(found.boxes, dtype=np.float64)

    def _upright(self, picture: Scan, corners: NDArray[np.float64]) -> tuple[Scan, NDArray[np.float64], int]:
        """Return the picture turned so that its lines run from left to right, with the corners of its lines there.

        Last comes by how many quarters it was turned counter-clockwise.
        """
        quarters = 0
        if not len(corners):
            return picture, corners, quarters
        widths, heights = line_lengths(corners), _heights(corners)
        if np.median(heights / np.maximum(widths, 1)) > _TALL:
            picture, quarters = np.ascontiguousarray(np.rot90(picture)), 1
            corners = self._corners(picture)
        longest = np.argsort(-line_lengths(corners))[:_UPRIGHT_SAMPLE]
        crops = [_crop(picture, one) for one in corners[longest]]
        if not crops:
            return picture, corners, quarters
        _, turned = self._engine.cls_and_rotate(crops)
        if sum(label == "180" for label, _ in turned.cls_res) * 2 > len(crops):
            picture, quarters = np.ascontiguousarray(np.rot90(picture, 2)), quarters + 2
            corners = self._corners(picture)
        return picture, corners, quarters

    def _lines(self, picture: Scan, corners: NDArray[np.float64], goes_on: Step) -> tuple[list[ScanLine], bool]:
        """Return the lines, and whether there was time for all.

        We count the processor's time, so that a busy machine does not cut pages short.
        """
        last = time.process_time() + _THREADS * self._max_seconds
        lines: list[ScanLine | None] = []
        with ThreadPoolExecutor(_THREADS) as pool:
            for start in range(0, len(corners), _LINES_AT_ONCE):
                if time.process_time() > last:
                    return [line for line in lines if line], False
                goes_on()
                group = corners[start : start + _LINES_AT_ONCE]
                lines += pool.map(self._line, [_crop(picture, one) for one in group], group)
        return [line for line in lines if line], True

    def _line(self, crop: Scan, corners: NDArray[np.float64]) -> ScanLine | None:
        """Return the line on a picture of its own, if it is sure enough."""
        read = self._engine.recognize_txt([crop])
        text, confidence = read.txts[0].strip(), float(read.scores[0])
        if not text or confidence < SURE:
            return None
        size, rise = _letters(crop[:, :, 0], text)
        return ScanLine(corners, text, confidence, size, rise, stroke_of(crop[:, :, 0]))


def _add_colours(picture: Scan) -> Scan:
    """Return a picture as (height, width, 3), which the engine expects."""
    return np.repeat(picture[:, :, None], 3, axis=2)


def _crop(picture: Scan, corners: NDArray[np.float64]) -> Scan:
    """Return a line's own picture, straightened."""
    from rapidocr.utils.process_img import get_rotate_crop_image

    cropped: Scan = get_rotate_crop_image(picture, corners.astype(np.float32))
    return cropped


def _heights(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the lengths (n,) of the lines' left edges."""
    of: NDArray[np.float64] = np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1)
    return of


def _settle_sizes(lines: Sequence[ScanLine]) -> Sequence[ScanLine]:
    """Return the lines, those of usual height with the usual size: words in capitals make other letters seem large."""
    if not lines:
        return lines
    corners = np.array([line.corners for line in lines])
    weights, heights = line_lengths(corners), _heights(corners)
    usual = weighted_median(np.array([line.size for line in lines]), weights)
    same = np.abs(heights / weighted_median(heights, weights) - 1) < SAME_SIZE
    return [replace(line, size=usual) if is_same else line for line, is_same in zip(lines, same, strict=True)]


def _letters(crop: Scan, text: str) -> tuple[float, float]:
    """Return the size of a line's font and the rise of its baseline, in pixels.

    Both come from the rows in which most of its ink lies, as the found box is up to a fifth too high or too low.
    """
    ink = find_ink(crop).sum(axis=1)
    rows = np.flatnonzero(ink >= _INK_SHARE * np.percentile(ink, _DARKEST))
    body = rows[-1] - rows[0] + 1
    small = sum(map(str.islower, text)) * 2 > sum(map(str.isalnum, text))
    size = min(body / (X_HEIGHT if small else CAPITALS), _LARGEST_SHARE * len(ink))
    return float(size), float(len(ink) - 1 - rows[-1])
