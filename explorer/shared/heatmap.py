"""A heatmap of similarities whose cells can be chosen: with a click here, with the arrow keys through `cell_keys`."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from engine.compare.base import NEAR, Matrix
from engine.markup import in_chart

if TYPE_CHECKING:
    from plotly.graph_objects import Figure, Heatmap

MARKER, MARKER_EDGE = "#c25e00", "#ffffff"
"""The chosen cell: its colour or edge stands out from every step of the heat, on light and dark backgrounds."""

SIMILARITY, PROBABILITY = "similarity", "probability"
MOST_SPOTS = 10_000
"""Cells of a heatmap that can be clicked; of more, the arrow keys choose one."""

STRIP, _HEIGHT, LARGE = 200, 400, 640
"""Pixels of a heatmap: in a strip, without scale and names of columns; alone; large, with numbers in its cells."""
_HOVER_BUDGET = 400_000
"""Characters of hover texts that a chart may send to the browser."""
_HOVER_WIDTH = 42
_LABEL_CHARACTERS, _LABEL_CHARACTERS_LARGE = 22, 44
_MOST_NUMBERED = 24
_MOST_LABELS = 26
_MARKER_ROOM = 230
_EDGE = {"width": 2, "color": MARKER_EDGE}
_DRAWN, _CLICKED = "heatmap_drawn", "heatmap_clicked"
_CONFIG = {"displayModeBar": False, "scrollZoom": False, "showTips": False}


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a heatmap: how its n parts start, and where its labels are.

    `first` is the number of the first part shown; `bounds` are the places between parts where a line is drawn.
    """

    title: str
    openings: Sequence[str]
    labels: Sequence[tuple[float, str]]
    first: int = 0
    bounds: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Heat:
    """A heatmap: `values` (n, m), NaN where a part is left out; `what` names the numbers."""

    name: str
    values: Matrix
    rows: Axis
    columns: Axis
    what: str = SIMILARITY

    def said(self, value: float) -> str:
        """A cell's number in words."""
        return _number(value) if np.isnan(value) else f"{self.what} {_number(value)}"


def heatmap(
    heat: Heat,
    chosen: tuple[int, int] | None,
    *,
    on_choose: Callable[[int, int], object] | None,
    height: int = _HEIGHT,
) -> None:
    """Draw a heatmap; `chosen` is a cell that is marked, and clicked cells are handed to `on_choose`.

    A heatmap trace reports no selection to Streamlit; the squares over it do. They are not redrawn when one is clicked,
    because a changed chart is built from nothing and blinks.
    """
    key = f"heatmap-{heat.name}"
    if on_choose is None:
        st.plotly_chart(figure(heat, None, height), key=key, config=_CONFIG, alt=described(heat))
        return

    def clicked() -> None:
        cell = _clicked_cell(st.session_state[key], heat) or st.session_state.get(_CLICKED, {}).get(heat.name)
        if cell is not None:  # a click on the chosen cell takes it back; the page holds on to it
            st.session_state.setdefault(_CLICKED, {})[heat.name] = cell
            on_choose(*cell)

    marked, times = _drawing(heat, chosen, height)
    chart = figure(heat, marked, height).update_layout(meta=times)
    st.plotly_chart(chart, key=key, on_select=clicked, selection_mode="points", config=_CONFIG, alt=described(heat))


def figure(heat: Heat, chosen: tuple[int, int] | None, height: int = _HEIGHT) -> Figure:
    """The chart: heat, and over it one square a cell; only the chosen one is visible."""
    import plotly.graph_objects as go

    n, m = heat.values.shape
    rows, columns = np.arange(n) + heat.rows.first, np.arange(m) + heat.columns.first
    place = None if chosen is None else _place(heat, chosen)
    if n * m > MOST_SPOTS:
        return _without_spots(heat, chosen, height)
    spots = go.Scatter(
        x=np.tile(columns, n),
        y=np.repeat(rows, m),
        mode="markers",
        text=hover_texts(heat),
        hovertemplate="%{text}<extra></extra>",
        showlegend=False,
        marker={"symbol": "square", "size": _marker_size(n, m, height), "color": MARKER, "opacity": 0, "line": _EDGE},
        selected={"marker": {"opacity": 1, "color": MARKER}},
        unselected={"marker": {"opacity": 0}},
        selectedpoints=None if place is None else [place],
    )
    trace = _heat_trace(heat).update(showscale=height > STRIP)
    if height >= LARGE and max(n, m) <= _MOST_NUMBERED:
        trace.update(texttemplate="%{z:.2f}", textfont={"size": 11})
    return go.Figure([trace, spots], _layout(heat, height))


def _without_spots(heat: Heat, chosen: tuple[int, int] | None, height: int) -> Figure:
    """A chart with more cells than a browser can draw squares for: only the chosen one has one."""
    import plotly.graph_objects as go

    trace = _heat_trace(heat).update(
        showscale=height > STRIP, hoverinfo="z", hovertemplate=f"%{{z:.2f}} {heat.what}<extra></extra>"
    )
    x, y = ([], []) if chosen is None else ([chosen[1]], [chosen[0]])
    marker = {"symbol": "square", "size": 8, "color": MARKER, "line": _EDGE}
    spot = go.Scatter(x=x, y=y, mode="markers", hoverinfo="skip", showlegend=False, marker=marker)
    return go.Figure([trace, spot], _layout(heat, height))


def _heat_trace(heat: Heat) -> Heatmap:
    """The colours, one a cell."""
    import plotly.graph_objects as go

    n, m = heat.values.shape
    rows, columns = np.arange(n) + heat.rows.first, np.arange(m) + heat.columns.first
    low, high = _range(heat)
    bar = {"orientation": "h", "thickness": 8, "y": 1, "yanchor": "bottom", "ypad": 6}
    bar |= {"outlinewidth": 0, "tickformat": ".2f", "nticks": 5, "tickfont": {"size": 11}, "len": 1, "xpad": 0}
    trace = go.Heatmap(
        x=columns, y=rows, z=heat.values, zmin=low, zmax=high, hoverinfo="skip", colorbar=bar, xgap=1, ygap=1
    )
    return trace.update(xgap=0, ygap=0) if max(n, m) > _MOST_LABELS else trace


def described(heat: Heat) -> str:
    """The heatmap in words, for those who do not see it: its size and its highest cell."""
    n, m = heat.values.shape
    size = f"Heatmap of {heat.what}: {n} rows of {heat.rows.title}, {m} columns of {heat.columns.title}."
    if np.isnan(heat.values).all():
        return f"{size} Everything is left out."
    row, column = np.unravel_index(int(np.nanargmax(heat.values)), (n, m))
    highest = f"{heat.values[row, column]:.2f}"
    return f"{size} Highest: {highest}, row {row + 1 + heat.rows.first}, column {column + 1 + heat.columns.first}."


def hover_texts(heat: Heat) -> list[str]:
    """What hovering over each cell shows, row by row: both openings and the number, shorter for many cells."""
    n, m = heat.values.shape
    room = int(min(120, max(16, _HOVER_BUDGET // max(1, 2 * n * m))))
    ours, theirs = (
        [_opening(text, axis.first + number, room) for number, text in enumerate(axis.openings)]
        for axis in (heat.rows, heat.columns)
    )
    return [
        f"<b>{_number(heat.values[i, j])}</b> {heat.what}<br>{ours[i]}<br>× {theirs[j]}"
        for i in range(n)
        for j in range(m)
    ]


def shortened(text: str, characters: int) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= characters else line[: characters - 1].rstrip() + "…"


def _opening(text: str, number: int, room: int) -> str:
    """The start of a text in short lines; plotly reads some tags, so a document's own are made harmless."""
    lines = textwrap.wrap(f"{number + 1} · {shortened(text, room)}", _HOVER_WIDTH)
    return "<br>".join(in_chart(line) for line in lines)


def _number(value: float) -> str:
    return "left out" if np.isnan(value) else f"{value:.2f}"


def _range(heat: Heat) -> tuple[float, float]:
    """One scale for all similarities, so that dark always means near; other numbers from lowest to highest."""
    known = heat.values[~np.isnan(heat.values)]
    if heat.what == SIMILARITY:
        return 0.0, float(known.max(initial=NEAR))
    if not len(known) or heat.what == PROBABILITY:
        return 0.0, 1.0
    return float(known.min()), max(float(known.max()), float(known.min()) + 0.01)


def _marker_size(n: int, m: int, height: int) -> float:
    return min(14.0, max(5.0, _MARKER_ROOM * height / _HEIGHT / max(n, m, 1)))


def _layout(heat: Heat, height: int) -> dict[str, Any]:
    n, m = heat.values.shape
    lines = [_line(bound, "h", heat) for bound in heat.rows.bounds]
    lines += [_line(bound, "v", heat) for bound in heat.columns.bounds]
    return {
        "height": height,
        "margin": {"l": 4, "r": 4, "t": 6, "b": 4, "pad": 0},
        "plot_bgcolor": "rgba(128, 140, 140, 0.14)",  # seen where a part is left out
        "dragmode": False,
        "clickmode": "event+select",
        "hovermode": "closest",
        "hoverdistance": -1,
        "hoverlabel": {"align": "left"},
        "shapes": lines,
        "xaxis": _axis(heat.columns, (heat.columns.first - 0.5, heat.columns.first + m - 0.5), _LABEL_CHARACTERS)
        | {"tickangle": -40, "showticklabels": height > STRIP},
        "yaxis": _axis(
            heat.rows,
            (heat.rows.first + n - 0.5, heat.rows.first - 0.5),
            _LABEL_CHARACTERS_LARGE if height >= LARGE else _LABEL_CHARACTERS,
        ),
    }


def _axis(axis: Axis, ends: tuple[float, float], characters: int) -> dict[str, Any]:
    labels = axis.labels if len(axis.labels) <= _MOST_LABELS else ()
    return {
        "range": list(ends),
        "tickvals": [place for place, _ in labels],
        "ticktext": [in_chart(shortened(text, characters)) for _, text in labels],
        "tickfont": {"size": 11},
        "showgrid": False,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "fixedrange": True,
        "automargin": True,
    }


def _line(bound: int, direction: str, heat: Heat) -> dict[str, Any]:
    """A thin line between two sections."""
    place, (n, m) = bound - 0.5, heat.values.shape
    left, top = heat.columns.first - 0.5, heat.rows.first - 0.5
    across = {"x0": left, "x1": left + m, "y0": place, "y1": place}
    down = {"x0": place, "x1": place, "y0": top, "y1": top + n}
    return (across if direction == "h" else down) | {
        "type": "line", "line": {"width": 1, "color": "rgba(128,140,140,0.55)"}
    }  # fmt: skip


def _place(heat: Heat, cell: tuple[int, int]) -> int | None:
    """A cell's number among the squares, or None where it is not shown."""
    n, m = heat.values.shape
    row, column = cell[0] - heat.rows.first, cell[1] - heat.columns.first
    return row * m + column if 0 <= row < n and 0 <= column < m else None


def _clicked_cell(state: Any, heat: Heat) -> tuple[int, int] | None:  # noqa: ANN401  Streamlit's selection of a chart
    """The clicked cell; None for anything outside this heatmap."""
    for point in state["selection"]["points"]:
        row, column = point.get("y"), point.get("x")
        if isinstance(row, int | float) and isinstance(column, int | float):
            cell = int(row), int(column)
            return cell if _place(heat, cell) is not None else None
    return None


def _drawing(heat: Heat, chosen: tuple[int, int] | None, height: int) -> tuple[tuple[int, int] | None, int]:
    """The cell that the chart itself marks, and how often it was redrawn.

    That is the chosen cell, unless a click has marked another since the chart was drawn: the browser shows that itself.
    """
    drawn, clicked = st.session_state.setdefault(_DRAWN, {}), st.session_state.setdefault(_CLICKED, {})
    shown = (heat.what, heat.values.tobytes(), heat.rows.first, heat.columns.first, height)
    before, marked, times = drawn.get(heat.name, (None, None, 0))
    if before != shown or chosen != clicked.get(heat.name, marked):
        clicked.pop(heat.name, None)
        marked, times = chosen, times + 1
        drawn[heat.name] = (shown, marked, times)
    return marked, times
