"""The copies of PDFs that the library keeps to show their pages: how large they are, and whether to keep more."""

from __future__ import annotations

import streamlit as st

from engine.markup import element
from engine.text import how_many
from explorer.shared import notices
from explorer.shared.markup import show
from explorer.state import handles, session

_HELP = "A copy lies in the library's folder, for your eyes alone, and goes with its documents."
_KEEP = "keep-copies"


def kept_copies() -> None:
    """How many copies there are, a switch for those to come, and a button that removes those that are there."""
    copies = handles.library().copies
    kept = copies.total()
    told = f"{how_many(kept.files, 'PDF')} kept to show passages on their pages, {kept.bytes / 1e6:,.1f} MB."
    with st.expander("Copies of PDFs", key="copies"):
        show(element("p", told if kept.files else "No PDF is kept yet.", class_="ps-quiet"))
        st.session_state[_KEEP] = copies.are_wanted
        st.toggle("Keep a copy of each imported PDF", key=_KEEP, help=_HELP, on_change=_switch)
        if kept.files:
            with st.popover("Remove the copies", icon=":material/delete:", key="remove-copies"):
                show(element("p", "Remove them? The documents stay; their pages can no longer be shown."))
                pressed = st.button("Remove them", key="remove-copies-now", type="primary")
            if pressed:
                with notices.shown_errors():
                    copies.drop(copies.keys())
                    st.rerun()


def _switch() -> None:
    session.attempt(lambda: handles.library().copies.want(bool(st.session_state[_KEEP])))
