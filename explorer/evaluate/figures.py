"""Figures of what was measured: each ranking's score with its interval, and whether it differs from another's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import streamlit as st

from engine import evaluation
from engine.documents import Document
from engine.documents.markup import Markup, element
from engine.documents.text import how_many
from explorer.evaluate.results import Evaluated, short_row, spoken_row
from explorer.shared.markup import three_places
from explorer.state.visit import METRIC

LEVEL = 0.05
"""A difference counts as more than chance if its p, corrected for the number of comparisons, is below this."""

METRICS: dict[str, str] = {
    "nDCG@10": "How good the first ten are: what is right counts, and counts more the higher it stands. 1 is perfect.",
    "R@100": "Of everything that is right, how much stands among the first hundred. 1 means that nothing was missed.",
    "P@20": "How much of the first twenty is right. Where few are right at all, even the best ranking stays below 1.",
    "R@20": "Of everything that is right, how much stands among the first twenty.",
    "MAP@20": "How pure the first twenty are from the top down, as the CTPE paper counts it.",
    "NDCG@20": "How good the first twenty are, measured against twenty right ones, as the CTPE paper counts it.",
    "bpref": "How seldom something wrong stands above something right. 1 means never.",
}
"""The metrics that a visitor can choose, each explained in a sentence for newcomers."""
_FEW_QUERIES = 25


@dataclass(frozen=True, slots=True)
class FigureLine:
    """One ranking in one metric; `difference` and `p` are against another, None for that one itself.

    `p` is corrected for the number of rankings that were compared with it.
    """

    row: str
    score: evaluation.Interval
    difference: evaluation.Interval | None = None
    p: float | None = None

    @property
    def is_different(self) -> bool:
        """Whether chance alone would rarely give such a difference."""
        return self.p is not None and self.p < LEVEL


def metric_name(name: str) -> str:
    """Return the metric asked for, or the default if a link names an unknown one."""
    return name if name in METRICS else METRIC


def measured_when(found: Evaluated, rows: Sequence[str]) -> str:
    """When the rows were measured, by this machine's clock, as a sentence; empty if unknown."""
    times = sorted(datetime.fromisoformat(found.when[row]).astimezone() for row in rows if row in found.when)
    if not times:
        return ""
    (day, hour), (last_day, last_hour) = ((f"{one.day} {one:%B %Y}", f"{one:%H:%M}") for one in (times[0], times[-1]))
    if day != last_day:
        return f"Measured between {day}, {hour}, and {last_day}, {last_hour}."
    return f"Measured on {day}, {hour}{f' to {last_hour}' if hour != last_hour else ''}."


def scores(found: Evaluated, row: str, metric: str) -> dict[str, float]:
    """Return one ranking's score of each query."""
    return {query: figures[metric] for query, figures in found.measured[row].by_query.items()}


def lines(found: Evaluated, rows: Sequence[str], metric: str, against: str) -> list[FigureLine]:
    """Return every ranking, the best first."""
    digests = [*found.benchmark.sha256.values(), *(one.fingerprint for one in found.measured.values())]
    return list(_lines(" ".join(digests), tuple(rows), metric, against, found))  # the bootstrap is drawn once for them


@st.cache_data(max_entries=64, show_spinner=False)
def _lines(stamp: str, rows: tuple[str, ...], metric: str, against: str, _found: Evaluated) -> list[FigureLine]:  # noqa: ARG001
    measured = {row: replace(_found.measured[row], name=row) for row in rows}
    compared = against if against in rows and len(rows) > 1 else ""
    report = evaluation.EvaluationReport(_found.benchmark, list(measured.values()), against=compared)
    contrasts = {one.contrast.ours: one for one in report.contrasts_in(metric)} if compared else {}
    made = []
    for row, one in measured.items():
        line = FigureLine(row, report.interval_of(one, metric))
        if found := contrasts.get(row):
            line = replace(line, difference=found.contrast.difference, p=found.p_holm)
        made.append(line)
    return sorted(made, key=lambda line: -line.score.mean)


@dataclass(frozen=True, slots=True)
class Case:
    """One query's score by the two chosen rankings."""

    query: Document
    row: float
    against: float

    @property
    def difference(self) -> float:
        """How much better the first ranking is."""
        return self.row - self.against


def cases(found: Evaluated, metric: str, row: str, against: str) -> list[Case]:
    """Return every query, the largest gain of the first ranking first."""
    ours, theirs = scores(found, row, metric), scores(found, against, metric)
    made = [Case(query, ours[query.id], theirs[query.id]) for query in found.benchmark.queries]
    return sorted(made, key=lambda case: (-case.difference, -case.row, case.query.id))


def verdict_lines(lines: Sequence[FigureLine], metric: str, against: str, queries: int) -> Markup:
    """Say in two sentences what the table shows."""
    pieces: list[Markup | str] = [_leader(lines, metric)]
    better = [line for line in lines if line.is_different and line.difference and line.difference.mean > 0]
    worse = [line for line in lines if line.is_different and line.difference and line.difference.mean < 0]
    unclear = [line for line in lines if line.difference is not None and not line.is_different]
    if better:
        pieces.append(f"Better than {short_row(against)} by more than chance: {_names(better)}. ")
    if worse:
        pieces.append(f"Worse than {short_row(against)} by more than chance: {_names(worse)}. ")
    if unclear:
        pieces.append(f"Too close to {short_row(against)} to tell on {how_many(queries, 'query')}: {_names(unclear)}.")
    if queries < _FEW_QUERIES:
        pieces.append(" With so few queries only large differences can show.")
    return element("p", *pieces, class_="ps-verdict")


def _leader(lines: Sequence[FigureLine], metric: str) -> Markup:
    """Say which ranking has the best figure, or that several are level; whether that is more than chance follows."""
    best = three_places(lines[0].score.mean)
    level = [line for line in lines if three_places(line.score.mean) == best]
    if len(level) > 1:
        return element("span", element("strong", _names(level)), f" are level here, with {metric} {best}. ")
    return element("span", element("strong", spoken_row(level[0].row)), f" has the best {metric} here, {best}. ")


def score_table(lines: Sequence[FigureLine], metric: str, against: str) -> Markup:
    """Return a table with one row a ranking, the best first."""
    is_compared = any(line.difference is not None for line in lines)
    head = [
        element("th", "Ranking", scope="col"),
        element("th", metric, scope="colgroup", colspan="2"),  # over the bar and over its number
        element("th", "95 % between", scope="col", class_="ps-number ps-wide-only"),
        *([element("th", f"Against {short_row(against)}", scope="col")] if is_compared else []),
    ]
    top = max((line.score.high for line in lines), default=0.0) or 1.0
    body = [element("tr", *_cells(line, top, against, compared=is_compared)) for line in lines]
    parts = element("thead", element("tr", *head)), element("tbody", *body)
    table = element("table", *parts, class_="ps-table ps-scores", aria_label=f"Rankings by {metric}")
    return element("div", table, class_="ps-scores-frame")


def _cells(line: FigureLine, top: float, against: str, *, compared: bool) -> list[Markup]:
    score = line.score
    cells = [
        element("th", spoken_row(line.row), scope="row", class_="ps-row-name"),
        element("td", _bar(line, top, is_other=line.row == against), class_="ps-bar-cell"),
        element("td", element("strong", three_places(score.mean)), class_="ps-number"),
        element(
            "td", f"{three_places(score.low)} – {three_places(score.high)}", class_="ps-number ps-wide-only ps-pale"
        ),
    ]
    return [*cells, element("td", _compared(line))] if compared else cells


def _bar(line: FigureLine, top: float, *, is_other: bool) -> Markup:
    """Return the score as a bar from 0 to the longest, and over its end the interval."""
    score = line.score
    look = "ps-fill ps-fill-other" if is_other else "ps-fill"
    fill = element("span", class_=look, style=f"width:{score.mean / top:.2%}")
    width = max(0.0, score.high - score.low) / top
    place = f"left:{score.low / top:.2%};width:{width:.2%}"
    whisker = [element("span", class_="ps-whisker", style=place)] if width else []
    return element("div", fill, *whisker, class_="ps-bar", aria_hidden="true")


def _compared(line: FigureLine) -> Markup:
    if line.difference is None or line.p is None:
        return element("span", "what the others are compared with", class_="ps-pale")
    gain = element("span", signed(line.difference.mean), class_="ps-gain")
    if not line.is_different:
        word = element("span", "too close to tell", class_="ps-pale")
    elif line.difference.mean > 0:
        word = element("span", "better", class_="ps-better")
    else:
        word = element("span", "worse", class_="ps-worse")
    return element("span", gain, word, element("span", p_value(line.p), class_="ps-pale"), class_="ps-against")


def signed(value: float) -> str:
    """Write a difference with its sign."""
    return f"{'−' if value < 0 else '+'}{three_places(abs(value))}"


def p_value(p: float) -> str:
    """Write the p of a test as papers do."""
    return "p < 0.001" if p < 0.001 else f"p = {three_places(p)}" if p < 1 else "p = 1"


def _names(lines: Sequence[FigureLine]) -> str:
    names = [short_row(line.row) for line in lines]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
