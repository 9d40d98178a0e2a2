"""Documents picked on the map: the clicked one, and the selected ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import streamlit as st

from engine import exports, maps
from engine.core.errors import EngineError
from engine.documents import Document
from engine.documents.markup import Markup, element, in_label
from engine.documents.text import how_many
from explorer.map.panel import OpenMap, select_documents, selected_ids
from explorer.map.query import make_query, point_at
from explorer.shared import notices
from explorer.shared.document import UNTITLED, full_text, head
from explorer.shared.keeping import keep_button, kept_in
from explorer.shared.markup import fact_list, show
from explorer.shared.widgets import document_downloads, table_downloads
from explorer.state import drafts, handles, session

_CLUSTERS = 3
_LISTED = 200


def picked_out(id_: str, opened_maps: Sequence[OpenMap]) -> None:
    """Draw the document pointed at, above the selection whose title may have been pressed, if any."""
    held = selected_ids()
    points = [opened.shown for opened in opened_maps]
    chosen = {id_: title for shown in points for id_, title in zip(shown.ids, shown.titles, strict=True) if id_ in held}
    if id_ and (document := _held(id_)):
        _pointed_at(document)
    if chosen:
        _selection(opened_maps[0], chosen)


def _selection(opened: OpenMap, titles: Mapping[str, str]) -> None:
    """Draw the count of the selected documents, what they have in common, their downloads, and their titles."""
    name, count, query = opened.name, len(titles), opened.placed and opened.placed.document
    made_for = (name, frozenset(titles), query, handles.workspace().state())
    ids = session.remember("map_order", made_for, lambda: _nearest_first(opened, list(titles)))
    with st.container(border=True, key="map-selection", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.header(f"{count:,} selected", anchor=False)
            keep_button(ids, key="selection", what="the selection")
            icon, none = ":material/close:", ((),)
            key, drop = "map-selection-clear", select_documents
            st.button("Clear", key=key, type="tertiary", on_click=drop, args=none, icon=icon)
        show(_summary(name, ids))
        with st.container(horizontal=True, gap="small", key="map-downloads"):
            document_downloads(ids, handles.library().get, stem="priorscope-selection", key="map")
        show(element("p", "With their places and clusters on the map:", class_="ps-quiet"))
        with st.container(horizontal=True, gap="small", key="map-places"):
            table_downloads(tables(name, ids), stem="priorscope-selection-places", key="selection")
        show(element("p", f"Nearest to {'the query' if query else 'their middle'} first:", class_="ps-quiet"))
        with st.container(height=260, border=False, gap=None, key="map-picked"):
            for number, id_ in enumerate(ids[:_LISTED]):
                title, key = in_label(titles[id_] or UNTITLED), f"picked-{number}"
                st.button(title, key=key, type="tertiary", on_click=point_at, args=(id_,))
            if count > _LISTED:
                show(element("p", f"and {count - _LISTED:,} more; the downloads hold them all.", class_="ps-quiet"))


def _nearest_first(opened: OpenMap, ids: Sequence[str]) -> list[str]:
    """Return documents by nearness: to the query in meaning, without a query to their middle on the picture."""
    found = opened.shown.from_middle(ids)
    if opened.placed is not None:
        row = handles.workspace().encoder(opened.name).encode_queries([opened.placed.document])
        hits = handles.workspace().exact_index(opened.name).search(row, len(ids), within=frozenset(ids))[0]
        found = [hit.id for hit in hits]
    return list(dict.fromkeys([*found, *ids]))


def tables(name: str, ids: Collection[str] | None = None) -> dict[str, Callable[[], bytes]]:
    """Return what makes tables of the places on an encoder's map, of all documents or of some."""

    def made(end: str) -> bytes:
        within = None if ids is None else frozenset(ids)
        return exports.PLACE_FORMATS[end](
            exports.places(handles.workspace().library_map(name), handles.library().summaries(), within=within)
        )

    return {end: partial(made, end) for end in (".csv", ".parquet")}


def _summary(name: str, ids: Collection[str]) -> Markup:
    """Say what sets documents apart; held while the selection stays, since the page runs often."""
    made_for = (name, frozenset(ids), handles.workspace().state(), handles.workspace().library_map(name).labels)

    def make() -> maps.SelectionSummary:
        read = lambda drawn: maps.Titles.read(drawn, handles.library().summaries())  # noqa: E731
        return handles.workspace().of_map(name, "titles", read).summary(ids)

    return summary_words(session.remember("map_summary", made_for, make))


def summary_words(found: maps.SelectionSummary) -> Markup:
    """Return a selection's terms, years, kinds and clusters as a list of facts."""
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
    return fact_list({name: fact for name, fact in facts.items() if fact}, look="ps-summary")


def _held(id_: str) -> Document | None:
    """Return the document with this id; if the library lacks it, say so and point at none."""
    try:
        return handles.library().get([id_])[0]
    except EngineError as error:
        notices.problem(str(error))
        session.update(selected="")
        return None


def _pointed_at(document: Document) -> None:
    """Draw the document that was clicked, or that a link points at."""
    with st.container(border=True, key="map-pointed", gap="small"):
        show(head(document))
        if kept := kept_in(document.id):
            show(kept)
        with st.container(horizontal=True, gap="small"):
            st.button(
                "Show its neighbours", key="pointed-ask", type="primary", on_click=make_query, args=(document.id,)
            )
            asked = ("search", lambda: drafts.ask(drafts.from_library(document.id)))
            label, icon = "Find what is near", ":material/search:"
            st.button(label, key="pointed-search", icon=icon, on_click=session.go_to, args=asked)
            keep_button([document.id], key="pointed", what="it")
            st.button("Close", key="pointed-close", type="tertiary", on_click=point_at, args=("",))
        with st.expander("Read it", key=f"pointed-{document.id}", on_change="rerun") as reading:
            if reading.open:
                show(full_text(document))
