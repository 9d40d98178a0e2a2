"""The sidebar of the Compare page: what heatmaps and texts show, what is left out, and how much."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import streamlit as st

from engine.markup import element
from explorer.shared import salience_handles
from explorer.shared.markup import show
from explorer.state import session
from explorer.state.pair import MATRICES, MAX_WORDS, Matrix, Pair

if TYPE_CHECKING:
    from engine.compare.base import Comparison

_MATRIX_NAMES = {
    "across": "Between both",
    "within_a": "Within the first",
    "within_b": "Within the second",
    "attention": "Attention",
}
_MATRIX_HELP = (
    "Between both: each part of the first against each of the second. Within: a document against itself. Attention: "
    "how much each chunk of the first looks at those of the second when the encoder weighs them."
)
_REFERENCES_HELP = "Reference lists, and what slipped from them into the text"
_RECURRING_HELP = (
    "Boilerplate, and sentences that several other documents of your library hold: they make any two documents alike"
)
_SALIENT_HELP = (
    "Underlines the sentences of each text that most likely carry what its abstract would say: the strongest tenth, at "
    "least five, of a short text a third. Their number, from 0 to 1, stands where you point at them."
)
_REASONS = {"references": "as references", "recurring": "as recurring text", "short": "as too short"}


def exclusions(pair: Pair) -> None:
    """Draw the choices in the sidebar; each change goes into the link, and the numbers follow at once."""
    with st.sidebar:
        _matrix_choice(pair.matrix)
        if salience_handles.is_there():
            _switch("Mark salient sentences", "salient", on=pair.salient, note=_SALIENT_HELP)
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


def _matrix_choice(matrix: Matrix) -> None:
    """Similarity between both, within one, or attention."""
    st.session_state["compare-matrix"] = matrix
    st.selectbox(
        "Heatmaps show",
        MATRICES,
        format_func=lambda name: _MATRIX_NAMES[name],
        key="compare-matrix",
        help=_MATRIX_HELP,
        on_change=lambda: _change(matrix=st.session_state["compare-matrix"]),
    )


def left_out(comparison: Comparison) -> None:
    """How many sentences were left out, and why, in the sidebar."""
    lines = [
        f"{name}: {_counts(comparison, place)}" for place, name in enumerate(("First document", "Second document"))
    ]
    with st.sidebar:
        show(element("div", *(element("p", line, class_="ps-quiet") for line in lines), role="status"))


def _counts(comparison: Comparison, place: int) -> str:
    counts = {reason: both[place] for reason, both in comparison.left_out.items() if both[place]}
    if not counts:
        return "no sentence is left out."
    pieces = [f"{count:,} {_REASONS.get(reason, reason)}" for reason, count in counts.items()]
    return f"sentences left out: {', '.join(pieces)}."


def _switch(label: str, field: str, *, on: bool, note: str) -> None:
    key = f"compare-{field}" if field == "salient" else f"leave-{field}"
    st.session_state[key] = on
    st.checkbox(label, key=key, help=note, on_change=lambda: _change(**{field: st.session_state[key]}))


def _change(**changes: object) -> None:
    session.update(pair=dataclasses.replace(session.current().pair, **changes))  # type: ignore[arg-type]
