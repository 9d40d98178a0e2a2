"""A grid too large for numbers, as a picture of squares."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.compare.report.heat import Band, Heat
from engine.compare.report.markup import Markup, element, joined, link
from engine.compare.report.outline import MAX_LINKED, Cell
from engine.compare.report.scale import STEPS, Scale

MAX_DRAWN = 400
"""A picture with more than this on a side shows several chunks as one square, in the colour of the most alike."""

_LEFT, _TOP, _LETTERS, _ROOM = 170, 140, 24, 720
_SMALLEST, _LARGEST, _LINE, _TARGET = 10, 26, 12, 7


def squares(heat: Heat, scale: Scale) -> Markup:
    """The grid, A downwards and B to the right, with the names of its sections and the lines between them."""
    rows, columns = heat.values.shape
    size = _ROOM / heat.side if heat.side > MAX_LINKED else min(max(_ROOM // heat.side, _SMALLEST), _LARGEST)
    cells = joined([_shapes(heat, scale), _links(heat, scale, size)])
    ground = element("rect", width=columns, height=rows, class_="none")
    lines = element("path", d=_lines(heat), class_="line")
    width, height = round(_LEFT + columns * size + 2), round(_TOP + rows * size + 2)
    return element(
        "svg",
        element("text", "A ↓  B →", class_="down", x=_LEFT - 8, y=_TOP - 8),
        *_names_down(heat.bands[0], size),
        *_names_across(heat.bands[1], size),
        element("g", ground, cells, lines, transform=f"translate({_LEFT} {_TOP}) scale({size:.3f})"),
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="group",
        aria_label=heat.label,
    )


def _links(heat: Heat, scale: Scale, size: float) -> Markup:
    """The cells that open their two parts; the keyboard stops at those that hold a passage.

    Where cells are smaller than a finger or a pointer needs, these are drawn larger than their place.
    """
    steps = scale.steps(heat.values)
    side = max(1.0, _TARGET / size)
    cells = [*sorted(heat.linked - heat.marked), *sorted(heat.linked & heat.marked)]
    return joined(_link(heat, cell, int(steps[cell]), side) for cell in cells)


def _link(heat: Heat, cell: Cell, step: int, side: float) -> Markup:
    row, column = (f"{place + (1 - side) / 2:.4g}" for place in cell)
    title = element("title", heat.said(cell))
    square = element("rect", title, class_=f"h{step}", x=column, y=row, width=f"{side:.4g}", height=f"{side:.4g}")
    emphasis = {"class_": "marked"} if cell in heat.marked else {"tabindex": "-1"}
    return link(heat.place(cell), square, id=f"at-{heat.place(cell)}", **emphasis)


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


def _lines(heat: Heat) -> str:
    """Where one section ends and the next begins."""
    rows, columns = heat.values.shape
    horizontal = "".join(f"M0 {start}h{columns}" for _, start, _ in heat.bands[0][1:])
    return horizontal + "".join(f"M{start} 0v{rows}" for _, start, _ in heat.bands[1][1:])


def _names_down(bands: list[Band], size: float) -> list[Markup]:
    return [
        element("text", name, class_="down", x=_LEFT - 8, y=round(_TOP + middle + 4))
        for name, middle in _readable(bands, size)
    ]


def _names_across(bands: list[Band], size: float) -> list[Markup]:
    return [
        element("text", name, transform=f"translate({_LEFT + middle + 4:.0f} {_TOP - 8}) rotate(-90)")
        for name, middle in _readable(bands, size)
    ]


def _readable(bands: list[Band], size: float) -> list[tuple[str, float]]:
    """The names that have room, cut to their room, each with the middle of its section in pixels."""
    found, free = [], 0.0
    for name, start, stop in bands:
        middle = (start + stop) / 2 * size
        if middle >= free:
            found.append((name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1].rstrip()}…", middle))
            free = middle + _LINE
    return found
