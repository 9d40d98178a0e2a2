"""The map page: the library as a picture, the query in its place, and how far to trust the picture."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from engine.documents import Document
from engine.documents.markup import element
from explorer.map import controls, drawing, pair
from explorer.map.cluster_table import cluster_table
from explorer.map.document import ask, picked_out, point_at, tables
from explorer.map.panel import OpenMap, age, go_to_comparison, open_map, picture, with_query
from explorer.map.query import choose_query, neighbours_panel, query_panel
from explorer.shared import notices, selection
from explorer.shared.design import ASSETS
from explorer.shared.downloads import table_downloads
from explorer.shared.encoder_choice import choice_card
from explorer.shared.markup import show
from explorer.shared.neighbours import trust_help, trust_sentence
from explorer.shared.options import drop_idle_years
from explorer.shared.restored import restored_query
from explorer.state import handles, jobs, session
from explorer.state.encoder_names import encoder_beside, encoder_name, spoken
from explorer.state.links import Visit

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

_LEAD = "Each point is a document, and similar texts lie together."
_MAP, _BESIDE = "map", "map-beside"


def draw() -> None:
    """Draw the page for what this visitor has chosen so far."""
    go_to_comparison()
    visit = session.current()
    st.html(ASSETS / "map.css")
    bar = st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="map-controls")
    with bar:
        st.title("Map", anchor=False)
    news = st.container(key="map-news")  # always there: were the map to move down, the browser would rebuild it
    with news:
        if sentence := session.told():
            notices.problem(sentence)
    with notices.shown_errors():
        if handles.document_count() == 0:
            _no_library()
        else:
            with news:
                drop_idle_years()
            _maps(session.current(), bar)
    session.write_link()
    if jobs.running() is None and handles.is_mapped(encoder_name(visit.encoder)):
        handles.warm(visit.encoder)  # the map works without the encoder; the first document to place loads it


def _no_library() -> None:
    """What to do without anything to draw."""
    notices.empty_state(
        "Your library is empty",
        "A map needs documents. Get the sample library of 26,000 papers and patents, or import your own files.",
    )
    with st.container(horizontal=True, horizontal_alignment="center"):
        if st.button("Go to the library", type="primary", icon=":material/local_library:", key="to-library"):
            st.switch_page("explorer/library/view.py")


def _maps(visit: Visit, bar: DeltaGenerator) -> None:
    name = encoder_name(visit.encoder)
    if not handles.is_mapped(name):
        with bar:
            controls.encoder_choice(visit)
        show(choice_card(name))
        drawing.offer(name, key=_MAP)  # not asked again: a job may have drawn the map by now
        return
    first = open_map(name, key=_MAP)
    if first is None:
        return
    query = restored_query(visit)
    first = with_query(first, query)
    with bar:
        controls.view_controls(visit, first.shown)
        choose_query(first.shown, on_ask=ask, has_query=first.placed is not None)
    if beside := encoder_beside(visit.beside, visit.encoder):
        _two(first, beside, query)
    else:
        _one(first)


def _one(opened: OpenMap) -> None:
    """One map in the whole width; what was picked or placed stands beside it."""
    visit = session.current()
    with st.container(key="map-stage"):
        left, right = st.columns([2.6, 1], gap="medium")  # always both: were the map to move, it would be built again
        with left:
            picture(opened, visit)
            _trust(opened)
            age(opened)
        with right:
            picked_out(visit.selected, [opened])
            if opened.placed is not None:
                query_panel(opened.placed.document)
                neighbours_panel(opened.placed, title="Its true neighbours", key="near", on_ask=ask, on_show=point_at)
            elif not session.current().selected and not selection.held():
                show(element("div", class_="ps-nothing"))  # the style sheet gives the map this column's room
    cluster_table(opened.name)


def _trust(opened: OpenMap) -> None:
    """What the picture is and how far to trust it, in one quiet line."""
    library_map, shown = opened.library_map, opened.shown
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="map-trust"):
        sentence = trust_sentence(
            library_map.kept, library_map.trustworthiness, neighbours=shown.counted, documents=shown.fitted
        )
        show(element("p", f"{_LEAD} {sentence}", class_="ps-map-lead"))
        with st.popover("What does that mean?", type="tertiary", key="map-trust-help"):
            show(element("p", trust_help(shown.counted, shown.fitted)))
            show(choice_card(opened.name))
        _downloads(opened)


def _downloads(opened: OpenMap) -> None:
    """The whole map as files, each made when its button is pressed."""
    with st.popover("Download", icon=":material/download:", key="map-files", help="The whole map, as a file"):
        st.download_button(
            "The map, to open in any browser",
            data=lambda: _page(opened).encode(),
            file_name="priorscope-map.html",
            mime="text/html",
            key="map-html",
            on_click="ignore",
            width="stretch",
            help="One HTML file with zoom, titles, labels and search; it needs no network",
        )
        table_downloads(tables(opened.name), stem="priorscope-map", key="map")


def _page(opened: OpenMap) -> str:
    from engine.exports import Caption, map_page

    drawn = opened.library_map
    caption = Caption(spoken(opened.name), drawn.kept, drawn.trustworthiness, date.today())
    return map_page(opened.shown, caption)


def _two(first: OpenMap, beside: str, query: Document | None) -> None:
    """Two maps side by side, with what concerns both above, the rest below."""
    visit = session.current()
    above = st.container()
    left, right = st.columns(2, gap="medium")
    with right:
        second = open_map(beside, key=_BESIDE, grouped_by=first.name)
        if second is not None:
            first, second = pair.with_shared(first, with_query(second, query))
            pair.half(second, visit, place="second")
    with left:
        pair.half(first, visit, place="first" if second else "")
    with above:
        pair.lead(first, second)
    if second is not None:
        pair.link(first, second)
    pair.details(first, second, visit)


if __name__ == "__main__":
    draw()
