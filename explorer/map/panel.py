"""One encoder's map on the page: opened, drawn with the query in its place, and what it lacks by age."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from engine.core.errors import EngineError
from engine.documents import Document, text
from engine.exports import Found, PackedPlace, row_bits
from explorer.map import controls, drawing
from explorer.map.query import PlacedQuery, place_query
from explorer.map.scatter import LAST_YEAR, Reactions, scatter
from explorer.shared import notices, selection
from explorer.shared.options import limit_years
from explorer.state import compared, drafts, handles, session
from explorer.state.encoder_names import encoder_name, short
from explorer.state.links import Visit

if TYPE_CHECKING:
    from engine.exports import MapPoints
    from engine.maps import LibraryMap

_WORDS, _TO_COMPARE = "map_words", "map_to_compare"


@dataclass(frozen=True, slots=True)
class OpenMap:
    """A map with its points, and the query on it; `key` tells the maps of a page apart."""

    name: str
    key: str
    library_map: LibraryMap
    shown: MapPoints
    placed: PlacedQuery | None = None


def open_map(name: str, *, key: str, grouped_by: str = "") -> OpenMap | None:
    """Open an encoder's map; where it is missing or damaged, offer to draw it and return None."""
    if not handles.is_mapped(name):
        drawing.offer(name, key=key)
        return None
    try:
        return OpenMap(name, key, handles.library_map(name), map_points(name, grouped_by=grouped_by))
    except EngineError as error:
        notices.problem(str(error))
        drawing.redraw_button(name, key=key)
        return None


def with_query(opened: OpenMap, query: Document | None) -> OpenMap:
    """Put the query on the map; if the encoder knows none of its words, say so and go on without it."""
    if query is None:
        return opened
    try:
        return replace(opened, placed=place_query(query, opened.name, opened.shown))
    except EngineError as error:
        notices.problem(f"{short(opened.name)}: {error}")
        return opened


def picture(opened: OpenMap, visit: Visit, *, place: PackedPlace = "") -> None:
    """Draw the points with the visit's settings."""
    shown = opened.shown
    settings = controls.settings(visit, shown, name=opened.name, place=place)
    settings = replace(settings, selected=_selected_bits(shown), found=_found(shown))
    if opened.placed is not None:
        settings = replace(settings, query=opened.placed.marker)
    scatter(shown.packed, settings, key=opened.key, react=_reactions(shown))


def age(opened: OpenMap) -> None:
    """Documents that came after the map was drawn, and the button to draw it again."""
    library_map, late = opened.library_map, list(opened.library_map.notes)
    if library_map.later_count:
        count = drawing.documents(library_map.later_count)
        late.append(f"{count} came after this map was drawn, put among true neighbours.")
    if opened.shown.missing:
        count = drawing.documents(opened.shown.missing)
        late.append(f"{count} without a vector under this encoder: not on the map.")
    if not late:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        notices.note(" ".join(late))
        drawing.redraw_button(opened.name, key=opened.key)


def _reactions(shown: MapPoints) -> Reactions:
    return Reactions(
        pick=lambda row: session.update(selected=shown.ids[row]),
        select=lambda rows: selection.hold(shown.ids[row] for row in rows),
        compare=lambda row, other: _compare(shown.ids[row], shown.ids[other]),
        search=_search,
        limit=_limit,
    )


def _compare(first: str, second: str) -> None:
    """Put two documents on the Compare page, which the page opens where that is done."""

    def put() -> None:
        compared.choose_both(drafts.from_library(first), drafts.from_library(second))
        st.session_state[_TO_COMPARE] = True

    session.attempt(put)


def go_to_comparison() -> None:
    """Open the Compare page if two documents of the map were put on it."""
    if st.session_state.pop(_TO_COMPARE, False):
        st.switch_page("explorer/compare/view.py")


def _search(words: str) -> None:
    """Keep words for which the library's keywords are asked; none forgets them."""
    st.session_state[_WORDS] = words.strip()


def _limit(years: tuple[int, int] | None) -> None:
    limit_years(*(years or (0, LAST_YEAR)))


def _found(shown: MapPoints) -> Found | None:
    """The documents that hold all the words that the visitor sent, in any form, wherever they stand."""
    words = st.session_state.get(_WORDS, "")
    tokens = text.tokens(words)
    asked = [token for token in tokens if token not in text.STOP_WORDS] or tokens
    if not asked:
        return None
    ids = frozenset.intersection(*handles.library().keywords.holders(asked))
    rows = [id_ in ids for id_ in shown.ids]
    return Found(words, row_bits(rows), sum(rows))


def _selected_bits(shown: MapPoints) -> str | None:
    ids = selection.held()
    return row_bits(id_ in ids for id_ in shown.ids) if ids else None


def map_points(name: str, *, grouped_by: str = "") -> MapPoints:
    """An encoder's map joined with the library's facts; the groups may be those of another encoder's map.

    Raises StorageError or MapError as `handles.library_map` does.
    """
    from engine.exports import join  # brings numpy

    def joined(drawn: LibraryMap) -> MapPoints:
        groups = handles.library_map(grouped_by) if grouped_by else None
        return join(drawn, handles.library().summaries(), groups=groups)

    with st.spinner("Reading the map"):
        return handles.workspace().of_map(encoder_name(name), ("points", grouped_by), joined)
