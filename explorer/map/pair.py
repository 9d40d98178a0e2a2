"""Two maps of the same documents, side by side: linked in the browser, compared in words."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from engine.documents.markup import element
from engine.exports import PackedPlace, pack_link
from explorer.map.agreement import LEAD, agreement_help, agreement_sentence
from explorer.map.cluster_table import cluster_table
from explorer.map.document import ask, picked_out, point_at
from explorer.map.panel import OpenMap, age, picture
from explorer.map.query import compared, neighbours_panel, query_panel
from explorer.map.scatter import send
from explorer.shared.encoder_facts import encoder_card
from explorer.shared.markup import show
from explorer.shared.neighbours import trust_help, trust_sentence
from explorer.state import handles
from explorer.state.encoder_names import short, spoken
from explorer.state.links import Visit


def with_shared(first: OpenMap, second: OpenMap) -> tuple[OpenMap, OpenMap]:
    """The two maps with the query's neighbours told apart: found by both encoders, or by one."""
    if first.placed is None or second.placed is None:
        return first, second
    return (
        replace(first, placed=compared(first.placed, second.placed, first.shown)),
        replace(second, placed=compared(second.placed, first.placed, second.shown)),
    )


def lead(first: OpenMap, second: OpenMap | None) -> None:
    """How to read the maps, and how far the two encoders agree."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="map-trust"):
        if second is None:
            show(element("p", LEAD, class_="ps-map-lead"))
            return
        found = handles.agreement(first.name, second.name)
        words = agreement_sentence(found, first.placed, second.placed)
        show(element("p", LEAD, " ", words, class_="ps-map-lead"))
        with st.popover("What does that mean?", type="tertiary", key="map-trust-help"):
            show(element("p", agreement_help(found)))
            show(element("p", trust_help(first.shown.counted, first.shown.fitted)))


def half(opened: OpenMap, visit: Visit, *, place: PackedPlace) -> None:
    """One of the two maps under its encoder's name, with its own trust figure."""
    library_map, shown = opened.library_map, opened.shown
    sentence = trust_sentence(
        library_map.kept, library_map.trustworthiness, neighbours=shown.counted, documents=shown.fitted
    )
    title = element("h2", spoken(opened.name))
    show(element("div", title, element("p", sentence, class_="ps-quiet"), class_="ps-map-name"))
    picture(opened, visit, place=place)
    show(element("p", encoder_card(opened.name).summary, class_="ps-quiet"))  # below, so that the maps stay level
    age(opened)


def link(first: OpenMap, second: OpenMap) -> None:
    """Tell the browser which points of the two maps are the same document; packed once for these two."""
    one, other = first.shown, second.shown
    what = ("link", one.packed.key, second.name, other.packed.key)
    found = handles.workspace().of_map(
        first.name, what, lambda _: pack_link(one.packed, other.packed, one.rows_in(other))
    )
    send(found, key="map-link")


def details(first: OpenMap, second: OpenMap | None, visit: Visit) -> None:
    """Under the maps: picked documents, the query and its neighbours under either encoder, and the clusters."""
    maps = [opened for opened in (first, second) if opened is not None]
    placed = [(opened, opened.placed) for opened in maps if opened.placed is not None]
    columns = st.columns(1 + len(placed), gap="medium") if placed else [st.container()]
    with columns[0]:
        picked_out(visit.selected, maps)
        if placed:
            query_panel(placed[0][1].document)
    for column, (opened, query) in zip(columns[1:], placed, strict=False):
        title, key = f"Nearest by {short(opened.name)}", "near" if opened is first else "near-beside"
        with column:
            neighbours_panel(query, title=title, key=key, on_ask=ask, on_show=point_at)
    for opened in maps:
        cluster_table(opened.name, of=f" under {short(opened.name)}")
