"""The thumbs under a hit: relevant to the query or not, kept in the library for the Evaluate page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import streamlit as st

from engine.documents import Document
from engine.documents.markup import element
from engine.documents.text import how_many
from engine.library import Grade
from explorer.shared.markup import name_groups, show
from explorer.shared.widgets import bind
from explorer.state import handles, links, session

_EVALUATE_PAGE = Path(__file__).resolve().parent.parent / "evaluate" / "view.py"
_SHOWN_QUERIES, _OPENING = 50, 90
_NOTE = "Used by Evaluate, to measure rankings. The order here stays."
_GRADES = {1: ":material/thumb_up: Relevant", 0: ":material/thumb_down: Not relevant"}

Keep = Callable[[Document, str, Grade | None], None]
"""Keeps the grade of a query's hit, or takes it back if None."""


def grades_of(query: Document) -> dict[str, int]:
    """Return the judgements of this query's hits."""
    return handles.library().judgements.grades(query)


def thumbs(
    query: Document, id_: str, grades: Mapping[str, int], *, keep: Keep | None = None, note: str = _NOTE
) -> None:
    """Ask whether a hit is relevant; the same again takes the judgement back. `keep` keeps it, usually `judge`."""
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="thumbs" if keep is None else None
    ):
        bind(
            st.pills,
            "Is it relevant?",
            (1, 0),
            key=f"judge-{id_}",
            value=grades.get(id_),
            change=lambda grade: (keep or judge)(query, id_, grade),
            format_func=_GRADES.__getitem__,
            label_visibility="collapsed",
        )
        if note:
            show(element("p", note, class_="ps-quiet"))


def judge(query: Document, id_: str, grade: Grade | None) -> None:
    """Keep a judgement, or take it back if `grade` is None."""
    judgements = handles.library().judgements
    if grade is None:
        session.attempt(judgements.take_back, query, id_)
    else:
        session.attempt(judgements.judge, query, id_, grade)


def judged_line(grades: Mapping[str, int]) -> None:
    """Say how many hits of this query were judged, and what for."""
    if not grades:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="judged"):
        relevant = sum(grade > 0 for grade in grades.values())
        many = f"{how_many(len(grades), 'hit')} judged, {relevant} relevant"
        show(element("p", many, class_="ps-quiet", role="status"))
        visit = session.current()
        link = links.to_link(replace(visit, evaluation=replace(visit.evaluation, questions="judged", query="")))
        st.page_link(_EVALUATE_PAGE, label="See Evaluate", icon=":material/leaderboard:", query_params=link)


def judged_queries() -> bool:
    """List every query that was judged, with a way to forget it; without any, say how to judge.

    Returns whether there is any.
    """
    found = handles.library().judgements.queries()
    if not found:
        st.button("Go to Search", icon=":material/search:", key="to-search", on_click=session.go_to, args=("search",))
        return False
    with st.expander(f"Judged queries ({len(found):,})", key="judged-queries", type="compact"):
        for judged in found[:_SHOWN_QUERIES]:
            text, button = st.columns([5, 1], vertical_alignment="center")
            with text:
                relevant = sum(grade > 0 for grade in judged.grades.values())
                name = element("strong", judged.query.title or judged.query.text[:_OPENING])
                show(element("p", name, f": {relevant} of {len(judged.grades)} relevant", class_="ps-seed"))
            with button:
                forget = (handles.library().judgements.forget, judged.key)
                key = f"forget-{judged.key}"
                st.button("Forget", key=key, type="tertiary", on_click=session.attempt, args=forget)
    names = {f"forget-{judged.key}": judged.query.title or judged.query.text[:_OPENING] for judged in found}
    name_groups("judged", names)
    return True
