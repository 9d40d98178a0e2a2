"""Draws documents at CoLDE's three levels (its figure 4), and what near chunks speak of (figure 5), as SVG."""

from __future__ import annotations

import io
from collections.abc import Sequence
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.compare import LevelGrid
from engine.research.paper.level_grids import Cell, LevelGrids
from engine.research.paper.plots import FIXED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = "Blues"
_WIDE_INCHES, _GRID_INCHES, _ROW_INCHES = 11.0, 4.4, 0.34
_MOST_NUMBERED = 20
"""Parts of a grid whose cells have room for their numbers."""
_DARK = 0.55
"""The similarity from which a number is white on its colour."""
_LEFT, _RIGHT, _SPACE = 0.38, 0.62, 0.006
_MOST_LETTERS = 52
_BEST = 2
"""How many lines a chunk of the first document has to each of the others."""


def draw_levels(grids: LevelGrids, legend: Sequence[str]) -> bytes:
    """Figure 4: documents, sections and chunks, dark where near, all by one scale from 0 to 1."""
    figure = _figure(_GRID_INCHES + 0.22 * len(legend))
    axes = figure.subplots(1, 3, width_ratios=(1, 1.35, 1.8))
    titles = ("Level 1: documents", "Level 2: sections", "Level 3: chunks")
    drawn: Any = None
    for axis, grid, title in zip(axes, (grids.documents, grids.sections, grids.chunks), titles, strict=True):
        drawn = _grid(axis, grid)
        axis.set_title(title)
    figure.colorbar(drawn, ax=list(axes), label="similarity", shrink=0.7, pad=0.01)
    figure.supxlabel("\n".join(legend), fontsize=9, x=0.01, ha="left")
    return _svg(figure)


def draw_words(grids: LevelGrids, legend: Sequence[str]) -> bytes:
    """Figure 5: the first document's chunks to the left, the others' to the right, each with its key words.

    Lines join a chunk with the nearest ones of each other document; the darker, the nearer.
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    owners = grids.chunks.owners
    first = owners.count(0)
    columns = [_rows(owners[:first]), _rows(owners[first:])]
    most = max(len(rows) for rows in columns)
    figure = _figure(_ROW_INCHES * most + 0.6 + 0.2 * len(legend))
    axis = figure.subplots()
    heights: dict[int, float] = {}
    for rows, start, edge, align in zip(columns, (0, first), (_LEFT, _RIGHT), ("right", "left"), strict=True):
        heights |= _column(axis, grids, rows=rows, start=start, at=(edge, (most - len(rows)) / 2), align=align)
    colours = ScalarMappable(Normalize(0, 1), _COLOURS)
    for cell in sorted(nearest_cells(grids), key=lambda cell: cell.similarity):
        ends, colour = (heights[cell.row], heights[cell.column]), colours.to_rgba(np.array([cell.similarity]))
        axis.plot((_LEFT, _RIGHT), ends, color=colour, linewidth=1 + 4 * cell.similarity)
    axis.set_xlim(0, 1)
    axis.set_ylim(most - 0.5, -0.5)
    axis.set_axis_off()
    figure.colorbar(colours, ax=axis, label="similarity", shrink=0.6, pad=0.01)
    figure.supxlabel("\n".join(legend), fontsize=9, x=0.01, ha="left")
    return _svg(figure)


def _rows(owners: Sequence[int]) -> list[int | None]:
    """A column's rows from above: each document's number for its heading, and None for each of its chunks."""
    found: list[int | None] = []
    for place, owner in enumerate(owners):
        found += [owner, None] if place == 0 or owners[place - 1] != owner else [None]
    return found


def _column(
    axis: Axes, grids: LevelGrids, *, rows: Sequence[int | None], start: int, at: tuple[float, float], align: str
) -> dict[int, float]:
    """Write a column of chunks from the place `start` on; gives the height of each by its place."""
    (edge, height), heights = at, dict[int, float]()
    text = edge - _SPACE if align == "right" else edge + _SPACE
    for owner in rows:
        if owner is not None:
            axis.text(text, height, grids.documents.names[owner], ha=align, va="center", weight="bold")
        else:
            place = start + len(heights)
            words = shorten(", ".join(grids.key_words[place]), _MOST_LETTERS, placeholder=" …")
            said = f"{grids.chunks.names[place]}: {words}"
            axis.text(text, height, said, ha=align, va="center", fontsize=8.5)
            heights[place] = height
        height += 1
    return heights


def nearest_cells(grids: LevelGrids) -> list[Cell]:
    """The cells of each chunk of the first document with the nearest chunks of every other, the nearest first."""
    owners = grids.chunks.owners
    found: list[Cell] = []
    for row in range(owners.count(0)):
        for other in sorted(set(owners) - {0}):
            cells = [one for one in grids.cells if one.row == row and owners[one.column] == other]
            found += sorted(cells, key=lambda one: -one.similarity)[:_BEST]
    return found


def _figure(high: float) -> Figure:
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with rc_context(FIXED):
        figure = Figure(figsize=(_WIDE_INCHES, high), layout="constrained")
        FigureCanvasSVG(figure)
    return figure


def _svg(figure: Figure) -> bytes:
    from matplotlib import rc_context

    data = io.BytesIO()
    with rc_context(FIXED):
        figure.savefig(data, format="svg", metadata={"Date": None})
    return data.getvalue()


def _grid(axis: Axes, grid: LevelGrid) -> Any:  # noqa: ANN401  an image of matplotlib
    """One matrix with its names, the numbers where they have room, and lines between documents."""
    count = len(grid.names)
    image = axis.imshow(grid.values, cmap=_COLOURS, vmin=0, vmax=1)
    size = min(9.0, 62 / max(1, count) + 3)
    axis.set_xticks(range(count), grid.names, rotation=90 if count > 6 else 0, fontsize=size)
    axis.set_yticks(range(count), grid.names, fontsize=size)
    axis.tick_params(length=0)
    if count <= _MOST_NUMBERED:
        for (row, column), value in np.ndenumerate(grid.values):
            said = f"{value:.2f}" if count <= 8 else f"{value:.2f}".lstrip("0") if value < 1 else "1"
            colour = "white" if value > _DARK else "black"
            axis.text(column, row, said, ha="center", va="center", fontsize=size - 1.5, color=colour)
    for place in np.flatnonzero(np.diff(grid.owners)):
        axis.axhline(place + 0.5, color="white", linewidth=2)
        axis.axvline(place + 0.5, color="white", linewidth=2)
    return image
