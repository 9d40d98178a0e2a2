"""Documents picked on the map: the clicked one, and the selected ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from engine.core.errors import EngineError
from engine.documents import Document
from engine.documents.markup import Markup, element
from engine.documents.text import how_many
from explorer.map.panel import OpenMap
from explorer.shared import notices, selection
from explorer.shared.collecting import keep_button, kept_in
from explorer.shared.document import full_text, head
from explorer.shared.markup import show
from explorer.shared.selection import Selected
from explorer.state import drafts, handles, session
from explorer.state.encoder_names import encoder_name

if TYPE_CHECKING:
    from engine.exports import MapPoints
    from engine.maps import LibraryMap, SelectionSummary, Titles

_CLUSTERS = 3
_SUMMARY = "map_summary"


def ask(id_: str) -> None:
    """Make a document of the library the query; used as a button's callback."""
    session.attempt(lambda: drafts.ask(drafts.from_library(id_)))


def point_at(id_: str) -> None:
    """Point at a document, or at none with an empty id."""
    session.update(selected=id_)


def picked_out(id_: str, maps: Sequence[OpenMap]) -> None:
    """The selection and the document pointed at, if any."""
    if chosen := _selected_titles([opened.shown for opened in maps]):
        ids = list(chosen)
        words = _summary(maps[0].name, ids)
        selected = Selected(ids, list(chosen.values()), handles.library().get, words, tables(maps[0].name, ids))
        selection.selection(selected, on_clear=_clear_selection)
    if id_ and (document := _held(id_)):
        _pointed_at(document)


def tables(name: str, ids: Collection[str] | None = None) -> dict[str, Callable[[], bytes]]:
    """What makes tables of the places on an encoder's map, of all documents or of some."""
    from engine.exports import PLACE_FORMATS, places

    def made(end: str) -> bytes:
        within = None if ids is None else frozenset(ids)
        return PLACE_FORMATS[end](places(handles.library_map(name), handles.library().summaries(), within=within))

    return {end: (lambda end=end: made(end)) for end in (".csv", ".parquet")}


def _summary(name: str, ids: Collection[str]) -> Markup:
    """What sets documents apart, in words; held while the selection stays, since the page runs often."""
    made_for = (name, frozenset(ids), handles.workspace().state(), handles.library_map(name).labels)
    held = st.session_state.get(_SUMMARY)
    if held is None or held[0] != made_for:
        titles = handles.workspace().of_map(encoder_name(name), "titles", _titles)
        held = st.session_state[_SUMMARY] = (made_for, titles.summary(ids))
    return summary_words(held[1])


def _titles(drawn: LibraryMap) -> Titles:
    from engine.maps import Titles

    return Titles.read(drawn, handles.library().summaries())


def summary_words(found: SelectionSummary) -> Markup:
    """A selection's terms, years, kinds and clusters as a list of facts."""
    years = found.years
    known = str(years.first or "")
    if years.first < years.last:
        known = f"{years.first} to {years.last}, half of them by {years.median}"
    unknown = f"{years.unknown:,} without a year" if years.unknown else ""
    clusters = [f"{name} ({count:,})" for name, count in list(found.clusters.items())[:_CLUSTERS]]
    more = len(found.clusters) - len(clusters)
    facts = {
        "Terms": ", ".join(found.terms),
        "Years": "; ".join(filter(None, [known, unknown])),
        "Kinds": ", ".join(how_many(count, kind) for kind, count in found.kinds.items()),
        "Clusters": "; ".join([*clusters, *([f"{more} more"] if more > 0 else [])]),
    }
    rows = [element("div", element("dt", name), element("dd", fact)) for name, fact in facts.items() if fact]
    return element("dl", *rows, class_="ps-summary")


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
