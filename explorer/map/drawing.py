"""Drawing a map in the background: the offer to draw the first, and the button that draws it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from explorer.shared import encoder_facts, notices
from explorer.shared.preparation import reading_cost
from explorer.state import handles, jobs
from explorer.state.encoder_names import short

if TYPE_CHECKING:
    from engine.core.progress import Report


def offer(name: str, *, key: str) -> None:
    """Offer to draw the first map under this encoder, and say what it takes; or say that it is asked for."""
    if jobs.is_in_line(jobs.drawing(name)):
        notices.empty_state(
            f"No map under {short(name)} yet",
            "Its drawing stands in the line at the top of this page, which says how far the work has come.",
        )
        return
    notices.empty_state(
        "No map drawn yet",
        f"A map of your {documents(handles.document_count())} under the encoder {short(name)} is drawn once and kept. "
        "That takes from some seconds to a few minutes, with progress shown; new queries are then put in place without "
        "moving anything.",
    )
    if not encoder_facts.has_vectors(name):
        with st.container(key=f"reading-{key}"):
            reading_cost(name)
    with st.container(horizontal=True, horizontal_alignment="center"):
        if st.button("Draw the map", type="primary", icon=":material/scatter_plot:", key=f"draw-{key}"):
            _draw(name)


def redraw_button(name: str, *, key: str) -> None:
    """Draw the map of this encoder again."""
    if st.button("Draw it again", key=f"redraw-{key}", icon=":material/refresh:"):
        _draw(name)


def documents(count: int) -> str:
    """A number of documents in words."""
    return f"{count:,} document{'' if count == 1 else 's'}"


def _draw(name: str) -> None:
    """Draw in the background; the page shows the progress."""

    def work(report: Report) -> str:
        handles.draw_map(name, report)
        return f"The map under {short(name)} is drawn."

    with notices.shown_errors():
        jobs.ask(f"Drawing the map under {short(name)}", work, key=jobs.drawing(name))
        st.rerun()
