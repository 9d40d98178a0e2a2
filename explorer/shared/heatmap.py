"""A heatmap of similarities whose cells can be chosen, with the pointer or the arrow keys, and said in words.

The chart only draws colours and names. A script over it knows the cells: it frames the chosen one and the one pointed
at, says what they are, and tells the page, so that `explorer.compare.cells` can open them before the server has heard.
Squares of the chart itself would take the browser hundreds of milliseconds for the 6,400 cells of a long paper.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from engine.compare import Matrix, darkest
from engine.documents.markup import Markup, element, in_chart
from explorer.shared.markup import SHARED, component, shortened, show

if TYPE_CHECKING:
    from plotly.graph_objects import Figure, Heatmap

_KINDS = ("i1", "i2", "i4")
SIMILARITY, PROBABILITY = "similarity", "probability"
STRIP, _HEIGHT, LARGE = 240, 400, 640
"""Pixels of a heatmap: in a strip; alone; large, with longer names, and numbers in its cells."""
_OPENING_CHARACTERS = 110
_STRIP_CHARACTERS, _LABEL_CHARACTERS, _LABEL_CHARACTERS_LARGE = 12, 22, 44
_MOST_NUMBERED = 24
_MOST_LABELS = 26
LEFT_OUT = -128
"""What stands for a cell that is left out, among numbers in hundredths: no similarity is as low."""
_BORDER = {"width": 3, "color": "rgb(194,94,0)"}  # as the chosen cell's frame: it stands out from every step
_CONFIG = {"displayModeBar": False, "scrollZoom": False, "showTips": False}


def packed(numbers: NDArray[np.integer]) -> dict[str, str]:
    """Whole numbers (any shape, row by row) in base64, in the smallest `kind` that holds them; packed.js reads it."""
    low, high = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    kind = next(one for one in _KINDS if np.iinfo(one).min <= low and high <= np.iinfo(one).max)
    return {"kind": kind, "bytes": b64encode(numbers.astype(f"<{kind}").tobytes()).decode()}


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a heatmap: how its n parts start, and where its labels are.

    `first` is the number of the first part shown; `bounds` are the places between parts where a line is drawn, and
    `borders` those between documents, where it is a thick one.
    """

    title: str
    openings: Sequence[str]
    labels: Sequence[tuple[float, str]]
    first: int = 0
    bounds: Sequence[int] = ()
    borders: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class HeatmapValues:
    """A heatmap: `values` (n, m), NaN where a part is left out; `what` names the numbers."""

    name: str
    values: Matrix
    rows: Axis
    columns: Axis
    what: str = SIMILARITY

    @property
    def target(self) -> str:
        """The key of the container where it stands, which is its name in the browser."""
        return f"{self.name}-heatmap"

    def said(self, value: float) -> str:
        """Say a cell's number."""
        return "left out" if np.isnan(value) else f"{self.what} {value:.2f}"


@dataclass(frozen=True, slots=True)
class Walk:
    """Where the arrow keys lead: a grid of rows and columns, the chosen cell, and the first one where none is."""

    rows: int
    columns: int
    cell: tuple[int, int] | None
    first: tuple[int, int]


def heatmap(
    heat: HeatmapValues, walk: Walk, *, said: str, on_choose: Callable[[int, int], object], height: int = _HEIGHT
) -> None:
    """Draw a heatmap and `said` under it; a cell that is chosen, shown or not, is handed to `on_choose`."""
    key = f"{heat.target}-cells"

    def chosen() -> None:
        place = st.session_state[key].get("chosen")
        if _is_cell(place, walk):
            on_choose(*place)

    scripts = {"shared": ("ahead.js", "packed.js"), "style": "cells.css"}
    cells = component("heatmap", SHARED / "heatmap_script", "cells.js", **scripts)
    with st.container(key=heat.target, gap="xsmall"):
        show(colour_scale(heat))
        st.plotly_chart(
            heatmap_figure(heat, height), key=f"heatmap-{heat.name}", config=_CONFIG, alt=describe_heatmap(heat)
        )
        cells(key=key, data=_walked(heat, walk) | {"said": said}, on_chosen_change=chosen)
        cells(key=f"{heat.target}-numbers", data=_numbers(heat), height=1)


def colour_scale(heat: HeatmapValues) -> Markup:
    """Return the colours from the lowest number to the highest, with both ends."""
    low, high = _range(heat)
    steps = zip(*(st.get_option(f"theme.{theme}.chartSequentialColors") for theme in ("light", "dark")), strict=True)
    colours = ", ".join(f"light-dark({one}, {other})" for one, other in steps)
    bar = element("span", class_="ps-scale-bar", style=f"background: linear-gradient(to right, {colours})")
    return element("p", f"{heat.what} {low:.2f} ", bar, f" {high:.2f}", class_="ps-quiet ps-scale")


def heatmap_figure(heat: HeatmapValues, height: int = _HEIGHT) -> Figure:
    """Return the chart: its colours, names and lines."""
    import plotly.graph_objects as go

    trace = _heat_trace(heat)
    if height >= LARGE and max(heat.values.shape) <= _MOST_NUMBERED:
        trace.update(texttemplate="%{z:.2f}", textfont={"size": 11})
    return go.Figure([trace], _layout(heat, height))


def _heat_trace(heat: HeatmapValues) -> Heatmap:
    """Return the colours, one a cell."""
    import plotly.graph_objects as go

    n, m = heat.values.shape
    rows, columns = np.arange(n) + heat.rows.first, np.arange(m) + heat.columns.first
    low, high = _range(heat)
    trace = go.Heatmap(
        x=columns,
        y=rows,
        z=heat.values.astype(np.float32),
        zmin=low,
        zmax=high,
        hoverinfo="skip",
        showscale=False,
        xgap=1,
        ygap=1,
    )
    return trace.update(xgap=0, ygap=0) if max(n, m) > _MOST_LABELS else trace


def describe_heatmap(heat: HeatmapValues) -> str:
    """Describe the heatmap for those who do not see it: its size and its highest cell."""
    n, m = heat.values.shape
    size = f"Heatmap of {heat.what}: {n} rows of {heat.rows.title}, {m} columns of {heat.columns.title}."
    if np.isnan(heat.values).all():
        return f"{size} Everything is left out."
    row, column = np.unravel_index(int(np.nanargmax(heat.values)), (n, m))
    highest = f"{heat.values[row, column]:.2f}"
    return f"{size} Highest: {highest}, row {row + 1 + heat.rows.first}, column {column + 1 + heat.columns.first}."


def _walked(heat: HeatmapValues, walk: Walk) -> dict[str, Any]:
    """Return what the script is told with each choice."""
    return {
        "target": heat.target,
        "description": f"Cells of the {heat.name} heatmap: the arrow keys choose one",
        "rows": walk.rows,
        "columns": walk.columns,
        "cell": walk.cell and list(walk.cell),
        "start": list(walk.first),
    }


def _numbers(heat: HeatmapValues) -> dict[str, Any]:
    """Return the cells themselves, sent once: numbers (n, m) in hundredths, and how each row and column starts."""
    hundredths = np.rint(np.where(np.isnan(heat.values), LEFT_OUT / 100, heat.values) * 100).astype(np.int64)
    return {
        "of": heat.target,
        "first": [heat.rows.first, heat.columns.first],
        "what": heat.what,
        "shape": list(heat.values.shape),
        "numbers": packed(hundredths),
        "leftOut": LEFT_OUT,
        "openings": [
            [shortened(opening, _OPENING_CHARACTERS) for opening in axis.openings] for axis in (heat.rows, heat.columns)
        ],
    }


def _is_cell(place: Any, walk: Walk) -> bool:  # noqa: ANN401  what the browser sent
    if not isinstance(place, list) or len(place) != 2 or not all(type(number) is int for number in place):
        return False
    return bool(0 <= place[0] < walk.rows and 0 <= place[1] < walk.columns)


def _range(heat: HeatmapValues) -> tuple[float, float]:
    """Return one scale for all similarities, so that dark always means near; other numbers from lowest to highest."""
    known = heat.values[~np.isnan(heat.values)]
    if heat.what == SIMILARITY:
        return 0.0, darkest(known)
    if not len(known) or heat.what == PROBABILITY:
        return 0.0, 1.0
    return float(known.min()), max(float(known.max()), float(known.min()) + 0.01)


def _layout(heat: HeatmapValues, height: int) -> dict[str, Any]:
    n, m = heat.values.shape
    lines = [
        _line(bound, direction, heat, is_border=bound in axis.borders)
        for axis, direction in ((heat.rows, "h"), (heat.columns, "v"))
        for bound in sorted({*axis.bounds, *axis.borders})
    ]
    characters = _STRIP_CHARACTERS if height <= STRIP else _LABEL_CHARACTERS
    return {
        "height": height,
        "margin": {"l": 4, "r": 4, "t": 6, "b": 4, "pad": 0},
        "plot_bgcolor": "rgba(128, 140, 140, 0.14)",  # seen where a part is left out
        "dragmode": False,
        "clickmode": "none",
        "hovermode": False,
        "shapes": lines,
        "xaxis": _axis(heat.columns, (heat.columns.first - 0.5, heat.columns.first + m - 0.5), characters)
        | {"tickangle": -40},
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


def _line(bound: int, direction: str, heat: HeatmapValues, *, is_border: bool) -> dict[str, Any]:
    """Return a thin line between two sections, or a thick one between two documents."""
    place, (n, m) = bound - 0.5, heat.values.shape
    left, top = heat.columns.first - 0.5, heat.rows.first - 0.5
    across = {"x0": left, "x1": left + m, "y0": place, "y1": place}
    down = {"x0": place, "x1": place, "y0": top, "y1": top + n}
    return (across if direction == "h" else down) | {
        "type": "line", "line": _BORDER if is_border else {"width": 1, "color": "rgba(128,140,140,0.55)"}
    }  # fmt: skip
