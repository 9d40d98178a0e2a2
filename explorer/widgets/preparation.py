"""An encoder that has not read the library: how long that takes here, and the button that does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from explorer import encoder_facts, handles, jobs, session
from explorer.encoder_names import short
from explorer.widgets import notices, progress
from explorer.widgets.markup import element, show

if TYPE_CHECKING:
    from engine.progress import Report

NOT_READ = "This encoder has not read your library yet"
_SECONDS_BETWEEN_LOOKS = 0.5


def preparation(name: str, *, title: str = NOT_READ) -> None:
    """Offer to encode the library, and say how long that takes here."""
    with st.container(border=True, key="preparation", gap="small"):
        show(element("h2", title, class_="ps-title"))
        reading_cost(name)
        with st.container(horizontal=True):
            if st.button("Encode the library", type="primary", key="prepare", icon=":material/play_arrow:"):
                _start(name)
            keywords_instead()


def reading_cost(name: str) -> None:
    """What encoding takes; while that is being measured, look again until it is known."""
    if handles.reading_seconds(name) is None and not encoder_facts.has_vectors(name):
        _measuring(name)
        handles.warm(name)
    else:
        seconds = handles.reading_seconds(name)
        _said(f"about {progress.rough(seconds)} on this machine" if seconds else "")


def keywords_instead() -> None:
    """The way to search before an encoder is ready."""
    if st.button("Rank by keywords", key="use-keywords", help="Needs no encoder"):
        session.update(ranking="keywords")
        st.rerun()


def _start(name: str) -> None:
    """Encode the library in the background."""

    def work(report: Report) -> str:
        handles.prepare(name, report)
        return f"Your library is encoded with {short(name)}."

    with notices.shown_errors():
        jobs.watch(jobs.start(f"Encoding your library with {short(name)}", work))
        st.rerun()


@st.fragment(run_every=_SECONDS_BETWEEN_LOOKS)
def _measuring(name: str) -> None:
    if handles.reading_seconds(name) is not None:
        st.rerun()
    _said("how long is being measured")


def _said(duration: str) -> None:
    once = f"once ({duration})" if duration else "once"
    text = f"The encoder needs to read {handles.document_count():,} documents {once}. Every page can be used meanwhile."
    show(element("p", text, class_="ps-quiet", role="status"))
