"""Figures of what was measured: each ranking's score with its interval, and whether it differs from another's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import streamlit as st

from engine.documents import Document
from explorer.evaluate.evaluated import Evaluated
from explorer.state.evaluation_choice import METRIC

if TYPE_CHECKING:
    from engine.evaluation import Interval

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


@dataclass(frozen=True, slots=True)
class Line:
    """One ranking in one metric; `difference` and `p` are against another, None for that one itself.

    `p` is corrected for the number of rankings that were compared with it.
    """

    row: str
    score: Interval
    difference: Interval | None = None
    p: float | None = None

    @property
    def is_different(self) -> bool:
        """Whether chance alone would rarely give such a difference."""
        return self.p is not None and self.p < LEVEL


def metric_name(name: str) -> str:
    """The metric asked for, or the default if a link names an unknown one."""
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
    """One ranking's score of each query."""
    return {query: figures[metric] for query, figures in found.measured[row].by_query.items()}


def lines(found: Evaluated, rows: Sequence[str], metric: str, against: str) -> list[Line]:
    """Every ranking, the best first."""
    return list(_lines(_stamp(found), tuple(rows), metric, against, found))


def _stamp(found: Evaluated) -> str:
    """Identifies the results, so that the bootstrap does not draw them again."""
    return " ".join([*found.benchmark.sha256.values(), *(one.fingerprint for one in found.measured.values())])


@st.cache_data(max_entries=64, show_spinner=False)
def _lines(stamp: str, rows: tuple[str, ...], metric: str, against: str, _found: Evaluated) -> list[Line]:  # noqa: ARG001
    from engine.evaluation import contrast_runs, holm, interval

    by_row = {row: scores(_found, row, metric) for row in rows}
    others = [row for row in rows if row != against and against in by_row]
    contrasts = [contrast_runs(by_row[row], by_row[against], names=(row, against), metric=metric) for row in others]
    corrected = dict(zip(others, holm([one.p for one in contrasts]), strict=True))
    differences = {one.ours: one.difference for one in contrasts}
    made = [Line(row, interval(list(by_row[row].values())), differences.get(row), corrected.get(row)) for row in by_row]
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
    """Every query, largest gain of the first ranking first."""
    ours, theirs = scores(found, row, metric), scores(found, against, metric)
    made = [Case(query, ours[query.id], theirs[query.id]) for query in found.benchmark.queries]
    return sorted(made, key=lambda case: (-case.difference, -case.row, case.query.id))
