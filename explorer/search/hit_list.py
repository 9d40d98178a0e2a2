"""The results as a list with the chosen one's details: beside it where there is room, else below its row.

Choosing another draws only this part of the page again; nothing is searched.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from engine.documents import Document
from explorer.search.details import Actions, details, name_details
from explorer.search.hits import Entry, Steered, choose_hit, entries, hit_keys, rows
from explorer.shared import notices, salient_slots
from explorer.shared.judging import grades_of, judged_line, thumbs
from explorer.shared.markup import show
from explorer.shared.passages import Asked
from explorer.state import compared, handles, links, session
from explorer.state.link_values import MAX_LISTED
from explorer.state.links import MAX_HITS, Visit

if TYPE_CHECKING:
    from engine.search import Answer, Question

_BEFORE = "ranking_before"
_MORE = 10
_MAP_PAGE = Path(__file__).resolve().parent.parent / "map" / "view.py"


@dataclass(frozen=True, slots=True)
class Shown:
    """What is listed: the question with its answer, how many documents could answer, and the collections' state."""

    query: Document
    question: Question
    answer: Answer
    total: int
    kept: str


def steered_rows(shown: Shown) -> list[Entry]:
    """The rows of the answer, with what the last step of steering changed in it."""
    results = shown.answer.results
    if not shown.answer.citations.held:  # a sentence above says so, once
        results = tuple(dataclasses.replace(result, cited=None) for result in results)
    before: tuple[Question, Answer] | None = st.session_state.get(_BEFORE)
    if before is None or not _is_a_step(before[0], shown.question):
        return entries(results, {}, ())
    seeds: dict[str, Steered] = {
        **dict.fromkeys(shown.question.liked, "like"),
        **dict.fromkeys(shown.question.disliked, "unlike"),
    }
    steered = [(result, seeds[result.document.id]) for result in before[1].results if result.document.id in seeds]
    return entries(results, shown.answer.moves_since(before[1], gone=seeds), steered)


@st.fragment
def hit_list(shown: Shown) -> None:
    """Draw the rows, the chosen hit's details, and what leads on."""
    if handles.library().collections.version() != shown.kept:  # kept here: the filters at the side count again
        st.rerun()
    if sentence := session.told():
        notices.problem(sentence)
    visit, listed, actions = session.current(), steered_rows(shown), _actions(shown)
    ids = [entry.document.id for entry in listed]
    is_chosen = visit.selected in ids
    at = ids.index(visit.selected) if is_chosen else 0
    kept = _kept(listed)
    key = "hit-details" if is_chosen else "hit-details-first"
    with st.container(key="hits", gap=None):
        with st.container(key="hits-upper"):
            show(rows(listed[: at + 1], ids[at], kept))
        with st.container(key=key, gap="small"):
            slots = details(listed[at], asked=_asked(shown.query), actions=actions)
        with st.container(key="hits-lower", gap="small"):
            show(rows(listed[at + 1 :], ids[at], kept))
            _leads_on(shown, visit)
    name_details(listed[at], key, actions)
    hit_keys(ids, ids[at], is_chosen=is_chosen, on_choose=choose_hit)
    salient_slots.fill(slots)


def _leads_on(shown: Shown, visit: Visit) -> None:
    """Ten more results, and what became of the visitor's judgements."""
    found = len(shown.answer.results)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="hits-foot"):
        if (
            found < min(shown.total, MAX_HITS)
            and found >= visit.k
            and st.button("Show ten more", key="ten-more", icon=":material/expand_more:")
        ):
            session.update(k=min(MAX_HITS, visit.k + _MORE))
            st.rerun()
        judged_line(grades_of(shown.query))


def _actions(shown: Shown) -> Actions:
    query = shown.query
    grades = grades_of(query)
    return Actions(
        on_like=lambda id_: _steer(shown, id_, liked=True),
        on_dislike=lambda id_: _steer(shown, id_, liked=False),
        on_drop=drop_seed,
        on_stress=(lambda words: _stress(shown, words)) if query.text and shown.question.ranking != "encoder" else None,
        on_compare=(lambda id_: _compare(query, id_)) if query.text else None,
        thumbs=(lambda id_: thumbs(query, id_, grades)) if query.text else None,
        map_page="explorer/map/view.py" if _MAP_PAGE.is_file() else None,
        map_link=lambda id_: links.to_link(dataclasses.replace(session.current(), selected=id_)),
    )


def _asked(query: Document) -> Asked:
    return "document" if query.kind != "query" else "question" if query.text else "seeds"


def _steer(shown: Shown, id_: str, *, liked: bool) -> None:
    """Rank again towards a hit or away from it; it stays the one that is shown, and its row where it is."""
    visit = session.current()
    st.session_state[_BEFORE] = (shown.question, shown.answer)
    towards, away = (tuple(other for other in ids if other != id_) for ids in (visit.liked, visit.disliked))
    if liked:
        towards = (*towards, id_)[-MAX_LISTED:]
    else:
        away = (*away, id_)[-MAX_LISTED:]
    session.update(liked=towards, disliked=away, selected=id_)


def _stress(shown: Shown, words: Sequence[str]) -> None:
    """Rank again with these words stressed; what that moved is marked."""
    st.session_state[_BEFORE] = (shown.question, shown.answer)
    session.choose_words("stressed", words)


def drop_seed(id_: str) -> None:
    """Rank again without a document that steers."""
    visit = session.current()
    st.session_state.pop(_BEFORE, None)
    session.update(
        liked=tuple(other for other in visit.liked if other != id_),
        disliked=tuple(other for other in visit.disliked if other != id_),
    )


def _is_a_step(before: Question, now: Question) -> bool:
    """Whether only the documents that steer, or the stressed words, differ between two questions."""
    steering = {name: getattr(now, name) for name in ("liked", "disliked", "stressed", "muted")}
    return dataclasses.replace(before, **steering) == now != before


def _compare(query: Document, id_: str) -> None:
    """Open the Compare page on the query and a hit."""
    with notices.shown_errors():
        compared.with_query(query, id_)
        st.switch_page("explorer/compare/view.py")


def _kept(listed: Sequence[Entry]) -> dict[str, str]:
    """The collections that each document is in, named in one line; only of those in any."""
    collections = handles.library().collections
    if not collections.counts():
        return {}
    names = {entry.document.id: ", ".join(collections.holding([entry.document.id])) for entry in listed}
    return {id_: said for id_, said in names.items() if said}
