"""One encoder's map on the page: drawn in the background, opened, shown with the query in its place.

What is drawn goes to the scripts of a scatter, which keep points and zoom: a keyed chart of a plotting library is built
again on every change and forgets the zoom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, cast

import streamlit as st

from engine import exports, maps
from engine.core.errors import EngineError
from engine.core.progress import Report
from engine.documents import Document, text
from engine.documents.text import how_many
from engine.documents.words import terms
from engine.exports import CANVAS, SCRIPTS, Found, PackedPlace, Settings, row_bits
from engine.library import Filters
from engine.workspace import encoding_key
from explorer.map.query import PlacedQuery, place_query
from explorer.shared import notices
from explorer.shared.encoder import reading_cost
from explorer.shared.markup import component
from explorer.shared.options import FILTERED_KINDS, limit_years
from explorer.state import background, compared, drafts, handles, session
from explorer.state.handles import encoder_name, short
from explorer.state.visit import MapLabels, Visit

LAST_YEAR = 9999
WORDS_CHARACTERS = 500
"""What is read of the words typed over the map."""
_WORDS = "map_words"
_LEVELS: dict[MapLabels, str | int] = {"auto": "auto", "regions": 0, "topics": 1, "details": 2, "none": "none"}
_LINKED = " What is pointed at or selected here is marked on the other map, too."


@dataclass(frozen=True, slots=True)
class OpenMap:
    """A map with its points, and the query on it; `key` tells the maps of a page apart."""

    name: str
    key: str
    library_map: maps.LibraryMap
    shown: exports.MapPoints
    placed: PlacedQuery | None = None


def open_or_offer_map(name: str, *, key: str, grouped_by: str = "") -> OpenMap | None:
    """Open an encoder's map; where it is missing or damaged, offer to draw it and return None."""
    if not handles.workspace().is_mapped(name):
        offer_map(name, key=key)
        return None
    try:
        return OpenMap(name, key, handles.workspace().library_map(name), map_points(name, grouped_by=grouped_by))
    except EngineError as error:
        notices.problem(str(error))
        redraw_button(name, key=key)
        return None


def put_query_on(opened: OpenMap, query: Document | None) -> OpenMap:
    """Put the query on the map; if the encoder knows none of its words, say so and go on without it."""
    if query is None:
        return opened
    try:
        return replace(opened, placed=place_query(query, opened.name, opened.shown))
    except EngineError as error:
        notices.problem(f"{short(opened.name)}: {error}")
        return opened


def picture(opened: OpenMap, visit: Visit, *, place: PackedPlace = "") -> None:
    """Draw the points with the visit's settings; what the visitor does on the map is taken before the page runs."""
    shown, key, count = opened.shown, opened.key, opened.shown.packed.count

    def sent(name: str) -> object:
        return st.session_state[key].get(name)

    def picked() -> None:
        if (row := _row(sent("picked"), count)) is not None:
            session.update(selected=shown.ids[row])

    def selected() -> None:
        select_documents(shown.ids[row] for row in _rows(sent("selected"), count))

    def put_in_pair() -> None:
        rows = _rows(sent("compared"), count)
        if len(rows) == 2:
            found = [drafts.from_library(shown.ids[row]) for row in rows]
            session.go_to("compare", lambda: compared.choose_both(*found))

    def searched() -> None:
        words = sent("searched")
        st.session_state[_WORDS] = words[:WORDS_CHARACTERS].strip() if isinstance(words, str) else ""

    def limited() -> None:
        limit_years(*(_years(sent("years")) or (0, LAST_YEAR)))

    _component()(
        key=key,
        data=asdict(_settings(opened, visit, place)) | {"points": shown.packed.key},
        on_selected_change=selected,
        on_picked_change=picked,
        on_compared_change=partial(session.attempt, put_in_pair),
        on_searched_change=searched,
        on_years_change=limited,
    )
    send_points(shown.packed.data, key=f"{key}-points")


def _settings(opened: OpenMap, visit: Visit, place: PackedPlace) -> Settings:
    """Return a map's settings from the visit, with the query, the selection, and what holds the words typed over it."""
    shown, filters, ids = opened.shown, visit.filters, selected_ids()
    kinds = tuple(number for number, kind in enumerate(FILTERED_KINDS) if kind in filters.kinds) or None
    years = None
    if filters.year_from is not None or filters.year_to is not None:
        years = (filters.year_from or 1, filters.year_to or LAST_YEAR)
    unknown = replace(filters, kinds=frozenset(), year_from=None, year_to=None)  # to the browser
    passing = None if unknown == Filters() else handles.library().selection(unknown)
    return Settings(
        colour=visit.colour,
        level=_LEVELS[visit.labels],
        years=years,
        kinds=kinds,
        passing=None if passing is None else row_bits(map(passing.__contains__, shown.ids)),
        focus=shown.row_of(visit.selected) if visit.selected else None,
        linked=place,
        pairs=True,
        selected=row_bits(id_ in ids for id_ in shown.ids) if ids else None,
        found=_found(shown),
        query=opened.placed.marker if opened.placed is not None else None,
        description=(
            f"Map of {shown.packed.count:,} documents under the encoder {short(opened.name)}; near points have similar "
            "texts. Arrow keys move it, plus and minus zoom, 0 shows all. Enter opens the document nearest to the "
            "middle, C takes it to compare with the next one, Space selects what is in view, Escape drops what was "
            "taken or selected. Neighbours and clusters also stand as lists on this page."
            f"{_LINKED if place else ''}"
        ),
    )


def age(opened: OpenMap) -> None:
    """Documents that came after the map was drawn, and the button to draw it again."""
    library_map, late = opened.library_map, list(opened.library_map.notes)
    if library_map.later_count:
        count = how_many(library_map.later_count, "document")
        late.append(f"{count} came after this map was drawn, put among true neighbours.")
    if opened.shown.missing:
        count = how_many(opened.shown.missing, "document")
        late.append(f"{count} without a vector under this encoder: not on the map.")
    if not late:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        notices.note(" ".join(late))
        redraw_button(opened.name, key=opened.key)


def _found(shown: exports.MapPoints) -> Found | None:
    """Return the documents that hold all the words that the visitor sent, in any form, wherever they stand."""
    words = st.session_state.get(_WORDS, "")
    told = words.split()
    asked = [word for word in told if word.lower() not in text.STOP_WORDS] or told
    if not terms(words):
        return None
    ids = frozenset.intersection(*handles.library().keywords.holders(asked))
    rows = [id_ in ids for id_ in shown.ids]
    return Found(words, row_bits(rows), sum(rows))


def map_points(name: str, *, grouped_by: str = "") -> exports.MapPoints:
    """Join an encoder's map with the library's facts; the groups may be those of another encoder's map.

    Raises StorageError or MapError as `Workspace.library_map` does.
    """

    def joined(drawn: maps.LibraryMap) -> exports.MapPoints:
        groups = handles.workspace().library_map(grouped_by) if grouped_by else None
        return exports.MapPoints.of(drawn, handles.library().summaries(), groups=groups)

    with st.spinner("Reading the map"):
        return handles.workspace().of_map(encoder_name(name), ("points", grouped_by), joined)


def selected_ids() -> frozenset[str]:
    """Return the ids of the documents that this visitor has selected; they stay so when another map is shown."""
    return cast(frozenset[str], st.session_state.get("map_selection", frozenset()))


def select_documents(ids: Iterable[str]) -> None:
    """Make documents the selection; none drops it."""
    st.session_state["map_selection"] = frozenset(ids)


def offer_map(name: str, *, key: str) -> None:
    """Offer to draw the first map under this encoder, and say what it takes; or say that it is asked for."""
    if any(job.key == encoding_key(name, "map") for job in background.in_line()):
        notices.empty_state(
            f"No map under {short(name)} yet",
            "Its drawing stands in the line at the top of this page, which says how far the work has come.",
        )
        return
    notices.empty_state(
        "No map drawn yet",
        f"A map of your {how_many(len(handles.library()), 'document')} under the encoder {short(name)} is drawn once "
        "and kept. That takes a few seconds to a few minutes, and you see how far it has come; new queries are then "
        "placed on it without moving anything.",
    )
    if not handles.workspace().has_vectors(name):
        with st.container(key=f"reading-{key}"):
            reading_cost(name)
    with st.container(horizontal=True, horizontal_alignment="center"):
        if st.button("Draw the map", type="primary", icon=":material/scatter_plot:", key=f"draw-{key}"):
            _draw(name)


def redraw_button(name: str, *, key: str) -> None:
    """Draw the map of this encoder again."""
    if st.button("Draw it again", key=f"redraw-{key}", icon=":material/refresh:"):
        _draw(name)


def _draw(name: str) -> None:
    """Draw in the background; the page shows the progress."""

    def work(report: Report) -> str:
        handles.workspace().draw_map(name, report=report)
        return f"The map under {short(name)} is drawn."

    background.ask(f"Drawing the map under {short(name)}", work, key=encoding_key(name, "map"))


def send_points(data: bytes, *, key: str) -> None:
    """Give the maps of the page what `pack` or `link_to` made; the page's style hides the element."""
    _component()(key=key, data=data, height=1)


def _component() -> Callable[..., Any]:
    return component("map", CANVAS, *SCRIPTS, "mount.js", style="map.css")


def _rows(value: object, count: int) -> tuple[int, ...]:
    """Rows that the browser sent, each once and within the map; anything else is left out."""
    if not isinstance(value, list):
        return ()
    rows = (_row(item, count) for item in value)
    return tuple(dict.fromkeys(row for row in rows if row is not None))


def _row(value: object, count: int) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < count else None


def _years(value: object) -> tuple[int, int] | None:
    """Return the first and last year that the browser sent; anything but two years in order lets all through."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    low, high = (_row(year, LAST_YEAR + 1) for year in value)
    return None if low is None or high is None or low > high else (low, high)
