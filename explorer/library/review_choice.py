"""Which review a visitor works on, and the ways to begin, rename and remove one."""

from __future__ import annotations

import re
from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.documents.text import how_many
from engine.library import MAX_REVIEW_NAME
from explorer.state import handles, session

_CHOSEN, _NEW, _TO, _SURE = "review-chosen", "review-new", "review-to", "review-sure"


def current() -> str:
    """The name of the review that is worked on: the one chosen, else the first."""
    names = list(handles.library().reviews.counts())
    chosen = st.session_state.get(_CHOSEN, "")
    return chosen if chosen in names else names[0]


def stem() -> str:
    """The beginning of the names of a review's files."""
    names = list(handles.library().reviews.counts())
    words = re.findall(r"[^\W_]+", current().lower()) if len(names) > 1 else []
    return "-".join(["priorscope-screening", *words])


def review_choice() -> None:
    """The reviews to choose from, where there are several, and the button behind which they are changed."""
    counts = handles.library().reviews.counts()
    st.session_state[_CHOSEN] = current()
    if len(counts) > 1:
        st.selectbox("Review", list(counts), key=_CHOSEN, width=260)
    help_ = "Begin another review, with decisions of its own; rename or remove this one"
    with st.popover("Reviews", icon=":material/rule:", key="reviews", help=help_, on_change="rerun") as opened:
        if opened.open:
            _begin()
            _rename(st.session_state[_CHOSEN])
            if len(counts) > 1:
                _remove(st.session_state[_CHOSEN], counts[st.session_state[_CHOSEN]])


def _begin() -> None:
    with st.form("review-begin", border=False, enter_to_submit=True, clear_on_submit=True), _in_a_row():
        st.text_input("New review", key=_NEW, max_chars=MAX_REVIEW_NAME, placeholder="Its name")
        st.form_submit_button("Begin it", on_click=lambda: _named(_make, st.session_state[_NEW]))


def _rename(name: str) -> None:
    with st.form("review-rename", border=False, enter_to_submit=True), _in_a_row():
        field = f"{_TO}-{name}"
        st.text_input("Name of this review", name, key=field, max_chars=MAX_REVIEW_NAME)
        st.form_submit_button("Rename it", on_click=lambda: _named(_rename_to, st.session_state[field]))


def _in_a_row() -> DeltaGenerator:
    return st.container(horizontal=True, vertical_alignment="bottom", gap="small")


def _remove(name: str, decided: int) -> None:
    """Remove the review, once the box is ticked that its decisions may go."""
    said = f"Its decisions on {how_many(decided, 'document')} may be lost; the documents stay"
    key = f"{_SURE}-{name}"
    sure = st.checkbox(said, key=key)
    why = None if sure else "Tick the box above first"
    label, act = "Remove this review", (_delete, name)
    st.button(label, key="review-remove", disabled=not sure, help=why, on_click=_named, args=act)


def _named(act: Callable[[str], None], name: str) -> None:
    session.attempt(lambda: act(name))


def _make(name: str) -> None:
    st.session_state[_CHOSEN] = handles.library().reviews.make(name)


def _rename_to(name: str) -> None:
    if name != current():
        st.session_state[_CHOSEN] = handles.library().reviews.rename(current(), name)


def _delete(name: str) -> None:
    handles.library().reviews.delete(name)
    st.session_state.pop(_CHOSEN, None)
