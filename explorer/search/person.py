"""The answer to a question that is only a person's name: what the library has of that person, and the way to ask on."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from engine import search
from engine.documents import Document
from engine.documents.markup import element
from explorer.search.chosen_hit import category_chips, chip_names, draw_chips, keep_buttons
from explorer.search.hits import author_rows, keys_button, more_button, row_list
from explorer.shared.document import full_text, head
from explorer.shared.keeping import kept_in, written_about
from explorer.shared.markup import name_groups, show
from explorer.shared.widgets import document_downloads, file_stem
from explorer.state import drafts, handles, session
from explorer.state.visit import Visit


def person_first(query: Document, visit: Visit) -> bool:
    """Show what the person wrote whose name the question is, and say whether that is all to show for now.

    Where the visitor wants the name asked as any other question, a line leads back.
    """
    works = None if visit.liked or visit.disliked else search.AuthorWorks.find(query, handles.library(), visit.filters)
    if works is None:
        return False
    if visit.as_question:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="person-line"):
            show(element("p", works.sentence, class_="ps-quiet"))
            _switch("Show them", to_question=False)
        return False
    with st.container(gap=None, key="found-words"):
        show(element("p", works.sentence, class_="ps-verdict", role="status"))
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="summary"):
            listed = min(len(works.ids), visit.k)
            show(element("p", f"{listed:,} of {len(works.ids):,}, the latest first", class_="ps-quiet"))
            _switch("Ask it as a question", to_question=True)
            keys_button()
            with st.popover("Download", icon=":material/download:", help="These documents as a file"):
                document_downloads(works.ids, handles.library().get, stem=file_stem("by", works.asked), key="person")
    _listed(works, visit)
    return True


def _switch(label: str, *, to_question: bool) -> None:
    changes = {"as_question": to_question, "selected": ""}
    st.button(label, key="switch-person", type="secondary", on_click=session.update, kwargs=changes)


@st.fragment
def _listed(works: search.AuthorWorks, visit: Visit) -> None:
    """Draw the rows, and the chosen document's details."""
    if replace(session.current(), selected=visit.selected) != visit:
        st.rerun()  # something else is asked for now
    documents = handles.library().get(works.ids[: visit.k])
    at = row_list(
        [document.id for document in documents],
        lambda some, selected: author_rows(documents[some], works, some.start or 0, selected),
        lambda at: _details(documents[at]),
    )
    name_groups("hits", chip_names(category_chips(documents[at])))
    more_button(visit.k, len(works.ids))


def _details(document: Document) -> None:
    show(head(document, categories=False))
    draw_chips(category_chips(document), "hit-categories", document.id)
    show(element("div", kept_in(document.id), written_about(document.id)))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="hit-uses"):
        near, id_ = "Find what is near", document.id
        icon, help_, ask = ":material/search:", f"Near {document.name}", (lambda: drafts.ask(drafts.from_library(id_)),)
        key, act = f"near-{id_}", session.attempt
        st.button(near, key=key, type="primary", icon=icon, help=help_, on_click=act, args=ask)
        keep_buttons(document, what="it")
    show(full_text(document))
