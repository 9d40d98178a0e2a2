"""A grid too large for numbers, as a picture of squares."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.exports.comparison.heatmaps import STEPS, Band, Heat
from engine.exports.comparison.outline import MAX_DRAWN, MAX_LINKED, Cell

_LETTERS, _LETTER, _CAPITAL, _CORNER, _ROOM = 28, 6.2, 8.2, 50, 720
_SMALLEST, _LARGEST, _LINE, _APART, _TARGET = 10, 26, 12, 12, 7


@dataclass(frozen=True, slots=True)
class Square:
    """A cell that opens its two parts: its pair's id, its colour, its corner in cells, and a path around it.

    The keyboard stops at those that are marked, which hold a passage.
    """

    place: str
    said: str
    step: int
    x: str
    y: str
    frame: str
    is_marked: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """The grid, A downwards and B to the right, with the names of its sections and the lines between them.

    `width`, `height`, `left`, `top` and the places of names are pixels; `scale` is a cell's size in pixels, and
    `square` that of a linked one in cells. `shapes` are all squares of one colour as one path, by its step, where not
    every cell is a link: that keeps a long comparison small. `lines` lie above the squares, by their class.
    """

    label: str
    rows: int
    columns: int
    width: int
    height: int
    left: int
    top: int
    scale: str
    square: str
    names_down: list[tuple[str, int]]
    names_across: list[tuple[str, str]]
    shapes: list[tuple[int, str]]
    squares: list[Square]
    lines: list[tuple[str, str]]


def picture(heat: Heat) -> Picture:
    """Draw a grid."""
    rows, columns = heat.values.shape
    size = _ROOM / heat.longer if heat.longer > MAX_LINKED else min(max(_ROOM // heat.longer, _SMALLEST), _LARGEST)
    square = max(1.0, _TARGET / size)  # larger than its place where that is smaller than a pointer needs
    down, across = (_readable(bands, size) for bands in heat.bands)
    left, top = _margin(down), _margin(across)
    framed = "".join(_frame(cell, square) for cell in sorted(heat.marked))
    return Picture(
        label=heat.label,
        rows=rows,
        columns=columns,
        width=round(left + columns * size + _LINE),
        height=round(top + rows * size + 2),
        left=left,
        top=top,
        scale=f"{size:.3f}",
        square=f"{square:.4g}",
        names_down=[(name, round(middle + 4)) for name, middle in down],
        names_across=[(name, f"{middle + 4:.0f}") for name, middle in across],
        shapes=_shapes(heat),
        squares=_squares(heat, square),
        lines=[("line", _lines(heat, size)), ("halo", framed), ("frame", framed)],
    )


def _squares(heat: Heat, square: float) -> list[Square]:
    steps = heat.scale.steps(heat.values)
    return [
        Square(
            heat.place(cell),
            heat.said(cell),
            int(steps[cell]),
            *_corner(cell, square)[::-1],
            _frame(cell, square),
            cell in heat.marked,
        )
        for cell in sorted(heat.linked)
    ]


def _corner(cell: Cell, square: float) -> tuple[str, str]:
    """From above and from the left."""
    row, column = (f"{place + (1 - square) / 2:.4g}" for place in cell)
    return row, column


def _frame(cell: Cell, square: float) -> str:
    row, column = _corner(cell, square)
    return f"M{column} {row}h{square:.4g}v{square:.4g}h-{square:.4g}z"


def _shapes(heat: Heat) -> list[tuple[int, str]]:
    if heat.longer <= MAX_LINKED:
        return []
    steps = np.where(np.outer(*heat.kept), heat.scale.steps(heat.values), -1)
    factor = -(-heat.longer // MAX_DRAWN)
    paths: list[list[str]] = [[] for _ in range(STEPS)]
    for row, line in enumerate(_merged(steps, factor)):
        edges = [0, *(np.flatnonzero(np.diff(line)) + 1).tolist(), len(line)]
        for start, stop in pairwise(edges):
            if line[start] >= 0:
                width = (stop - start) * factor
                paths[line[start]].append(f"M{start * factor} {row * factor}h{width}v{factor}h-{width}z")
    return [(step, "".join(path)) for step, path in enumerate(paths) if path]


def _merged(steps: NDArray[np.int64], factor: int) -> NDArray[np.int64]:
    """The highest of each block of `factor` by `factor` cells."""
    rows, columns = (np.arange(0, count, factor) for count in steps.shape)
    merged: NDArray[np.int64] = np.maximum.reduceat(np.maximum.reduceat(steps, rows, axis=0), columns, axis=1)
    return merged


def _lines(heat: Heat, size: float) -> str:
    """Where one section ends and the next begins; none where sections are so short that lines would hide them."""
    rows, columns = heat.values.shape
    down, across = (bands[1:] if size * bands[-1][2] >= _APART * len(bands) else [] for bands in heat.bands)
    horizontal = "".join(f"M0 {start}h{columns}" for _, start, _ in down)
    return horizontal + "".join(f"M{start} 0v{rows}" for _, start, _ in across)


def _margin(names: list[tuple[str, float]]) -> int:
    """Pixels for the longest name: capitals are wider."""
    widths = [sum(_CAPITAL if letter.isupper() else _LETTER for letter in name) for name, _ in names]
    return round(max([_CORNER, *widths]) + 12)


def _readable(bands: list[Band], size: float) -> list[tuple[str, float]]:
    """The names that have room, cut to their room, each with the middle of its section in pixels."""
    found, free = [], 0.0
    for name, start, stop in bands:
        middle = (start + stop) / 2 * size
        if middle >= free:
            found.append((name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1].rstrip()}…", middle))
            free = middle + _LINE
    return found
