"""The map page: the library as a picture, alone or beside a second one, and how far to trust it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine import encoders, exports, maps
from engine.documents import Document
from engine.documents.markup import Markup, element, joined
from engine.documents.text import in_percent
from engine.exports import PackedPlace
from explorer import ASSETS
from explorer.map import controls, panel
from explorer.map.cluster_table import cluster_table
from explorer.map.document import picked_out, tables
from explorer.map.query import (
    PlacedQuery,
    choose_query,
    compared,
    neighbours_panel,
    query_panel,
    trust_help,
    trust_sentence,
)
from explorer.shared import notices
from explorer.shared.bring import restored_query
from explorer.shared.encoder import choice_card
from explorer.shared.markup import show
from explorer.shared.options import drop_idle_years
from explorer.shared.widgets import download_button, table_downloads
from explorer.state import background, handles, session
from explorer.state.handles import encoder_beside, encoder_name, short
from explorer.state.visit import Visit

LEAD = "The same documents under two encoders. What you point at or select on one map is marked on the other."
_LEAD = "Each point is a document, and similar texts lie together."
_MAP, _BESIDE = "map", "map-beside"


def draw() -> None:
    """Draw the page for what this visitor has chosen so far."""
    visit = session.current()
    st.html(ASSETS / "map.css")
    bar = st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="map-controls")
    with bar:
        st.title("Map", anchor=False)
    news = st.container(key="map-news")  # always there: were the map to move down, the browser would rebuild it
    with news:
        notices.show_told()
    with notices.shown_errors():
        if len(handles.library()) == 0:
            _no_library()
        else:
            with news:
                drop_idle_years()
            _maps(session.current(), bar)
    session.write_link()
    name = encoder_name(visit.encoder)
    if not background.is_busy() and handles.workspace().is_mapped(name):
        handles.workspace().warm(name)  # the map works without the encoder; the first document to place loads it


def _no_library() -> None:
    """Say what to do without anything to draw."""
    notices.empty_state(
        "Your library is empty",
        "A map needs documents. Get the sample library of 26,000 papers and patents, or import your own files.",
    )
    with st.container(horizontal=True, horizontal_alignment="center"):
        label, icon = "Go to the library", ":material/local_library:"
        st.button(label, type="primary", icon=icon, key="to-library", on_click=session.go_to, args=("library",))


def _maps(visit: Visit, bar: DeltaGenerator) -> None:
    name = encoder_name(visit.encoder)
    if not handles.workspace().is_mapped(name):
        with bar:
            controls.encoder_choice(visit)
        show(choice_card(name))
        panel.offer_map(name, key=_MAP)  # not asked again: a job may have drawn the map by now
        return
    first = panel.open_or_offer_map(name, key=_MAP)
    if first is None:
        return
    query = restored_query(visit)
    first = panel.put_query_on(first, query)
    with bar:
        controls.view_controls(visit)
        choose_query(first.shown, has_query=first.placed is not None)
    if beside := encoder_beside(visit.beside, visit.encoder):
        _two(first, beside, query)
    else:
        _one(first)


def _one(opened: panel.OpenMap) -> None:
    """Draw one map in the whole width; what was picked or placed stands beside it."""
    visit = session.current()
    with st.container(key="map-stage"):
        left, right = st.columns([2.6, 1], gap="medium")  # always both: were the map to move, it would be built again
        with left:
            panel.picture(opened, visit)
            _trust(opened)
            panel.age(opened)
        with right:
            picked_out(visit.selected, [opened])
            if opened.placed is not None:
                query_panel(opened.placed.document)
                neighbours_panel(opened.placed, title="Its true neighbours", key="near")
            elif not session.current().selected and not panel.selected_ids():
                show(element("div", class_="ps-nothing"))  # the style sheet gives the map this column's room
    cluster_table(opened.name)


def _trust(opened: panel.OpenMap) -> None:
    """Say what the picture is and how far to trust it, in one quiet line."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="map-trust"):
        show(element("p", f"{_LEAD} {_trust_sentence(opened)}", class_="ps-map-lead"))
        with st.popover("What does that mean?", type="tertiary", key="map-trust-help"):
            show(element("p", trust_help(opened.shown.counted, opened.shown.fitted)))
            show(choice_card(opened.name))
        _downloads(opened)


def _trust_sentence(opened: panel.OpenMap) -> str:
    drawn, shown = opened.library_map, opened.shown
    return trust_sentence(drawn.kept, drawn.trustworthiness, neighbours=shown.counted, documents=shown.fitted)


def _downloads(opened: panel.OpenMap) -> None:
    """Offer the whole map as files, each made when its button is pressed."""

    def page() -> bytes:
        drawn = opened.library_map
        caption = exports.Caption(encoders.label(opened.name), drawn.kept, drawn.trustworthiness, date.today())
        return exports.map_page(opened.shown, caption).encode()

    with st.popover("Download", icon=":material/download:", key="map-files", help="The whole map, as a file"):
        help_ = "One HTML file with zoom, titles, labels and search; it needs no network"
        label, name = "The map, to open in any browser", "priorscope-map.html"
        download_button(label, page, name, key="map-html", width="stretch", help=help_)
        table_downloads(tables(opened.name), stem="priorscope-map", key="map")


def _two(first: panel.OpenMap, beside: str, query: Document | None) -> None:
    """Draw two maps side by side, with what concerns both above, the rest below."""
    visit = session.current()
    above = st.container()
    left, right = st.columns(2, gap="medium")
    with right:
        second = panel.open_or_offer_map(beside, key=_BESIDE, grouped_by=first.name)
        if second is not None:
            second = panel.put_query_on(second, query)
            if first.placed is not None and second.placed is not None:  # which both find is told apart
                ours, theirs = first.placed, second.placed
                first = replace(first, placed=compared(ours, theirs, first.shown))
                second = replace(second, placed=compared(theirs, ours, second.shown))
            half(second, visit, place="second")
    with left:
        half(first, visit, place="first" if second else "")
    with above:
        lead(first, second)
    if second is not None:
        one, other = first.shown, second.shown
        what = ("link", one.packed.key, second.name, other.packed.key)  # packed once for these two
        pack = lambda _: one.link_to(other)  # noqa: E731
        panel.send_points(handles.workspace().of_map(first.name, what, pack), key="map-link")
    draw_details(first, second, visit)


def agreement_sentence(found: maps.EncoderAgreement, first: PlacedQuery | None, second: PlacedQuery | None) -> Markup:
    """Say which share of nearest neighbours both encoders find, on average and for the query."""
    parts = []
    if found.sampled:
        share = element("strong", in_percent(found.shared))
        parts.append(joined(["The two share ", share, f" of a document’s {found.neighbours} nearest neighbours"]))
    if first is not None and second is not None:
        both = sum(bool(neighbour.shared) for neighbour in first.near)
        number = element("strong", f"{both} of {max(len(first.near), len(second.near))}")
        parts.append(joined([", and of the query’s " if parts else "Of the query’s nearest the two share ", number]))
    return joined([*parts, "."]) if parts else joined([])


def agreement_help(found: maps.EncoderAgreement) -> str:
    """Explain the first figure of `agreement_sentence`."""
    return (
        f"How far the encoders agree: we took {found.sampled:,} documents of your library by chance, always the same, "
        f"and counted how many of the {found.neighbours} nearest neighbours by one encoder are also among the "
        f"{found.neighbours} nearest by the other. Encoders with nothing in common would share "
        f"{in_percent(found.chance, 1)}. This is measured on the texts, not on the pictures. Solid lines lead from the "
        "query to neighbours that both encoders find, dashed lines to those that only this map’s encoder finds. Both "
        "maps wear the cluster colours of the first, so that you see where its clusters went."
    )


def lead(first: panel.OpenMap, second: panel.OpenMap | None) -> None:
    """Say how to read the maps, and how far the two encoders agree."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="map-trust"):
        if second is None:
            show(element("p", LEAD, class_="ps-map-lead"))
            return
        with st.spinner("Comparing the encoders"):
            found = handles.workspace().agreement(first.name, second.name)
        words = agreement_sentence(found, first.placed, second.placed)
        show(element("p", LEAD, " ", words, class_="ps-map-lead"))
        with st.popover("What does that mean?", type="tertiary", key="map-trust-help"):
            show(element("p", agreement_help(found)))
            show(element("p", trust_help(first.shown.counted, first.shown.fitted)))


def half(opened: panel.OpenMap, visit: Visit, *, place: PackedPlace) -> None:
    """Draw one of the two maps under its encoder's name, with its own trust figure."""
    title, trust = element("h2", encoders.label(opened.name)), element("p", _trust_sentence(opened), class_="ps-quiet")
    show(element("div", title, trust, class_="ps-map-name"))
    panel.picture(opened, visit, place=place)
    summary = handles.workspace().encoder_card(opened.name).summary
    show(element("p", summary, class_="ps-quiet"))  # below, so that the maps stay level
    panel.age(opened)


def draw_details(first: panel.OpenMap, second: panel.OpenMap | None, visit: Visit) -> None:
    """Under the maps: picked documents, the query and its neighbours under either encoder, and the clusters."""
    drawn = [opened for opened in (first, second) if opened is not None]
    placed = [(opened, opened.placed) for opened in drawn if opened.placed is not None]
    columns = st.columns(1 + len(placed), gap="medium") if placed else [st.container()]
    with columns[0]:
        picked_out(visit.selected, drawn)
        if placed:
            query_panel(placed[0][1].document)
    for column, (opened, query) in zip(columns[1:], placed, strict=False):
        title, key = f"Nearest by {short(opened.name)}", "near" if opened is first else "near-beside"
        with column:
            neighbours_panel(query, title=title, key=key)
    for opened in drawn:
        cluster_table(opened.name, of=f" under {short(opened.name)}")


if __name__ == "__main__":
    draw()
