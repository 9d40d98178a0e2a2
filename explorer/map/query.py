"""The query on the map: its place, its true neighbours, and how to choose another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from engine.documents import Document, Hit
from engine.documents.markup import element
from engine.exports import Query
from explorer.shared.document import UNTITLED, head
from explorer.shared.markup import show
from explorer.shared.neighbours import Near, kept_sentence, neighbour_list
from explorer.state import drafts, handles, session
from explorer.state.examples import examples

if TYPE_CHECKING:
    from engine.exports import MapPoints

_MATCHES = 20
_LABEL_CHARACTERS = 34
_WHERE = "See where a document sits, with lines to its nearest neighbours"
_WAYS = (
    "Click a point on the map, find a document by its title, try an example, or bring your own text or file on the "
    "Search page: it appears here."
)


@dataclass(frozen=True, slots=True)
class PlacedQuery:
    """The query with its place on the map and its true neighbours, nearest first."""

    document: Document
    marker: Query
    near: tuple[Near, ...]


def place_query(document: Document, name: str, shown: MapPoints) -> PlacedQuery:
    """Find the query's true neighbours under an encoder, and its place.

    A document of the library keeps its place; a corrected one is placed like any other text.

    Raises MapError where the encoder knows none of its words.
    """
    from engine.maps import place

    own = shown.row_of(document.id)
    hits = _true_neighbours(document, name, shown)
    if own is not None and handles.holds(document):
        x, y = (float(value) for value in shown.positions[own])
        hits = hits if any(hit.score for hit in hits) else []  # to a text without known words all are alike
    else:
        placement = place(handles.library_map(name), hits)
        x, y = float(placement.x), float(placement.y)
    rows = [shown.row_of(hit.id) for hit in hits]
    around = shown.nearest_rows(x, y, count=len(hits), leave_out=own) if hits else set()
    documents = handles.library().get([hit.id for hit in hits])
    read = handles.readings(name, document, documents)
    near = tuple(
        Near(rank, found, reading, row in around)
        for rank, (reading, found, row) in enumerate(zip(read, documents, rows, strict=True), start=1)
    )
    marker = Query(x, y, _label(document), tuple(row for row in rows if row is not None))
    return PlacedQuery(document, marker, near)


def compared(placed: PlacedQuery, other: PlacedQuery, shown: MapPoints) -> PlacedQuery:
    """The query on one of two maps; each neighbour says whether the other encoder finds it too."""
    there = {neighbour.document.id for neighbour in other.near}
    near = tuple(replace(neighbour, shared=neighbour.document.id in there) for neighbour in placed.near)
    apart = (shown.row_of(neighbour.document.id) for neighbour in near if not neighbour.shared)
    marker = replace(placed.marker, apart=tuple(row for row in apart if row is not None))
    return PlacedQuery(placed.document, marker, near)


def query_panel(document: Document) -> None:
    """The query document."""
    with st.container(border=True, key="map-query", gap="small"):
        show(element("p", "The query (star on the map)", class_="ps-label"))
        show(head(document))
        if st.button("Search with it", key="query-search", icon=":material/search:"):
            st.switch_page("explorer/search/view.py")


def neighbours_panel(
    placed: PlacedQuery, *, title: str, key: str, on_ask: Callable[[str], None], on_show: Callable[[str], None]
) -> None:
    """How well a picture shows the query's neighbourhood, and its neighbours as a list."""
    with st.container(border=True, key=f"map-{key}", gap="small"):
        st.header(title, anchor=False)
        show(element("p", kept_sentence(placed.near), class_="ps-quiet"))
        with st.container(height=420, border=False, key=f"map-{key}-scroll"):
            neighbour_list(placed.near, key=key, on_ask=on_ask, on_show=on_show)


def choose_query(shown: MapPoints, *, on_ask: Callable[[str], None], has_query: bool) -> None:
    """A document of the library by its title, or one of our examples."""
    with st.popover("Place a document", icon=":material/star:", key="map-query-choice", help=_WHERE):
        if not has_query:
            show(element("p", _WAYS, class_="ps-quiet"))
        _by_title(shown, on_ask)
        _example()
        if has_query:
            st.button("Take the query off the map", key="map-forget", on_click=session.forget_query)


def _by_title(shown: MapPoints, on_ask: Callable[[str], None]) -> None:
    words = st.text_input("Words of a title", key="map-words", icon=":material/search:")
    if not words:
        return
    wanted = words.lower().split()
    rows = [row for row, title in enumerate(shown.titles) if all(word in title.lower() for word in wanted)]
    if not rows:
        show(element("p", "No title on the map holds all of these words.", class_="ps-quiet"))
        return
    titles = {shown.ids[row]: shown.titles[row] or UNTITLED for row in rows[:_MATCHES]}

    def chosen() -> None:
        if id_ := st.session_state["map-match"]:
            on_ask(id_)

    st.selectbox(
        f"{len(rows):,} titles match" if len(rows) > 1 else "One title matches",
        list(titles),
        index=None,
        format_func=lambda id_: titles[id_],
        key="map-match",
        placeholder="Choose one",
        on_change=chosen,
    )


def _example() -> None:
    found = examples()

    def chosen() -> None:
        name = st.session_state["map-example"]
        if name:
            session.attempt(lambda: drafts.ask(drafts.from_example(name)))

    st.selectbox(
        "Or an example",
        list(found),
        index=None,
        format_func=lambda name: found[name].title,
        key="map-example",
        placeholder="Choose one",
        on_change=chosen,
    )


def _true_neighbours(document: Document, name: str, shown: MapPoints) -> list[Hit]:
    """The nearest documents on the map by the encoder, without the query itself and its other versions."""
    itself = handles.library().duplicates_of(document) | {document.id}
    row = handles.encoder(name).encode_queries([document])
    found = handles.vector_index(name).search(row, shown.neighbours + len(itself) + shown.missing)[0]
    return [hit for hit in found if hit.id not in itself and shown.row_of(hit.id) is not None][: shown.neighbours]


def _label(document: Document) -> str:
    title = " ".join(document.title.split())
    if not title:
        return "Your query"
    return title if len(title) <= _LABEL_CHARACTERS else title[: _LABEL_CHARACTERS - 1].rstrip() + "…"
