"""One document against the library, worked out in the background and kept for all visitors."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import streamlit as st

from engine.core.progress import Report, silent
from engine.documents import Document
from engine.workspace import Cache, LibraryState
from explorer.shared.progress import at_the_top
from explorer.state import handles, jobs
from explorer.state.coverage_choice import CoverageChoice

if TYPE_CHECKING:
    from engine.compare import Coverage
    from engine.workspace import CoverageSettings

_COVERING, _TRIED = "Comparing your document with the library", "tried_to_cover"
_KEPT = 4

Key: TypeAlias = "tuple[LibraryState, Document, CoverageSettings]"


def coverage(document: Document, choice: CoverageChoice) -> Coverage | None:
    """The coverage of a document, its rows and columns in the chosen order; None while it is being worked out.

    Raises EngineError where it cannot be.
    """
    key = (handles.library_state(), document, _settings(choice))
    found = _kept().held(key)
    if found is None:
        job = jobs.running()
        if job is not None and job.name == _COVERING:
            at_the_top("Your document is being compared with the library.")
            return None
        if job is None and st.session_state.get(_TRIED) != key:
            st.session_state[_TRIED] = key  # what fails there fails here too, with its reason
            _start(key)
        with st.spinner(_COVERING):
            found = _cover(key)
    return found.arranged(choice.row_order, choice.column_order)


def _start(key: Key) -> None:
    """Work in the background, with its progress on the page, and draw the page again."""

    def work(report: Report) -> str:
        _cover(key, report)
        return "Your document is compared with the library."

    jobs.ask(_COVERING, work, key=("covering", key))
    st.rerun()


def _cover(key: Key, report: Report = silent) -> Coverage:
    from engine.workspace import cover, shelf_of

    _, document, settings = key
    return _kept().get(key, lambda: cover(shelf_of(handles.workspace()), document, settings, report=report))


def _settings(choice: CoverageChoice) -> CoverageSettings:
    from engine.workspace import CoverageSettings

    return CoverageSettings(rows=choice.rows, collection=choice.collection)


@st.cache_resource(show_spinner=False)
def _kept() -> Cache[Key, Coverage]:
    return Cache(_KEPT)
