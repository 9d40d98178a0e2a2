"""A grid too large for numbers, as a picture of squares."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.exports.comparison.heatmaps import STEPS, Band, Heat
from engine.exports.comparison.outline import MAX_DRAWN, MAX_LINKED, Cell

_LETTERS, _LETTER, _CAPITAL, _CORNER, _ROOM = 28, 6.2, 8.2, 50, 720
_SMALLEST, _LARGEST, _LINE, _APART, _TARGET = 10, 26, 12, 12, 7


class Picture:
    """The grid, A downwards and B to the right, with the names of its sections and the lines between them.

    A cell is `size` pixels high and wide; `square` is the size of a linked one in cells. `names_down` and
    `names_across` are names with their middles in pixels.
    """

    def __init__(self, heat: Heat) -> None:
        """Find room for it."""
        self._heat, longer = heat, heat.longer
        self.rows, self.columns = heat.values.shape
        self.size = _ROOM / longer if longer > MAX_LINKED else min(max(_ROOM // longer, _SMALLEST), _LARGEST)
        self.square = max(1.0, _TARGET / self.size)  # larger than its place if that is too small for a pointer
        self.names_down, self.names_across = (_readable(bands, self.size) for bands in heat.bands)
        self.left, self.top = _margin(self.names_down), _margin(self.names_across)
        self.width = round(self.left + self.columns * self.size + _LINE)
        self.height = round(self.top + self.rows * self.size + 2)

    def corner(self, cell: Cell) -> tuple[str, str]:
        """A linked square's left and upper edge, in cells."""
        row, column = (f"{place + (1 - self.square) / 2:.4g}" for place in cell)
        return column, row

    def frame(self, cell: Cell) -> str:
        """A path around a linked square."""
        return f"M{' '.join(self.corner(cell))}h{self.square:.4g}v{self.square:.4g}h-{self.square:.4g}z"

    @property
    def shapes(self) -> list[tuple[int, str]]:
        """All squares of one colour as one path, which keeps a long comparison small; none if each is a link."""
        heat = self._heat
        if heat.longer <= MAX_LINKED and heat.linked:
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

    @property
    def lines(self) -> str:
        """Where one section ends and the next begins; none if sections are so short that lines would hide them."""
        bands = self._heat.bands
        down, across = (one[1:] if self.size * one[-1][2] >= _APART * len(one) else [] for one in bands)
        horizontal = "".join(f"M0 {start}h{self.columns}" for _, start, _ in down)
        return horizontal + "".join(f"M{start} 0v{self.rows}" for _, start, _ in across)


def _merged(steps: NDArray[np.int64], factor: int) -> NDArray[np.int64]:
    """The highest of each block of `factor` by `factor` cells."""
    rows, columns = (np.arange(0, count, factor) for count in steps.shape)
    merged: NDArray[np.int64] = np.maximum.reduceat(np.maximum.reduceat(steps, rows, axis=0), columns, axis=1)
    return merged


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
