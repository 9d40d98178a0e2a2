"""Draws a panel of a rebuilt table as an SVG that is the same bytes for the same figures."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from engine.research.paper.tables import Panel, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_OURS, _THEIRS = "#2a6f97", "#c9a227"
_WIDE_INCHES, _BAR_INCHES, _FRAME_INCHES = 7.0, 0.28, 1.3
_BAR, _LEGEND_COLUMNS = 0.4, 4
FIXED: dict[Any, Any] = {"svg.hashsalt": "priorscope", "svg.fonttype": "none", "font.size": 9}


def draw(table: Table, panel: Panel) -> bytes | None:
    """Return the panel's plot, None if it has nothing to draw; matplotlib stamps neither date nor random ids on it."""
    if not panel.lines or not panel.drawn:
        return None
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with rc_context(FIXED):
        figure = Figure(figsize=(_WIDE_INCHES, _height(panel)), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.subplots(1, 1 if panel.kind == "lines" else len(panel.drawn), squeeze=False)[0]
        figure.suptitle(f"{table.name}, {panel.data}" + (f" (the paper: {panel.beside})" if panel.beside else ""))
        if panel.kind == "lines":
            _lines(axes[0], panel)
        else:
            for place, column in enumerate(panel.drawn):
                _bars(axes[place], panel, column, named=place == 0)
        _legend(figure, axes)
        data = io.BytesIO()
        figure.savefig(data, format="svg", metadata={"Date": None})
    return data.getvalue()


def _legend(figure: Figure, axes: Iterable[Axes]) -> None:
    """Draw one legend below all plots, where there is more than ours to tell apart."""
    named = {label: one for axis in axes for one, label in zip(*axis.get_legend_handles_labels(), strict=True)}
    if len(named) > 1:
        columns = min(_LEGEND_COLUMNS, len(named))
        figure.legend(named.values(), named.keys(), frameon=False, loc="outside lower center", ncols=columns)


def _height(panel: Panel) -> float:
    return 4.0 if panel.kind == "lines" else _FRAME_INCHES + 2 * _BAR_INCHES * len(panel.lines)


def _bars(axes: Axes, panel: Panel, column: str, *, named: bool) -> None:
    """Draw two bars a row, ours above the paper's."""
    lines = [line for line in panel.lines if column in line.ours]
    places = range(len(lines))
    ours = [line.ours[column] for line in lines]
    axes.barh([place - _BAR / 2 for place in places], ours, _BAR, color=_OURS, label="ours")
    theirs = {place + _BAR / 2: line.theirs[column] for place, line in enumerate(lines) if column in line.theirs}
    if theirs:
        axes.barh(list(theirs), list(theirs.values()), _BAR, color=_THEIRS, label="the paper")
    axes.set_yticks(list(places), [line.name for line in lines] if named else [""] * len(lines))
    axes.invert_yaxis()
    axes.set_xlabel(column)
    _bare(axes)


def _lines(axes: Axes, panel: Panel) -> None:
    """Draw a line a row over the columns, the paper's broken."""
    places = range(len(panel.drawn))
    for line in panel.lines:
        drawn: Any = axes.plot(
            places, [line.ours.get(name, math.nan) for name in panel.drawn], marker="o", label=line.name
        )[0]
        if line.theirs:
            theirs = [line.theirs.get(name, math.nan) for name in panel.drawn]
            axes.plot(places, theirs, "--", color=drawn.get_color(), label=f"{line.name}, the paper")
    axes.set_xticks(list(places), list(panel.drawn))
    _bare(axes)


def _bare(axes: Axes) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
