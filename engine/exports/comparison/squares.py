"""A grid too large for numbers, as a picture of squares."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.exports.comparison.heat import Band, Heat
from engine.exports.comparison.outline import MAX_DRAWN, MAX_LINKED, Cell
from engine.exports.comparison.scale import STEPS, Scale
from engine.markup import Markup, element, joined, link

_LETTERS, _LETTER, _CAPITAL, _CORNER, _ROOM = 28, 6.2, 8.2, 50, 720
_SMALLEST, _LARGEST, _LINE, _APART, _TARGET = 10, 26, 12, 12, 7


def squares(heat: Heat, scale: Scale) -> Markup:
    """The grid, A downwards and B to the right, with the names of its sections and the lines between them."""
    rows, columns = heat.values.shape
    size = _ROOM / heat.side if heat.side > MAX_LINKED else min(max(_ROOM // heat.side, _SMALLEST), _LARGEST)
    down, across = (_readable(bands, size) for bands in heat.bands)
    left, top = _margin(down), _margin(across)
    ground = element("rect", width=columns, height=rows, class_="none")
    cells = joined([ground, _shapes(heat, scale), _links(heat, scale, size), _frames(heat, size)])
    names = [element("text", name, class_="down", x=-8, y=round(middle + 4)) for name, middle in down]
    names += [element("text", name, transform=f"translate({middle + 4:.0f} -8) rotate(-90)") for name, middle in across]
    grid = element("g", cells, transform=f"scale({size:.3f})")
    corner = element("text", "A ↓  B →", class_="down", x=-8, y=-8)
    width, height = round(left + columns * size + _LINE), round(top + rows * size + 2)
    return element(
        "svg",
        element("g", corner, *names, grid, transform=f"translate({left} {top})"),
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="group",
        aria_label=heat.label,
    )


def _links(heat: Heat, scale: Scale, size: float) -> Markup:
    """The cells that open their two parts; the keyboard stops at those that hold a passage."""
    steps, side = scale.steps(heat.values), _side(size)
    return joined(_link(heat, cell, int(steps[cell]), side) for cell in sorted(heat.linked))


def _link(heat: Heat, cell: Cell, step: int, side: float) -> Markup:
    row, column = (f"{place + (1 - side) / 2:.4g}" for place in cell)
    title = element("title", heat.said(cell))
    square = element("rect", title, class_=f"h{step}", x=column, y=row, width=f"{side:.4g}", height=f"{side:.4g}")
    return link(heat.place(cell), square, tabindex=None if cell in heat.marked else -1)


def _frames(heat: Heat, size: float) -> Markup:
    """Above all squares: the lines between sections, frames around cells with a passage, and one for a chosen cell."""
    side = _side(size)
    framed = "".join(_frame(cell, side) for cell in sorted(heat.marked))
    lines = [("line", _lines(heat, size)), ("halo", framed), ("frame", framed)]
    chosen = [
        element("path", d=_frame(cell, side), id=f"at-{heat.place(cell)}", class_="chosen")
        for cell in sorted(heat.linked)
    ]
    return joined([*(element("path", d=path, class_=name) for name, path in lines if path), *chosen])


def _frame(cell: Cell, side: float) -> str:
    row, column = (f"{place + (1 - side) / 2:.4g}" for place in cell)
    return f"M{column} {row}h{side:.4g}v{side:.4g}h-{side:.4g}z"


def _side(size: float) -> float:
    """A linked square's side in cells: larger than its place where that is smaller than a pointer needs."""
    return max(1.0, _TARGET / size)


def _shapes(heat: Heat, scale: Scale) -> Markup:
    """Where not every cell is a link: all squares of one colour as one shape, which keeps a long comparison small."""
    if heat.side <= MAX_LINKED:
        return Markup("")
    steps = np.where(np.outer(*heat.kept), scale.steps(heat.values), -1)
    factor = -(-heat.side // MAX_DRAWN)
    paths: list[list[str]] = [[] for _ in range(STEPS)]
    for row, line in enumerate(_merged(steps, factor)):
        edges = [0, *(np.flatnonzero(np.diff(line)) + 1).tolist(), len(line)]
        for start, stop in pairwise(edges):
            if line[start] >= 0:
                width = (stop - start) * factor
                paths[line[start]].append(f"M{start * factor} {row * factor}h{width}v{factor}h-{width}z")
    return joined(element("path", d="".join(path), class_=f"h{step}") for step, path in enumerate(paths) if path)


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
