"""The controls around the map: colours, labels, encoders, and the filters that it shares with the search."""

from __future__ import annotations

import streamlit as st

from engine import encoders
from explorer.shared import options
from explorer.shared.widgets import bind
from explorer.state import session
from explorer.state.handles import choice_label, encoder_beside, encoder_name
from explorer.state.visit import COLOURS, LABELS, Visit

COLOUR_NAMES = {"cluster": "Cluster", "kind": "Kind", "year": "Year", "category": "Subject"}
LABEL_NAMES = {
    "auto": "Follow the zoom",
    "regions": "Regions (coarse)",
    "topics": "Topics",
    "details": "Details (fine)",
    "none": "No labels",
}
_ENCODER_PIXELS = 250
_FILTERS_HELP = "What does not pass turns pale and keeps its place. Search uses the same filters."


def view_controls(visit: Visit) -> None:
    """Colour, labels, encoders and filters: in one line with the page's title where there is room."""
    _colour(visit)
    _labels(visit)
    encoder_choice(visit)
    _beside(visit)
    _filters(visit)


def encoder_choice(visit: Visit) -> None:
    """Draw the choice of an encoder; each has a map of its own."""
    before = encoder_name(visit.encoder)

    def chosen(name: str) -> None:
        beside = before if name == visit.beside else visit.beside  # the two change places
        session.update(encoder=name, beside=beside)

    bind(
        st.selectbox,
        "Encoder",
        encoders.search_names(),
        key="map-encoder",
        value=before,
        change=chosen,
        format_func=choice_label,
        width=_ENCODER_PIXELS,
        help="Decides which documents are near each other. Each encoder has a map of its own.",
    )


def _beside(visit: Visit) -> None:
    bind(
        st.selectbox,
        "Compare with",
        ["", *(name for name in encoders.search_names() if name != encoder_name(visit.encoder))],
        key="map-beside-encoder",
        value=encoder_beside(visit.beside, visit.encoder),
        change=lambda name: session.update(beside=name),
        format_func=lambda name: encoders.label(name) if name else "Nothing",
        width=_ENCODER_PIXELS,
        help="A second map of the same documents under another encoder. What you point at or select on one is marked "
        "on the other.",
    )


def _filters(visit: Visit) -> None:
    """Draw the filters behind a button, which says how many are set."""
    label, icon = options.filters_label(visit.filters), ":material/filter_alt:"
    with st.popover(label, icon=icon, key="map-filters", help=_FILTERS_HELP, on_change="rerun") as opened:
        if opened.open:
            options.field_filters(visit)
            options.lines_choice(visit, key="map-lines")
            options.clear_button(visit, key="map-clear-filters")


def _colour(visit: Visit) -> None:
    bind(
        st.segmented_control,
        "Colour by",
        COLOURS,
        key="map-colour",
        value=visit.colour,
        change=lambda colour: session.update(colour=colour),
        required=True,
        format_func=COLOUR_NAMES.__getitem__,
        width="content",
    )


def _labels(visit: Visit) -> None:
    bind(
        st.selectbox,
        "Labels",
        LABELS,
        key="map-labels",
        value=visit.labels,
        change=lambda labels: session.update(labels=labels),
        format_func=LABEL_NAMES.__getitem__,
        width=155,
        help="The words that set a cluster apart from the others",
    )
