"""One query under two rankings, side by side: what comes first, what is right, what was missed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from engine.documents import Document
from engine.documents.markup import Markup, element, joined
from explorer.evaluate.evaluated import Evaluated
from explorer.evaluate.figures import Case
from explorer.evaluate.rows import short_row, spoken_row
from explorer.evaluate.table import number
from explorer.shared.formulas import typeset
from explorer.shared.markup import show

SHOWN, MOST_MISSED = 10, 10
_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Ranked:
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
    """Both rankings of one query."""
    names, grades = found.names(), found.benchmark.qrels[case.query.id]
    runs = [found.measured[row].run[case.query.id] for row in rows]
    places = [{id_: place for place, id_ in enumerate(run, start=1)} for run in runs]
    sides = (
        Ranked(rows[0], rows[1], runs[0], grades, places[1]),
        Ranked(rows[1], rows[0], runs[1], grades, places[0]),
    )
    for column, side, score in zip(st.columns(2, gap="medium"), sides, (case.row, case.against), strict=True):
        with column:
            show(_heading(side, score))
            show(element("ol", *(_item(side, place, names) for place in range(len(side.ids[:SHOWN]))), class_="ps-run"))
            show(_missed(side, names))


def _heading(side: Ranked, score: float) -> Markup:
    shown = min(SHOWN, len(side.ids))
    said = f"{number(score)} · {side.right} of the first {shown} right"
    return element(
        "div", element("h4", spoken_row(side.row)), element("p", said, class_="ps-quiet"), class_="ps-run-head"
    )


def _item(side: Ranked, place: int, names: Mapping[str, Document]) -> Markup:
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


def _missed(side: Ranked, names: Mapping[str, Document]) -> Markup:
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
