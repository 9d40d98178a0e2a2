"""Where two rankings differ: a bar for each query, and one query under both, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from engine.documents import Document
from engine.documents.markup import Markup, element, in_chart, joined
from engine.documents.text import how_many
from explorer.evaluate.figures import Case, signed
from explorer.evaluate.results import Evaluated, short_row, spoken_row
from explorer.shared.markup import shortened, show, three_places, typeset
from explorer.shared.widgets import bind

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
SHOWN, MOST_MISSED = 10, 10
_DEEPEST = 100


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
        bars_figure(shown, chosen, rows),
        key=_KEY,
        on_select=clicked,
        selection_mode="points",
        config=_CONFIG,
        alt=describe_bars(cases, rows),
    )


def choose_case(cases: Sequence[Case], chosen: str, *, on_choose: Callable[[str], object]) -> None:
    """Offer the same choice in a list, for the keyboard and for queries that do not differ."""
    by_id = {case.query.id: case for case in cases}
    bind(
        st.selectbox,
        "Look at one query",
        list(by_id),
        key="evaluate-case",
        value=chosen or None,
        change=lambda id_: on_choose(id_ or ""),
        format_func=lambda id_: f"{signed(by_id[id_].difference)}  {shortened(query_name(by_id[id_]), 110)}",
        placeholder="Click on a bar, or choose here",
    )


def furthest(cases: Sequence[Case]) -> list[Case]:
    """Return the cases that are drawn: all, or those at both ends."""
    if len(cases) <= MOST_BARS:
        return list(cases)
    return [*cases[: MOST_BARS // 2], *cases[-MOST_BARS // 2 :]]


def query_name(case: Case) -> str:
    """Return a query's title, or the beginning of its text."""
    return case.query.title or shortened(case.query.text, _TITLE_CHARACTERS) or case.query.id


def count_leads(cases: Sequence[Case], rows: tuple[str, str]) -> str:
    """Say on how many queries each ranking leads."""
    better, worse = sum(case.difference > 0 for case in cases), sum(case.difference < 0 for case in cases)
    even = len(cases) - better - worse
    ours, theirs = short_row(rows[0]), short_row(rows[1])
    return f"{ours} is ahead on {how_many(better, 'query')}, {theirs} on {worse:,}; on {even:,} they are even."


def describe_bars(cases: Sequence[Case], rows: tuple[str, str]) -> str:
    """Describe the chart in words."""
    ours, theirs = map(short_row, rows)
    return f"A bar for each query: how far {ours} is ahead of {theirs}. {count_leads(cases, rows)}"


def bars_figure(cases: Sequence[Case], chosen: str, rows: tuple[str, str]) -> Figure:
    """Return a chart of one bar a query, upwards where the first ranking is better."""
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
    """Return what hovering over a bar shows; plotly reads some tags, so a document's own are made harmless."""
    title = in_chart(shortened(query_name(case), _TITLE_CHARACTERS))
    ours, theirs = (
        f"{short_row(row)} {three_places(score)}" for row, score in zip(rows, (case.row, case.against), strict=True)
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


@dataclass(frozen=True, slots=True)
class RankedQuery:
    """One ranking of a query: ids, best first, the grades that are known, and where the other ranking has each id."""

    row: str
    other: str
    ids: Sequence[str]
    grades: Mapping[str, int]
    places: Mapping[str, int]

    @property
    def right(self) -> int:
        """How many of the first ten are right."""
        return sum(self.grades.get(id_, 0) > 0 for id_ in self.ids[:SHOWN])

    def missed(self) -> list[tuple[str, int | None]]:
        """Relevant documents outside the first ten, with their place if ranked, nearest first."""
        place_of = {id_: place for place, id_ in enumerate(self.ids, start=1)}
        left = [(id_, place_of.get(id_)) for id_, grade in self.grades.items() if grade > 0]
        return sorted(
            ((id_, place) for id_, place in left if place is None or place > SHOWN),
            key=lambda one: (one[1] is None, one[1] or 0, one[0]),
        )


def rankings(found: Evaluated, case: Case, rows: tuple[str, str]) -> None:
    """Draw both rankings of one query."""
    names, grades = found.names(), found.benchmark.qrels[case.query.id]
    runs = [found.measured[row].run[case.query.id] for row in rows]
    places = [{id_: place for place, id_ in enumerate(run, start=1)} for run in runs]
    sides = (
        RankedQuery(rows[0], rows[1], runs[0], grades, places[1]),
        RankedQuery(rows[1], rows[0], runs[1], grades, places[0]),
    )
    for column, side, score in zip(st.columns(2, gap="medium"), sides, (case.row, case.against), strict=True):
        with column:
            show(_heading(side, score))
            show(element("ol", *(_item(side, place, names) for place in range(len(side.ids[:SHOWN]))), class_="ps-run"))
            show(_missed(side, names))


def _heading(side: RankedQuery, score: float) -> Markup:
    shown = min(SHOWN, len(side.ids))
    said = f"{three_places(score)} · {side.right} of the first {shown} right"
    return element(
        "div", element("h4", spoken_row(side.row)), element("p", said, class_="ps-quiet"), class_="ps-run-head"
    )


def _item(side: RankedQuery, place: int, names: Mapping[str, Document]) -> Markup:
    id_ = side.ids[place]
    grade = side.grades.get(id_)
    mark, look = Markup(""), ""
    if grade is not None and grade > 0:
        mark, look = element("span", "✓ right", class_="ps-right-mark"), "ps-right"
    elif grade is not None:
        mark = element("span", "judged not relevant", class_="ps-worse")
    there = side.places.get(id_)
    where = f"at {there} in {short_row(side.other)}" if there else f"not in {short_row(side.other)}’s first {_DEEPEST}"
    note = element("p", *([mark, " · "] if mark else []), where, class_="ps-quiet")
    rank = element("span", f"{place + 1}", class_="ps-run-rank")
    return element("li", rank, element("div", _title(names, id_), note), class_=look)


def _title(names: Mapping[str, Document], id_: str) -> Markup:
    document = names.get(id_)
    year = f" ({document.year})" if document is not None and document.year else ""
    return element("p", typeset(document.title) if document is not None else id_, year)


def _missed(side: RankedQuery, names: Mapping[str, Document]) -> Markup:
    missed = side.missed()
    if not missed:
        return element("p", "Everything that is right stands in the first ten.", class_="ps-quiet")
    items = [
        element(
            "li",
            _title(names, id_),
            element("p", f"at {place}" if place else f"not in the first {_DEEPEST}", class_="ps-quiet"),
        )
        for id_, place in missed[:MOST_MISSED]
    ]
    rest = len(missed) - len(items)
    more = [element("p", f"and {rest:,} more", class_="ps-quiet")] if rest else []
    summary = element("summary", f"Right, and not in its first ten: {len(missed):,}")
    return element(
        "details", summary, joined([element("ul", *items, class_="ps-missed"), *more]), class_="ps-missed-frame"
    )
