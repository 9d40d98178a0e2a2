"""The sidebar of the Compare page: what heatmaps and texts show, what is left out, and how much."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import streamlit as st

from engine.documents.markup import element
from explorer.shared import salience_handles
from explorer.shared.markup import show
from explorer.state import session
from explorer.state.pair import MAX_WORDS, Matrix, Pair

if TYPE_CHECKING:
    from engine.compare import Comparison

_MATRIX_NAMES: dict[Matrix, str] = {
    "across": "Between both",
    "within_a": "Within the first",
    "within_b": "Within the second",
    "attention": "Attention of the first",
    "attention_back": "Attention of the second",
}
_ALONE_NAMES: dict[Matrix, str] = {"across": "Similarity", "attention": "Attention"}
_MATRIX_HELP = (
    "Between both: each part of the first against each of the second. Within: a document against itself. Attention: "
    "how much each chunk of one document looks at those of the other when the encoder weighs them."
)
_ALONE_HELP = "Attention: how much each chunk (down) looks at each other (across) when the encoder weighs them."
_LACKS_HELP = (
    "A dotted line under the sentences of each text that nothing in the other covers: no sentence there says the same, "
    "also in other words"
)
_REFERENCES_HELP = "Reference lists, and what slipped from them into the text"
_RECURRING_HELP = (
    "Boilerplate, and sentences that several other documents of your library hold: they make any two documents alike"
)
_SALIENT_HELP = (
    "Underlines the sentences of each text that most likely carry what its abstract would say: the strongest tenth, at "
    "least five, of a short text a third. Their number, from 0 to 1, stands where you point at them."
)
_BOTH = 2
_LEFT_OUT = ("references", "recurring")
_REASONS = {"references": "as references", "recurring": "as recurring text", "short": "as too short"}


def exclusions(pair: Pair, documents: int = 2) -> None:
    """Draw the choices in the sidebar; each change goes into the link, and the numbers follow at once."""
    with st.sidebar:
        _matrix_choice(pair.matrix, _MATRIX_NAMES if documents == _BOTH else _ALONE_NAMES)
        if documents <= _BOTH and salience_handles.is_there():
            _switch("Mark salient sentences", "salient", on=pair.salient, note=_SALIENT_HELP)
        if documents == _BOTH:
            _switch("Mark what the other lacks", "alone", on=pair.alone, note=_LACKS_HELP)
        st.header("Leave out", anchor=False)
        _switch("References", "references", on=pair.references, note=_REFERENCES_HELP)
        _switch("Recurring text", "recurring", on=pair.recurring, note=_RECURRING_HELP)
        st.session_state["leave-short"] = pair.min_words
        st.slider(
            "Matches under … words",
            0,
            MAX_WORDS,
            key="leave-short",
            help="Matching passages with fewer words than this on either side. 0 leaves none out.",
            on_change=lambda: _change(min_words=st.session_state["leave-short"]),
        )


def _matrix_choice(matrix: Matrix, names: dict[Matrix, str]) -> None:
    """Similarity between both, within one, or attention."""
    st.session_state["compare-matrix"] = matrix if matrix in names else "across"
    st.selectbox(
        "Heatmaps show",
        list(names),
        format_func=lambda name: names[name],
        key="compare-matrix",
        help=_MATRIX_HELP if names is _MATRIX_NAMES else _ALONE_HELP,
        on_change=lambda: _change(matrix=st.session_state["compare-matrix"], cell=None),
    )


def left_out(comparison: Comparison) -> None:
    """How many sentences were left out, and why, in the sidebar."""
    names = ("This document",) if comparison.is_within else ("First document", "Second document")
    lines = [f"{name}: {_counts(comparison, place)}" for place, name in enumerate(names)]
    with st.sidebar:
        show(element("div", *(element("p", line, class_="ps-quiet") for line in lines), role="status"))


def _counts(comparison: Comparison, place: int) -> str:
    counts = {reason: both[place] for reason, both in comparison.left_out.items() if both[place]}
    if not counts:
        return "no sentence is left out."
    pieces = [f"{count:,} {_REASONS.get(reason, reason)}" for reason, count in counts.items()]
    return f"sentences left out: {', '.join(pieces)}."


def _switch(label: str, field: str, *, on: bool, note: str) -> None:
    key = f"leave-{field}" if field in _LEFT_OUT else f"compare-{field}"
    st.session_state[key] = on
    st.checkbox(label, key=key, help=note, on_change=lambda: _change(**{field: st.session_state[key]}))


def _change(**changes: object) -> None:
    session.update(pair=dataclasses.replace(session.current().pair, **changes))  # type: ignore[arg-type]
