"""Recognises the text of pages that are pictures, in the process that reads PDFs; needs the extra `ocr`.

The engine is RapidOCR with the models of its own wheel (PP-OCRv6 small), so nothing is fetched. It finds lines, and
reads each. From a line's place we set a page upright that lies on its side, stands on its head or is skewed. The lines
become runs, as a text's letters do, so that columns, headings and paragraphs are found by the same rules.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.readers.limits import Limits
from engine.readers.pdf.runs import Font, Page, Run

INSTALL = 'pip install "priorscope[ocr]"'
"""The command that installs the extra."""

_POINTS_AN_INCH = 72
_DPI = 200
_MOST_PIXELS = 8_000_000
_DETECTED_SIDE = 960
"""The longer side of the picture in which lines are found, in pixels; they are read from the whole picture."""
_THREADS = 2
_SURE = 0.5
"""Less sure lines are left out: specks, drawings, handwriting."""
_LINES_AT_ONCE = 6
_TALL = 1.5
_UPRIGHT_SAMPLE = 12
_LETTER_SHARE = 0.72
"""Of a found line's height, the part that is its font's size; the rest is the margin that the finder leaves."""
_BASELINE_SHARE = 0.24
_SAME_SIZE = 0.2
_BOLD_STROKE = 1.45
_PICTURED = 0.6
"""The share of a page that pictures cover when it is a scan."""
_FEW_LETTERS = 25

_REGULAR, _BOLD = Font("recognised"), Font("recognised bold", bold=True)
Picture = NDArray[np.uint8]
"""(height, width, 3)."""


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line on a picture.

    `corners` (4, 2) are in pixels, from the upper left clockwise; `stroke` is how many pixels thick its strokes are.
    """

    corners: NDArray[np.float64]
    text: str
    confidence: float
    stroke: float


def is_installed() -> bool:
    """Whether the extra's packages are there."""
    return all(find_spec(name) for name in ("rapidocr", "onnxruntime", "cv2"))


def is_picture(raw: Any, handle: Any, page: Page) -> bool:  # noqa: ANN401  pdfium's bindings carry no types
    """Whether a page has next to no text, and pictures cover most of it."""
    letters = sum(sum(map(str.isalpha, run.text)) for run in page.runs)
    return letters < _FEW_LETTERS and _pictured(raw, handle, page) >= _PICTURED


def _pictured(raw: Any, handle: Any, page: Page) -> float:  # noqa: ANN401
    """The share of a page that its pictures and forms cover; strips of one scan are added up."""
    import ctypes

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
    """Reads pages from their pictures; loads its models at the first."""

    def __init__(self, raw: Any, limits: Limits) -> None:  # noqa: ANN401
        """Take pdfium's bindings and the limits; `max_recognition_seconds` bounds each page."""
        self._raw = raw
        self._limits = limits
        self._loaded: Any = None

    def read(self, handle: Any, page: Page, goes_on: Callable[[], None]) -> Page:  # noqa: ANN401
        """The page with the lines that were recognised on its picture, upright and straight.

        `recognised` is the mean confidence by letters, 0 where no line was found; `cut` says that time ran out.
        `goes_on` is called at each step.
        """
        goes_on()
        scale = min(_DPI / _POINTS_AN_INCH, math.sqrt(_MOST_PIXELS / max(1.0, page.width * page.height)))
        picture = _rendered(self._raw, handle, page, scale)
        goes_on()
        picture, corners = self._upright(picture, self._corners(picture))
        lines, whole = self._texts(picture, corners, goes_on)
        height, width = picture.shape[:2]
        runs = _runs(lines, (width, height), scale)
        letters = sum(len(line.text) for line in lines)
        sure = sum(line.confidence * len(line.text) for line in lines) / max(1, letters)
        return replace(
            page,
            width=width / scale,
            height=height / scale,
            runs=runs,
            characters=letters,
            recognised=sure,
            cut=not whole,
        )

    @property
    def _engine(self) -> Any:  # noqa: ANN401  the engine's package carries no types
        if self._loaded is None:
            from rapidocr import RapidOCR

            self._loaded = RapidOCR(
                params={
                    "Global.log_level": "critical",
                    "Global.max_side_len": 2 * max(_DETECTED_SIDE, math.isqrt(_MOST_PIXELS)),
                    "Det.limit_type": "max",
                    "Det.limit_side_len": _DETECTED_SIDE,
                    "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
                }
            )
        return self._loaded

    def _corners(self, picture: Picture) -> NDArray[np.float64]:
        """(n, 4, 2): the corners of the lines on a picture."""
        found = self._engine(picture, use_det=True, use_cls=False, use_rec=False)
        return np.zeros((0, 4, 2)) if found.boxes is None else np.asarray(found.boxes, dtype=np.float64)

    def _upright(self, picture: Picture, corners: NDArray[np.float64]) -> tuple[Picture, NDArray[np.float64]]:
        """The picture turned so that its lines run from left to right, with the corners of its lines there."""
        if not len(corners):
            return picture, corners
        widths, heights = _widths(corners), _heights(corners)
        if np.median(heights / np.maximum(widths, 1)) > _TALL:
            picture = np.ascontiguousarray(np.rot90(picture))
            corners = self._corners(picture)
        longest = np.argsort(-_widths(corners))[:_UPRIGHT_SAMPLE]
        crops = [_crop(picture, one) for one in corners[longest]]
        if not crops:
            return picture, corners
        _, turned = self._engine.cls_and_rotate(crops)
        if sum(label == "180" for label, _ in turned.cls_res) * 2 > len(crops):
            picture = np.ascontiguousarray(np.rot90(picture, 2))
            corners = self._corners(picture)
        return picture, corners

    def _texts(
        self, picture: Picture, corners: NDArray[np.float64], goes_on: Callable[[], None]
    ) -> tuple[list[FoundLine], bool]:
        """The lines with their texts, and whether there was time for all.

        We count the processor's time, so that a busy machine does not cut pages short.
        """
        last = time.process_time() + _THREADS * self._limits.max_recognition_seconds
        by_length = corners[np.argsort(_widths(corners) / np.maximum(_heights(corners), 1))]
        lines: list[FoundLine] = []
        for start in range(0, len(by_length), _LINES_AT_ONCE):
            if time.process_time() > last:
                return lines, False
            goes_on()
            group = by_length[start : start + _LINES_AT_ONCE]
            crops = [_crop(picture, one) for one in group]
            read = self._engine.recognize_txt(list(crops))
            lines += [
                FoundLine(one, text.strip(), float(sure), _stroke(crop))
                for one, crop, text, sure in zip(group, crops, read.txts, read.scores, strict=True)
                if text.strip() and sure >= _SURE
            ]
        return lines, True


def _rendered(raw: Any, handle: Any, page: Page, scale: float) -> Picture:  # noqa: ANN401
    """A page's picture on white."""
    import ctypes

    width, height = max(1, round(page.width * scale)), max(1, round(page.height * scale))
    bitmap = raw.FPDFBitmap_CreateEx(width, height, raw.FPDFBitmap_BGR, None, 0)
    try:
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        raw.FPDF_RenderPageBitmap(bitmap, handle, 0, 0, width, height, 0, 0)
        stride = raw.FPDFBitmap_GetStride(bitmap)
        held = ctypes.cast(raw.FPDFBitmap_GetBuffer(bitmap), ctypes.POINTER(ctypes.c_ubyte * (stride * height)))
        rows = np.frombuffer(held.contents, dtype=np.uint8).reshape(height, stride)
        return rows[:, : 3 * width].reshape(height, width, 3).copy()
    finally:
        raw.FPDFBitmap_Destroy(bitmap)


def _crop(picture: Picture, corners: NDArray[np.float64]) -> Picture:
    """A line's own picture, straightened."""
    from rapidocr.utils.process_img import get_rotate_crop_image

    cropped: Picture = get_rotate_crop_image(picture, corners.astype(np.float32))
    return cropped


def _stroke(crop: Picture) -> float:
    """How thick a line's strokes are: how many pixels are dark in a row, on average."""
    grey = crop.mean(axis=2)
    dark = grey < (grey.min() + grey.max()) / 2
    return float(dark.sum() / max(1, (dark[:, 1:] & ~dark[:, :-1]).sum()))


def _widths(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n,): the lengths of the lines' upper edges."""
    lengths: NDArray[np.float64] = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
    return lengths


def _heights(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n,): the lengths of the lines' left edges."""
    lengths: NDArray[np.float64] = np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1)
    return lengths


def _runs(lines: Sequence[FoundLine], size: tuple[int, int], scale: float) -> list[Run]:
    """One run a line, in points, after the page is turned by the angle at which most of its text stands."""
    if not lines:
        return []
    corners = np.array([line.corners for line in lines])
    edges = corners[:, 1] - corners[:, 0]
    angle = _weighted_median(np.arctan2(edges[:, 1], edges[:, 0]), _widths(corners))
    straight = _turned(corners, -angle, np.array(size) / 2) / scale
    heights = _heights(corners) / scale
    usual = _weighted_median(heights, _widths(corners))
    heights = np.where(np.abs(heights / usual - 1) < _SAME_SIZE, usual, heights)
    strokes = np.array([line.stroke for line in lines])
    bold = strokes > _BOLD_STROKE * _weighted_median(strokes, _widths(corners))
    runs = []
    for line, place, height, is_bold in zip(lines, straight, heights, bold, strict=True):
        bottom = place[2:, 1].mean()
        x0, x1 = place[[0, 3], 0].mean(), place[[1, 2], 0].mean()
        font = _BOLD if is_bold else _REGULAR
        y = bottom - _BASELINE_SHARE * height
        runs.append(Run(line.text, float(x0), float(x1), float(y), float(_LETTER_SHARE * height), font, broken=True))
    return sorted(runs, key=lambda run: (run.y, run.x0))


def _turned(points: NDArray[np.float64], angle: float, centre: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (..., 2) turned about a centre by an angle in radians."""
    sine, cosine = math.sin(angle), math.cos(angle)
    turned: NDArray[np.float64] = (points - centre) @ np.array([[cosine, sine], [-sine, cosine]]) + centre
    return turned


def _weighted_median(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    order = np.argsort(values)
    before = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(before, before[-1] / 2)])
