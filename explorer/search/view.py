"""The search page: a document in, ranked neighbours with their evidence out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from engine.core.errors import EngineError
from engine.documents import Document
from engine.documents.markup import element
from explorer import ASSETS
from explorer.search.inputs import example_cards, query_inputs
from explorer.search.results import results
from explorer.search.words_choice import words_choice
from explorer.shared import encoder_facts, notices, salient_slots
from explorer.shared.document import full_text, heading, meta_line, outline
from explorer.shared.document_form import document_form
from explorer.shared.formulas import typeset
from explorer.shared.markup import show
from explorer.shared.options import begin_options, drop_idle_years, search_options
from explorer.shared.preparation import preparation
from explorer.shared.recent_list import limits_button, own_note, recent_list
from explorer.shared.restored import restored_query
from explorer.shared.steps import place_of
from explorer.state import drafts, handles, recents, session
from explorer.state.encoder_names import encoder_name
from explorer.state.links import Visit

if TYPE_CHECKING:
    from explorer.state.drafts import Draft

_LEAD = "Give it a paper, a patent or a question. It shows what lies near in your library, and what says why."
_STEPS = ("welcome", "check", "found")
_ASKED = "asks_with_the_draft"


def draw() -> None:
    """Draw the page for what this visitor has chosen so far."""
    st.html(ASSETS / "search.css")
    if st.session_state.pop(_ASKED, False) and (checked := drafts.QUERY.held()) is not None:
        drafts.ask(checked)  # here, after every correction was taken, and before its form would be drawn once more
    visit = session.current()
    if sentence := session.told():
        notices.problem(sentence)
    has_library = _has_library()
    draft, query = drafts.QUERY.held(), restored_query(visit)
    if has_library:
        drop_idle_years()
        options = begin_options()
    if draft is not None:
        with place_of("check", _STEPS):
            _check(draft, has_library=has_library)
    elif query is None and not visit.liked:
        with place_of("welcome", _STEPS):
            _welcome(visit, has_library=has_library)
    else:
        with place_of("found", _STEPS):
            _found(query or drafts.SEEDS, session.current(), has_library=has_library)
    if has_library:  # after the results: the filters count what each choice would leave
        with options:
            search_options(session.current())
            if draft is None and query is not None:
                words_choice(query, session.current())
    session.write_link()
    if has_library and (draft is not None or (query is None and not visit.liked)):
        handles.warm(visit.encoder)


def _has_library() -> bool:
    """Whether there is anything to search; if not, say what to do."""
    try:
        if handles.document_count() > 0:
            return True
    except EngineError as error:
        notices.problem(str(error))
        return False
    text = "Your library is empty, so there is nothing to search yet. Get the sample library, or import your own files."
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="no-library"):
        show(element("p", text, role="status"))
        if st.button("Go to the library", type="primary", icon=":material/local_library:", key="to-library"):
            st.switch_page("explorer/library/view.py")
    return False


def _welcome(visit: Visit, *, has_library: bool) -> None:
    """The ways to enter a query; an encoder that has not read the library can do so meanwhile."""
    notices.page_title("What lies near your document?", _LEAD)
    with st.container(key="search-news"):  # always there: if it came and went, the tabs below would jump back
        if has_library and visit.ranking != "keywords" and not encoder_facts.has_vectors(visit.encoder):
            preparation(encoder_name(visit.encoder))
    query_inputs(has_library=has_library)
    recent_list()
    example_cards()


def _check(draft: Draft, *, has_library: bool) -> None:
    """The read document, open for correction."""
    notices.page_title(
        "Check what was read", "Correct the title, the abstract or a section where they were read wrongly."
    )
    top = st.container(horizontal=True, gap="small")
    salient_slots.on_demand(draft.document)
    with st.container(key="draft-form"):
        document_form(draft, change=drafts.QUERY.change, key="draft")
    with top:
        why = None if has_library else "Your library is empty: there is nothing to search yet"
        label, icon = "Find what is near", ":material/search:"
        asked = {_ASKED: True}
        st.button(
            label,
            type="primary",
            icon=icon,
            disabled=not has_library,
            key="ask",
            help=why,
            on_click=st.session_state.update,
            args=(asked,),
        )
        st.button("Discard", key="discard", on_click=drafts.QUERY.drop)


def _found(query: Document, visit: Visit, *, has_library: bool) -> None:
    """The query and its neighbours."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="found-head"):
        st.title("What lies near", anchor=False)
        if query.text and st.button("Correct it", icon=":material/edit:", key="correct", type="tertiary"):
            drafts.QUERY.keep(drafts.from_query(query, visit))
            st.rerun()
        st.button("New search", icon=":material/add:", key="new-search", on_click=session.forget_query)
    if query.text:
        _query_panel(query)
    else:
        show(element("p", "to these documents of your library, all together.", class_="ps-quiet"))
    if has_library:
        results(query, visit)
    recents.note_search(query)
    if visit.origin == "own" and query.text:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="own-note"):
            show(element("p", own_note(is_kept=bool(visit.query)), class_="ps-quiet"))
            limits_button()


def _query_panel(query: Document) -> None:
    """The query in two lines; folded away: what to read first in it, and its text."""
    title = element("h2", typeset(heading(query)), class_="ps-title")
    consists = outline(query)
    with st.container(horizontal=True, gap="small", key="query"):
        show(element("div", title, meta_line(query, note=consists), class_="ps-query"))
        with st.expander("Read the query", key="read-query", type="compact", on_change="rerun") as reading:
            if reading.open:
                salient_slots.of_query(query)
                show(full_text(query, salient=salient_slots.marked(query)))


if __name__ == "__main__":
    draw()
