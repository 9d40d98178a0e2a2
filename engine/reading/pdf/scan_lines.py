"""Lines of text on the picture of a page, whichever engine found them, and the runs that they become.

A line has its place, its text, how sure that is, and how its letters look: their size, their baseline and the thickness
of their strokes. So columns, headings and paragraphs of a scan are found by the same rules as those of a text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.reading.pdf.page import Font, TextRun

SURE = 0.5
"""Less sure lines are left out: specks, drawings, handwriting."""
X_HEIGHT, CAPITALS, DESCENT = 0.52, 0.73, 0.23
"""How far letters reach above the baseline, small ones and the others, and below it, in ems."""
SAME_SIZE = 0.15
"""Sizes that differ by less are one; the pixels of a scan say no more."""
_BOLD_STROKE = 1.45

_REGULAR, _BOLD = Font("recognised"), Font("recognised bold", bold=True)
Scan = NDArray[np.uint8]
"""(height, width), from black to white."""
Draw = Callable[[float], Scan]
"""Draws the page, turned clockwise by an angle in radians."""
Step = Callable[[], None]
"""Is called at each step, to tell that the work goes on."""


@dataclass(frozen=True, slots=True)
class ScanLine:
    """A line on a picture.

    `corners` (4, 2) are in pixels, from the upper left clockwise; `size` of the font, `rise` of the baseline above the
    lower edge and `stroke`, the thickness of its strokes, are, too.
    """

    corners: NDArray[np.float64]
    text: str
    confidence: float
    size: float
    rise: float
    stroke: float


@dataclass(frozen=True, slots=True)
class ScanPage:
    """The lines of a page in a picture of that size, upright, but maybe skewed.

    `whole` says whether they are all, `turned` how many letters stand in lines of another direction, which are left
    out. The picture was drawn `askew`, in radians clockwise, and then set upright by `quarters` counter-clockwise.
    """

    lines: Sequence[ScanLine]
    width: int
    height: int
    whole: bool = True
    turned: int = 0
    quarters: int = 0
    askew: float = 0.0

    @property
    def letters(self) -> int:
        """How many characters its lines have."""
        return sum(len(line.text) for line in self.lines)

    @property
    def confidence(self) -> float:
        """The mean by letters, 0 without any."""
        return sum(line.confidence * len(line.text) for line in self.lines) / max(1, self.letters)


def stroke_of(picture: Scan) -> float:
    """Return how thick a line's strokes are: how many pixels are dark in a row, on average."""
    dark = find_ink(picture)
    return float(dark.sum() / max(1, (dark[:, 1:] & ~dark[:, :-1]).sum()))


def find_ink(picture: Scan) -> NDArray[np.bool_]:
    """Return which pixels are nearer to the darkest than to the lightest."""
    dark: NDArray[np.bool_] = picture < (int(picture.min()) + int(picture.max())) / 2
    return dark


def line_lengths(lines: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the lengths (n,) of the upper edges of (n, 4, 2) corners."""
    of: NDArray[np.float64] = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)
    return of


def weighted_median(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Return the value below which half of the weights lie."""
    order = np.argsort(values)
    before = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(before, before[-1] / 2)])


def slope_of(page: ScanPage) -> float:
    """Return the angle at which most of a page's text stands on its picture, in radians clockwise; 0 without lines."""
    if not page.lines:
        return 0.0
    corners = np.array([line.corners for line in page.lines])
    edges = corners[:, 1] - corners[:, 0]
    return weighted_median(np.arctan2(edges[:, 1], edges[:, 0]), line_lengths(corners))


def runs_of(page: ScanPage, scale: float) -> list[TextRun]:
    """Return one run a line, in points, after the page is turned by the angle at which most of its text stands."""
    lines = page.lines
    if not lines:
        return []
    corners = np.array([line.corners for line in lines])
    weights = line_lengths(corners)
    straight = turn(corners, -slope_of(page), np.array([page.width, page.height]) / 2) / scale
    sizes = np.array([line.size for line in lines]) / scale
    usual = weighted_median(sizes, weights)
    sizes = np.where(np.abs(sizes / usual - 1) < SAME_SIZE, usual, sizes)
    strokes = np.array([line.stroke for line in lines])
    bold = strokes > _BOLD_STROKE * weighted_median(strokes, weights)
    runs = []
    for line, place, size, is_bold in zip(lines, straight, sizes, bold, strict=True):
        y = place[2:, 1].mean() - line.rise / scale
        x0, x1 = place[[0, 3], 0].mean(), place[[1, 2], 0].mean()
        font = _BOLD if is_bold else _REGULAR
        runs.append(TextRun(line.text, float(x0), float(x1), float(y), float(size), font, broken=True))
    return sorted(runs, key=lambda run: (run.y, run.x0))


def turn(points: NDArray[np.float64], angle: float, centre: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points (..., 2), counted from the upper left, turned clockwise about a centre by an angle in radians."""
    sine, cosine = math.sin(angle), math.cos(angle)
    moved: NDArray[np.float64] = (points - centre) @ np.array([[cosine, sine], [-sine, cosine]]) + centre
    return moved
