"""Where two rankings differ: a bar for each query, and the choice of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from engine.documents.markup import in_chart
from engine.documents.text import how_many
from explorer.evaluate.figures import Case
from explorer.evaluate.rows import short_row
from explorer.evaluate.table import number, signed
from explorer.shared.heatmap import shortened

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST_BARS = 300
"""The most queries drawn; of more, those furthest apart on either side."""

_KEY = "evaluate-bars"
_BETTER, _WORSE = "#3f9d95", "#b57f2b"
"""Visible on light and dark backgrounds, and distinct for red-green colour-blind eyes."""

_HEIGHT = 240
_ROOM = 24  # bars: fewer are set to the left, so that three queries do not make three walls
_TITLE_CHARACTERS = 70
_CONFIG = {"displayModeBar": False, "scrollZoom": False, "showTips": False}


def query_bars(
    cases: Sequence[Case], chosen: str, rows: tuple[str, str], *, on_choose: Callable[[str], object]
) -> None:
    """Draw the bars; clicking one passes its query to `on_choose`."""
    shown = furthest(cases)

    def clicked() -> None:
        points = st.session_state[_KEY]["selection"]["points"]
        place = points[0].get("point_index") if points else None
        if isinstance(place, int) and 0 <= place < len(shown):
            on_choose(shown[place].query.id)

    st.plotly_chart(
        figure(shown, chosen, rows),
        key=_KEY,
        on_select=clicked,
        selection_mode="points",
        config=_CONFIG,
        alt=described(cases, rows),
    )


def choose_case(cases: Sequence[Case], chosen: str, *, on_choose: Callable[[str], object]) -> None:
    """The same choice from a list, for the keyboard and for queries that do not differ."""
    by_id = {case.query.id: case for case in cases}
    st.session_state["evaluate-case"] = chosen or None
    st.selectbox(
        "Look at one query",
        list(by_id),
        format_func=lambda id_: f"{signed(by_id[id_].difference)}  {shortened(name_of(by_id[id_]), 110)}",
        key="evaluate-case",
        placeholder="Click on a bar, or choose here",
        on_change=lambda: on_choose(st.session_state["evaluate-case"] or ""),
    )


def furthest(cases: Sequence[Case]) -> list[Case]:
    """The cases that are drawn: all, or those at both ends."""
    if len(cases) <= MOST_BARS:
        return list(cases)
    return [*cases[: MOST_BARS // 2], *cases[-MOST_BARS // 2 :]]


def name_of(case: Case) -> str:
    """A query's title, or the beginning of its text."""
    return case.query.title or shortened(case.query.text, _TITLE_CHARACTERS) or case.query.id


def counted(cases: Sequence[Case], rows: tuple[str, str]) -> str:
    """How many queries each leads on, in a sentence."""
    better, worse = sum(case.difference > 0 for case in cases), sum(case.difference < 0 for case in cases)
    even = len(cases) - better - worse
    ours, theirs = short_row(rows[0]), short_row(rows[1])
    return f"{ours} is ahead on {how_many(better, 'query')}, {theirs} on {worse:,}; on {even:,} they are even."


def described(cases: Sequence[Case], rows: tuple[str, str]) -> str:
    """The chart in words."""
    return (
        f"A bar for each query: how far {short_row(rows[0])} is ahead of {short_row(rows[1])}. {counted(cases, rows)}"
    )


def figure(cases: Sequence[Case], chosen: str, rows: tuple[str, str]) -> Figure:
    """One bar a query, upwards where the first ranking is better."""
    import plotly.graph_objects as go

    place = next((number for number, case in enumerate(cases) if case.query.id == chosen), None)
    bars = go.Bar(
        x=list(range(len(cases))),
        y=[case.difference for case in cases],
        marker={"color": [_BETTER if case.difference > 0 else _WORSE for case in cases], "line": {"width": 0}},
        text=[_hover(case, rows) for case in cases],
        textposition="none",
        hovertemplate="%{text}<extra></extra>",
        selectedpoints=None if place is None else [place],
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 0.4}},
    )
    return go.Figure([bars], _layout(rows, len(cases)))


def _hover(case: Case, rows: tuple[str, str]) -> str:
    """What hovering over a bar shows; plotly reads some tags, so a document's own are made harmless."""
    title = in_chart(shortened(name_of(case), _TITLE_CHARACTERS))
    ours, theirs = (
        f"{short_row(row)} {number(score)}" for row, score in zip(rows, (case.row, case.against), strict=True)
    )
    return f"<b>{signed(case.difference)}</b> {title}<br>{ours}, {theirs}"


def _layout(rows: tuple[str, str], bars: int) -> dict[str, Any]:
    plain = {"showgrid": False, "fixedrange": True, "showticklabels": False, "ticks": "", "showline": False}
    return {
        "height": _HEIGHT,
        "margin": {"l": 4, "r": 4, "t": 6, "b": 4, "pad": 0},
        "bargap": 0.15,
        "dragmode": False,
        "clickmode": "event+select",
        "hovermode": "closest",
        "hoverlabel": {"align": "left"},
        "showlegend": False,
        "xaxis": plain | {"zeroline": False, "range": [-0.6, max(bars, _ROOM) - 0.4]},
        "yaxis": {
            "title": {"text": f"{short_row(rows[0])} ahead of {short_row(rows[1])}", "font": {"size": 12}},
            "fixedrange": True,
            "zeroline": True,
            "tickformat": "+.2~f",
            "nticks": 5,
            "automargin": True,
        },
    }
