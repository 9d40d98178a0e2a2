"""What stands around the map: colours, labels, model, kinds and years."""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st

from explorer import handles, session
from explorer.session import COLOURS, LABELS, Labels, Visit
from explorer.widgets.map_points import MapPoints
from explorer.widgets.scatter import Settings

COLOUR_NAMES = {"cluster": "Cluster", "kind": "Kind", "year": "Year", "category": "Subject"}
LABEL_NAMES = {
    "auto": "Follow the zoom",
    "regions": "Regions (coarse)",
    "topics": "Topics",
    "details": "Details (fine)",
    "none": "No labels",
}
_LEVELS: dict[Labels, str | int] = {"auto": "auto", "regions": 0, "topics": 1, "details": 2, "none": "none"}
_KINDS = ("paper", "patent")
_KIND_NAMES = {"paper": "Papers", "patent": "Patents"}


def view_controls(visit: Visit) -> None:
    """Colour, labels and model, in one row above the map."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="map-controls"):
        _colour(visit)
        _labels(visit)
        model_choice(visit)


def model_choice(visit: Visit) -> None:
    """Each encoder has a map of its own."""
    st.session_state["map-encoder"] = handles.encoder_name(visit.encoder)
    st.selectbox(
        "Encoder",
        handles.encoder_names(),
        key="map-encoder",
        width=220,
        help="Decides which documents are near each other. Each encoder has a map of its own.",
        on_change=lambda: session.update(encoder=st.session_state["map-encoder"]),
    )


def filter_controls(visit: Visit, shown: MapPoints) -> None:
    """Kinds and years, in one row under the map; what does not fit them turns pale but keeps its place."""
    both = len(set(shown.kinds)) > 1
    bounds = shown.year_bounds()
    if not both and bounds is None:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large", key="map-filters"):
        if both:
            _kinds(visit)
        if bounds is not None:
            _years(visit, bounds)


def settings(visit: Visit, shown: MapPoints) -> Settings:
    """The map's settings that follow from the visit; the query is added by the page."""
    filters = visit.filters
    kinds = tuple(number for number, kind in enumerate(_KINDS) if kind in filters.kinds) or None
    years = None
    if filters.year_from is not None or filters.year_to is not None:
        years = (filters.year_from or 1, filters.year_to or 9999)
    return Settings(
        colour=visit.colour,
        level=_LEVELS[visit.labels],
        years=years,
        kinds=kinds,
        focus=shown.row_of(visit.selected) if visit.selected else None,
        description=(
            f"Map of {shown.packed.count:,} documents; near points have similar texts. Arrow keys move it, plus and "
            "minus zoom, 0 shows all, Escape drops the selection. Neighbours and clusters also stand as lists on this "
            "page."
        ),
        clear=st.session_state.get("map-clear", 0),
    )


def _colour(visit: Visit) -> None:
    st.session_state["map-colour"] = visit.colour
    st.segmented_control(
        "Colour by",
        COLOURS,
        required=True,
        format_func=lambda name: COLOUR_NAMES[name],
        key="map-colour",
        width="content",
        on_change=lambda: session.update(colour=st.session_state["map-colour"]),
    )


def _labels(visit: Visit) -> None:
    st.session_state["map-labels"] = visit.labels
    st.selectbox(
        "Labels",
        LABELS,
        format_func=lambda name: LABEL_NAMES[name],
        key="map-labels",
        width=190,
        help="The words that set a cluster apart from the others",
        on_change=lambda: session.update(labels=st.session_state["map-labels"]),
    )


def _kinds(visit: Visit) -> None:
    st.session_state["map-kinds"] = [kind for kind in _KINDS if kind in visit.filters.kinds]
    st.segmented_control(
        "Show",
        _KINDS,
        selection_mode="multi",
        format_func=lambda name: _KIND_NAMES[name],
        key="map-kinds",
        width="content",
        help="None chosen means both. Search uses the same choice.",
        on_change=lambda: _filter(kinds=frozenset(st.session_state["map-kinds"])),
    )


def _years(visit: Visit, bounds: tuple[int, int]) -> None:
    first, last = bounds
    low = min(last, max(first, visit.filters.year_from or first))
    high = max(low, min(last, visit.filters.year_to or last))
    st.session_state["map-years"] = (low, high)

    def changed() -> None:
        chosen = st.session_state["map-years"]
        _filter(
            year_from=chosen[0] if chosen[0] > first else None,
            year_to=chosen[1] if chosen[1] < last else None,
        )

    st.slider(
        "Years",
        first,
        last,
        key="map-years",
        on_change=changed,
        help="Documents outside these years, or without a year, turn pale. Search uses the same choice.",
    )


def _filter(**changes: Any) -> None:  # noqa: ANN401  the fields of Filters, checked by dataclasses.replace
    session.update(filters=dataclasses.replace(session.current().filters, **changes))
