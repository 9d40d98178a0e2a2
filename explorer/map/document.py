"""Documents picked on the map: the clicked one, and the selected ones."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from engine.documents import Document
from engine.errors import EngineError
from explorer.map.points import MapPoints
from explorer.shared import notices, selection
from explorer.shared.collecting import keep_button, kept_in
from explorer.shared.document import full_text, head
from explorer.shared.markup import show
from explorer.shared.selection import Selected
from explorer.state import drafts, handles, session


def ask(id_: str) -> None:
    """Make a document of the library the query; used as a button's callback."""
    session.attempt(lambda: drafts.ask(drafts.from_library(id_)))


def point_at(id_: str) -> None:
    """Point at a document, or at none with an empty id."""
    session.update(selected=id_)


def picked_out(id_: str, maps: Sequence[MapPoints]) -> None:
    """The selection and the document pointed at, if any."""
    if chosen := _selected_titles(maps):
        selected = Selected(list(chosen), list(chosen.values()), handles.library().get)
        selection.selection(selected, on_clear=_clear_selection)
    if id_ and (document := _held(id_)):
        _pointed_at(document)


def _selected_titles(maps: Sequence[MapPoints]) -> dict[str, str]:
    """The selected documents on either map, in the maps' order."""
    if not (held := selection.held()):
        return {}
    return {id_: title for shown in maps for id_, title in zip(shown.ids, shown.titles, strict=True) if id_ in held}


def _held(id_: str) -> Document | None:
    """The document with this id; if the library lacks it, say so and point at none."""
    try:
        return handles.library().get([id_])[0]
    except EngineError as error:
        notices.problem(str(error))
        session.update(selected="")
        return None


def _pointed_at(document: Document) -> None:
    """The document that was clicked, or that a link points at."""
    with st.container(border=True, key="map-pointed", gap="small"):
        show(head(document))
        if kept := kept_in(document.id):
            show(kept)
        with st.container(horizontal=True, gap="small"):
            st.button("Make it the query", key="pointed-ask", type="primary", on_click=ask, args=(document.id,))
            if st.button("Search with it", key="pointed-search", icon=":material/search:"):
                ask(document.id)
                st.switch_page("explorer/search/view.py")
            keep_button([document.id], key="pointed", what="it")
            st.button("Close", key="pointed-close", type="tertiary", on_click=point_at, args=("",))
        with st.expander("Read it", key=f"pointed-{document.id}", on_change="rerun") as reading:
            if reading.open:
                show(full_text(document))


def _clear_selection() -> None:
    selection.hold(())
