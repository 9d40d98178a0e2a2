"""The query on the map: its place, its true neighbours, how far to trust the picture, another choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from engine import exports, maps
from engine.documents import KIND_NAMES, Document, Hit
from engine.documents.markup import Markup, element
from engine.documents.text import in_percent
from engine.exports import Query
from engine.search import Reading
from explorer.shared.document import UNTITLED, head
from explorer.shared.evidence import reading_line
from explorer.shared.markup import name_groups, shortened, show, typeset
from explorer.state import drafts, handles, session
from explorer.state.drafts import Draft
from explorer.state.examples import examples

_FEWEST = 3
"""Fewer documents than this are all neighbours of each other."""
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


def place_query(document: Document, name: str, shown: exports.MapPoints) -> PlacedQuery:
    """Find the query's true neighbours under an encoder, and its place.

    A document of the library keeps its place; a corrected one is placed like any other text.

    Raises MapError where the encoder knows none of its words.
    """
    own = shown.row_of(document.id)
    hits = _true_neighbours(document, name, shown)
    if own is not None and handles.workspace().holds_document(document):
        x, y = (float(value) for value in shown.positions[own])
        hits = hits if any(hit.score for hit in hits) else []  # to a text without known words all are alike
    else:
        placement = maps.place(handles.workspace().library_map(name), hits)
        x, y = float(placement.x), float(placement.y)
    rows = [shown.row_of(hit.id) for hit in hits]
    around = shown.nearest_rows(x, y, count=len(hits), leave_out=own) if hits else set()
    documents = handles.library().get([hit.id for hit in hits])
    read = handles.workspace().readings(name, document, documents)
    near = tuple(
        Near(rank, found, reading, row in around)
        for rank, (reading, found, row) in enumerate(zip(read, documents, rows, strict=True), start=1)
    )
    label = shortened(document.title, _LABEL_CHARACTERS) or "Your query"
    marker = Query(x, y, label, tuple(row for row in rows if row is not None))
    return PlacedQuery(document, marker, near)


def compared(placed: PlacedQuery, other: PlacedQuery, shown: exports.MapPoints) -> PlacedQuery:
    """Return the query on one of two maps; each neighbour says whether the other encoder finds it too."""
    there = {neighbour.document.id for neighbour in other.near}
    near = tuple(replace(neighbour, shared=neighbour.document.id in there) for neighbour in placed.near)
    apart = (shown.row_of(neighbour.document.id) for neighbour in near if not neighbour.shared)
    marker = replace(placed.marker, apart=tuple(row for row in apart if row is not None))
    return PlacedQuery(placed.document, marker, near)


def query_panel(document: Document) -> None:
    """Draw the query document."""
    with st.container(border=True, key="map-query", gap="small"):
        show(element("p", "The query (star on the map)", class_="ps-label"))
        show(head(document))
        label, icon = "Find what is near", ":material/search:"
        st.button(label, key="query-search", icon=icon, on_click=session.go_to, args=("search",))


def neighbours_panel(placed: PlacedQuery, *, title: str, key: str) -> None:
    """Draw how well a picture shows the query's neighbourhood, and its neighbours, numbered as on the map."""
    with st.container(border=True, key=f"map-{key}", gap="small"):
        st.header(title, anchor=False)
        show(element("p", kept_sentence(placed.near), class_="ps-quiet"))
        with st.container(height=420, border=False, key=f"map-{key}-scroll"):
            for neighbour in placed.near:
                with st.container(key=f"{key}-{neighbour.rank}", gap=None):
                    show(_row(neighbour))
                    with st.container(horizontal=True, gap="small"):
                        _buttons(neighbour, key=key)
            name_groups(key, {f"{key}-{one.rank}": f"Neighbour {one.rank}: {one.document.name}" for one in placed.near})


def make_query(id_: str) -> None:
    """Make a document of the library the query; used as a button's callback."""
    session.attempt(lambda: drafts.ask(drafts.from_library(id_)))


def point_at(id_: str) -> None:
    """Point at a document, or at none with an empty id."""
    session.update(selected=id_)


def choose_query(shown: exports.MapPoints, *, has_query: bool) -> None:
    """Draw the choice of a document of the library by its title, or of one of our examples."""
    with st.popover("Place a document", icon=":material/star:", key="map-query-choice", help=_WHERE):
        if not has_query:
            show(element("p", _WAYS, class_="ps-quiet"))
        _by_title(shown)
        found = examples()
        _choose("Or an example", {name: one.title for name, one in found.items()}, "map-example", drafts.from_example)
        if has_query:
            st.button("Take the query off the map", key="map-forget", on_click=session.forget_query)


def _by_title(shown: exports.MapPoints) -> None:
    words = st.text_input("Words of a title", key="map-words", icon=":material/search:")
    if not words:
        return
    wanted = words.lower().split()
    rows = [row for row, title in enumerate(shown.titles) if all(word in title.lower() for word in wanted)]
    if not rows:
        show(element("p", "No title on the map holds all of these words.", class_="ps-quiet"))
        return
    label = f"{len(rows):,} titles match" if len(rows) > 1 else "One title matches"
    titles = {shown.ids[row]: shown.titles[row] or UNTITLED for row in rows[:_MATCHES]}
    _choose(label, titles, "map-match", drafts.from_library)


def _choose(label: str, titles: Mapping[str, str], key: str, read: Callable[[str], Draft]) -> None:
    """Draw a list of titles; the document of the one that is chosen becomes the query."""

    def chosen() -> None:
        if name := st.session_state[key]:
            session.attempt(lambda: drafts.ask(read(name)))

    name = titles.__getitem__
    st.selectbox(label, list(titles), index=None, format_func=name, key=key, placeholder="Choose one", on_change=chosen)


def _true_neighbours(document: Document, name: str, shown: exports.MapPoints) -> list[Hit]:
    """Return the nearest documents on the map by the encoder, without the query itself and its other versions."""
    itself = handles.library().duplicates_of(document) | {document.id}
    row = handles.workspace().encoder(name).encode_queries([document])
    found = handles.workspace().exact_index(name).search(row, shown.neighbours + len(itself) + shown.missing)[0]
    return [hit for hit in found if hit.id not in itself and shown.row_of(hit.id) is not None][: shown.neighbours]


@dataclass(frozen=True, slots=True)
class Near:
    """One true neighbour; `here` says whether it is also among the nearest points of the picture.

    `shared` says whether the encoder of the other map finds it too; None without another map.
    """

    rank: int
    document: Document
    reading: Reading
    here: bool
    shared: bool | None = None


def trust_sentence(kept: float, trustworthiness: float, *, neighbours: int, documents: int) -> str:
    """Say how far to trust the picture, in one sentence."""
    if documents < _FEWEST:
        return "There is too little on it to say how far it can be believed."
    return (
        f"This picture keeps {in_percent(kept)} of each document's {neighbours} nearest neighbours; "
        f"trustworthiness {trustworthiness:.2f}."
    )


def trust_help(neighbours: int, documents: int) -> str:
    """Explain the two figures of `trust_sentence`."""
    chance = neighbours / max(neighbours, documents - 1)  # of a document's neighbours among the others
    return (
        "A flat picture of many-dimensional texts must tear some neighbours apart. For every document we took its "
        f"{neighbours} nearest neighbours by the encoder and counted how many are also among its {neighbours} nearest "
        f"points here: that is the share kept. A picture at random would keep {in_percent(chance, 1)}. "
        "Trustworthiness (0 to 1) is the other side: 1 means that nothing looks near here which is not near in truth; "
        "0.5 is chance. So read the map for regions, and the list and the lines for neighbours."
    )


def kept_sentence(near: Sequence[Near]) -> str:
    """Say how many of the query's true neighbours are near it on the picture."""
    if not near:
        return "This encoder finds nothing like it here, so it has no neighbours."
    here = sum(neighbour.here for neighbour in near)
    return f"{here} of its {len(near)} true neighbours are also among the {len(near)} nearest points here."


def _row(neighbour: Near) -> Markup:
    document = neighbour.document
    facts = [KIND_NAMES.get(document.kind, document.kind), *([str(document.year)] if document.year else [])]
    where = "also near here" if neighbour.here else "drawn further off"
    title = element("div", typeset(document.name), class_="ps-near-title")
    texts = " · ".join([*facts, where, *(["in both lists"] if neighbour.shared else [])])
    meta = element("div", texts, class_="ps-quiet", title="Kind, year, and where the picture shows it")
    number = element(
        "div", str(neighbour.rank), class_="ps-near-rank", role="img", aria_label=f"Neighbour {neighbour.rank}"
    )
    body = element("div", title, reading_line(neighbour.reading), meta)
    return element("div", number, body, class_="ps-near ps-near-both" if neighbour.shared else "ps-near")


def _buttons(neighbour: Near, *, key: str) -> None:
    id_, rank = neighbour.document.id, neighbour.rank
    for label, name, act, help_ in (
        ("Point at it", "show", point_at, f"Mark neighbour {rank} on the map and read its abstract"),
        ("Show its neighbours", "ask", make_query, f"Make neighbour {rank} the query of this map"),
    ):
        st.button(label, key=f"{key}-{name}-{rank}", type="tertiary", on_click=act, args=(id_,), help=help_)
