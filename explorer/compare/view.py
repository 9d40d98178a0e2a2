"""The compare page: two documents in, three levels of similarity out, and the passages behind every number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from engine.core.errors import EngineError
from engine.documents import Document
from explorer.compare import coverage, differences, inputs, three
from explorer.compare import handles as compare_handles
from explorer.compare.comparison import comparison_view, score_panel, within_panel
from explorer.compare.downloads import comparison_downloads, together_downloads
from explorer.compare.exclusions import exclusions, left_out
from explorer.shared import notices
from explorer.shared.design import ASSETS
from explorer.shared.document import count_of_words
from explorer.shared.markup import show
from explorer.shared.progress import at_the_top
from explorer.shared.recent_list import recent_list
from explorer.state import compared, handles, jobs, recents, session
from explorer.state.drafts import Draft
from explorer.state.pair import PLACES, Place

if TYPE_CHECKING:
    from engine.core.progress import Report

_LEAD = (
    "Give it two papers or patents: it shows how near they are as wholes, by sections and by passages. Give it one: "
    "it is compared within itself, and on demand with your whole library."
)
_READING, _TRIED = "Reading the documents to compare", "tried_to_read"
_COMPARING, _TRIED_TO_COMPARE = "Comparing the documents", "tried_to_compare"


def draw() -> None:
    """Draw the page for what this visitor has chosen so far."""
    st.html(ASSETS / "compare.css")
    pair = session.current().pair
    if pair.a.origin and (pair.b.origin or session.current().coverage.on):
        st.title("Compare", anchor=False)
    else:
        notices.page_title("Compare two documents", _LEAD)
    if sentence := session.told():
        notices.problem(sentence)
    drafts = {place: _held(place) for place in PLACES}
    first, second = drafts["a"], drafts["b"]
    waits = first is not None and second is not None and any(compared.form(place).held() for place in PLACES)
    if waits:
        notices.note("The comparison waits until you use or discard the corrections.")
    _sides(drafts)
    third = _third() if first is not None and second is not None and inputs.asks_for_a_third() else None
    if first is not None and second is not None and third is not None and not waits:
        exclusions(session.current().pair, documents=3)
        with notices.shown_errors():
            _together(first.document, second.document, third.document)
    elif first is not None and second is not None and not waits:
        exclusions(session.current().pair)
        with notices.shown_errors():
            _compared(first.document, second.document)
    elif first is not None and second is None and session.current().coverage.on:
        with notices.shown_errors():
            coverage.coverage_view(first.document)
    elif first is None and second is None:
        inputs.example_pairs()
        recent_list()
    elif (only := first or second) is not None and not any(compared.form(place).held() for place in PLACES):
        exclusions(session.current().pair, documents=1)
        with notices.shown_errors():
            _within(only.document)
    _note(first, second, third)
    session.write_link()
    if first is None or second is None:
        compare_handles.warm()


def _note(first: Draft | None, *others: Draft | None) -> None:
    """Remember what is compared, for the list of recent comparisons."""
    shown = [draft.document for draft in (first, *others) if draft is not None]
    if len(shown) > 1 or (first is not None and session.current().coverage.on):
        recents.note_comparison(shown)


def _held(place: Place) -> Draft | None:
    """The document on one side; if its link names a document that is gone, say so and leave the side free."""
    try:
        return compared.held(place)
    except EngineError as error:
        notices.problem(str(error))
        return None


def _sides(drafts: dict[Place, Draft | None]) -> None:
    """The two documents, or the ways to bring them."""
    has_library = _has_library()
    for column, place in zip(st.columns(2, gap="medium"), PLACES, strict=True):
        with column:
            if place == "b" and drafts["a"] and not drafts["b"] and has_library and session.current().coverage.on:
                coverage.panel()
                continue
            inputs.side(place, drafts[place], has_library=has_library)
            if place == "b" and has_library:
                coverage.offer(drafts["a"], drafts["b"])


def _third() -> Draft | None:
    """The third document, or the ways to bring one."""
    draft = _held("c")
    inputs.side("c", draft, has_library=_has_library())
    return None if compared.form("c").held() else draft


def _has_library() -> bool:
    """Whether there is a library to choose from; the page works without one."""
    try:
        return handles.document_count() > 0
    except EngineError as error:
        notices.problem(str(error))
        return False


def _compared(a: Document, b: Document) -> None:
    if not _is_read(a, b) or not _is_compared(a, b):
        return
    pair = session.current().pair
    if pair.matrix in ("within_a", "within_b"):
        _within(a if pair.matrix == "within_a" else b)
        return
    comparison = compare_handles.comparison(a, b, pair)
    left_out(comparison)
    with st.sidebar:
        show(differences.counted(comparison))
        inputs.third_button()
    with st.container(horizontal=True, vertical_alignment="center", key="compare-head"):
        show(score_panel(comparison))
        inputs.swap_button()
        versions = compare_handles.versions(a, b, pair) if pair.versions else None
        comparison_downloads(comparison, versions)
    differences.offer(comparison)
    comparison_view(comparison, versions)


def _together(*documents: Document) -> None:
    """Three documents on one scale."""
    if not _is_read(*documents):
        return
    found = compare_handles.together(documents, session.current().pair)
    with st.container(horizontal=True, vertical_alignment="center", key="compare-head"):
        show(three.three_panel(found))
        together_downloads(found)
    three.three_view(found)


def _within(document: Document) -> None:
    """One document against itself."""
    if not _is_read(document, least_words=0):
        return
    comparison = compare_handles.within(document, session.current().pair)
    left_out(comparison)
    with st.container(horizontal=True, vertical_alignment="center", key="compare-head"):
        show(within_panel(comparison))
        comparison_downloads(comparison)
    comparison_view(comparison)


def _is_read(*documents: Document, least_words: int = compare_handles.LONG_WORDS) -> bool:
    """Whether documents are read; short ones are read at once, those of `least_words` or more in the background."""
    missing = [document for document in dict.fromkeys(documents) if not compare_handles.is_read(document)]
    job = jobs.running()
    if job is not None and job.name == _READING:
        if missing:
            at_the_top("The documents are being read.")
        return not missing
    is_long = any(count_of_words(document) >= least_words for document in missing)
    if is_long and jobs.running() is None and st.session_state.get(_TRIED) != missing:
        st.session_state[_TRIED] = missing  # what failed there fails here too, with its reason
        _read_in_background(missing)
    if missing:
        with st.spinner("Reading the documents"):
            for document in missing:
                compare_handles.read(document)
    return True


def _is_compared(a: Document, b: Document) -> bool:
    """Whether the comparison can be shown: that of long documents is made in the background."""
    pair = session.current().pair
    if compare_handles.is_compared(a, b, pair):
        return True
    job, asked = jobs.running(), (a.id, b.id, compare_handles.exclusions_of(pair))
    if job is not None and job.name == _COMPARING:
        at_the_top("The documents are being compared.")
        return False
    if job is not None or st.session_state.get(_TRIED_TO_COMPARE) == asked:
        return True  # other work runs, or it failed there: it is made here, or fails with its reason
    st.session_state[_TRIED_TO_COMPARE] = asked

    def work(report: Report) -> str:
        compare_handles.compare(a, b, pair, report)
        if pair.salient:
            compare_handles.weigh(a, b, report)
        return "The documents are compared."

    jobs.ask(_COMPARING, work, key=("comparing", *asked))
    st.rerun()


def _read_in_background(documents: Sequence[Document]) -> None:
    """Read as a job whose progress the page shows, and draw the page again."""

    def work(report: Report) -> str:
        for document in documents:
            compare_handles.read(document, report)
        return "The document is read." if len(documents) == 1 else "The documents are read."

    jobs.ask(_READING, work, key=("reading", *(document.id for document in documents)))
    st.rerun()


if __name__ == "__main__":
    draw()
