"""The map page: the library as a picture, the query in its place, and how far to trust the picture."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import streamlit as st

from engine.documents import Document
from engine.errors import EngineError
from explorer import drafts, handles, jobs, session
from explorer.design import ASSETS
from explorer.session import Visit
from explorer.widgets import map_controls, notices
from explorer.widgets.cluster_table import cluster_table
from explorer.widgets.document import full_text, head
from explorer.widgets.map_query import PlacedQuery, choose_query, place_query, query_panel
from explorer.widgets.markup import element, show
from explorer.widgets.neighbours import trust_help, trust_sentence
from explorer.widgets.progress import job_panel
from explorer.widgets.scatter import Reaction, scatter
from explorer.widgets.selection import Selected, selection

if TYPE_CHECKING:
    from engine.atlas import Atlas
    from engine.progress import Report
    from explorer.widgets.map_points import MapPoints

_LEAD = "Each point is a document, and similar texts lie together."
_MAP = "map"


def draw() -> None:
    """Draw the page for what this visitor has chosen so far."""
    visit = session.current()
    st.html(ASSETS / "map.css")
    st.title("Map", anchor=False)
    with st.container(key="map-news"):  # always there: were the map to move down, the browser would build it anew
        busy = _news()
    with notices.shown_errors():
        if handles.document_count() == 0:
            _no_library()
        elif not handles.is_mapped(visit.encoder):
            _no_map(visit, busy=busy)
        else:
            _map(session.current(), busy=busy)
    session.write_link()


def _news() -> bool:
    """What went wrong in a callback, and how far the work in the background has come; returns whether any runs."""
    if sentence := session.told():
        notices.problem(sentence)
    return job_panel()


def _no_library() -> None:
    """What to do while there is nothing to draw."""
    notices.empty_state(
        "Your library is empty",
        "A map needs documents. Get the sample library of 26,000 papers and patents, or import your own files.",
    )
    with st.container(horizontal=True, horizontal_alignment="center"):
        if st.button("Go to the library", type="primary", icon=":material/local_library:", key="to-library"):
            st.switch_page("explorer/views/library.py")


def _no_map(visit: Visit, *, busy: bool) -> None:
    """There are documents and no map of them under this encoder yet."""
    with st.container(horizontal=True):
        map_controls.model_choice(visit)
    if busy:
        return
    name = handles.encoder_name(visit.encoder)
    notices.empty_state(
        "No map drawn yet",
        f"A map of your {_documents(handles.document_count())} under the encoder {name} is drawn once and kept. That "
        "takes from some seconds to a minute; new queries are then put in place without moving anything.",
    )
    with st.container(horizontal=True, horizontal_alignment="center"):
        if st.button("Draw the map", type="primary", icon=":material/scatter_plot:", key="draw-map"):
            _draw_anew(name)


def _redraw_button(visit: Visit, *, busy: bool) -> None:
    if st.button("Draw it anew", key="redraw-map", icon=":material/refresh:", disabled=busy):
        _draw_anew(handles.encoder_name(visit.encoder))


def _draw_anew(name: str) -> None:
    """Draw in the background; the page shows how far it has come."""

    def work(report: Report) -> str:
        handles.draw_map(name, report)
        return "The map is drawn."

    jobs.start(f"Drawing the map under {name}", work)
    st.rerun()


def _map(visit: Visit, *, busy: bool) -> None:
    try:
        atlas, shown = handles.atlas(visit.encoder), handles.map_points(visit.encoder)
    except EngineError as error:
        notices.problem(str(error))
        _redraw_button(visit, busy=busy)
        return
    with st.container():
        query = _query(visit)
    placed = place_query(query, visit, shown) if query is not None else None
    _trust(atlas, shown)
    left, right = st.columns([2.7, 1], gap="medium")
    with left:
        reaction = _picture(visit, shown, placed)
        _age(atlas, shown, visit, busy=busy)
        cluster_table(shown.labels)
    with right:
        _side(visit, shown, placed, reaction)


def _query(visit: Visit) -> Document | None:
    """The query of this visit; where its link names a document that cannot be had, say so and go on without."""
    try:
        return drafts.restored(visit)
    except EngineError as error:
        notices.problem(str(error))
        session.forget_query()
        return None


def _trust(atlas: Atlas, shown: MapPoints) -> None:
    """What the picture is and how far to trust it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="map-trust"):
        sentence = trust_sentence(atlas.kept, atlas.trustworthiness, neighbours=shown.counted)
        show(element("p", _LEAD, " ", element("strong", sentence), class_="ps-map-lead"))
        with st.popover("What does that mean?", type="tertiary", key="map-trust-help"):
            show(element("p", trust_help(shown.counted, shown.packed.count)))


def _age(atlas: Atlas, shown: MapPoints, visit: Visit, *, busy: bool) -> None:
    """Documents that came after the map was drawn, and the way to draw it anew."""
    late = list(atlas.notes)
    if atlas.placed_count:
        late.append(f"{_documents(atlas.placed_count)} came after this map was drawn, put among true neighbours.")
    if shown.missing:
        late.append(f"{_documents(shown.missing)} without a vector under this encoder: not on the map.")
    if not late:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        notices.note(" ".join(late))
        _redraw_button(visit, busy=busy)


def _documents(count: int) -> str:
    return f"{count:,} document{'' if count == 1 else 's'}"


def _picture(visit: Visit, shown: MapPoints, placed: PlacedQuery | None) -> Reaction:
    map_controls.view_controls(visit)
    settings = map_controls.settings(visit, shown)
    if placed is not None:
        settings = dataclasses.replace(settings, query=placed.marker)
    reaction = scatter(shown.packed, settings, key=_MAP, on_pick=lambda row: session.update(selected=shown.ids[row]))
    map_controls.filter_controls(visit, shown)
    return reaction


def _side(visit: Visit, shown: MapPoints, placed: PlacedQuery | None, reaction: Reaction) -> None:
    if reaction.selected:
        ids = [shown.ids[row] for row in reaction.selected]
        titles = [shown.titles[row] for row in reaction.selected]
        selection(Selected(ids, titles, handles.library().get), on_clear=_clear_selection)
    if visit.selected:
        _pointed_at(visit.selected)
    if placed is not None:
        query_panel(placed, on_ask=_ask, on_show=_point_at)
    choose_query(shown, on_ask=_ask, has_query=placed is not None)


def _pointed_at(id_: str) -> None:
    """The document that was clicked on, or that a link points at."""
    try:
        document = handles.library().get([id_])[0]
    except EngineError as error:
        notices.problem(str(error))
        session.update(selected="")
        return
    with st.container(border=True, key="map-pointed", gap="small"):
        show(head(document))
        with st.container(horizontal=True, gap="small"):
            st.button("Make it the query", key="pointed-ask", type="primary", on_click=_ask, args=(id_,))
            st.button("Close", key="pointed-close", type="tertiary", on_click=_point_at, args=("",))
        with st.expander("Read it", key=f"pointed-{id_}", on_change="rerun") as reading:
            if reading.open:
                show(full_text(document))


def _ask(id_: str) -> None:
    """Make a document of the library the query; used as a button's callback."""
    try:
        drafts.ask(drafts.from_library(id_))
    except EngineError as error:
        session.tell(str(error))


def _point_at(id_: str) -> None:
    session.update(selected=id_)


def _clear_selection() -> None:
    st.session_state["map-clear"] = st.session_state.get("map-clear", 0) + 1


if __name__ == "__main__":
    draw()
