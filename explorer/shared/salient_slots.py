"""Places on the search page for what to read first, filled last, so that results do not wait."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.documents import Document
from explorer.shared import notices, salience_handles
from explorer.shared.markup import show
from explorer.shared.salient import Marked, card_part, query_panel, reading_panel, strongest

Slots = list[tuple[Document, DeltaGenerator]]
"""Documents, each with the place where its salient sentences go."""

_FEWEST_WORDS = 60
_ON_DEMAND = "The sentences that carry it, with key words"


def leave(document: Document, *, key: str = "read-first") -> Slots:
    """Leave a place for a document here; not for a question of a few words, or without the encoder."""
    return [(document, st.container(key=key))] if salience_handles.is_there() and _is_worth_it(document) else []


def fill(slots: Slots) -> None:
    """Fill places in brief; an error is shown once, in the first of them."""
    if not slots:
        return
    with slots[0][1], notices.shown_errors():
        found = salience_handles.salience([document for document, _ in slots])
        for (_, place), one in zip(slots, found, strict=True):
            with place:
                show(card_part(one))


def of_query(document: Document) -> None:
    """What to read first in the query, where its text is opened."""
    if salience_handles.is_there() and _is_worth_it(document):
        with notices.shown_errors():
            show(query_panel(salience_handles.salience([document])[0]))


def marked(document: Document) -> Marked:
    """The salient sentences of a document's text, if known: a text is shown without them, too."""
    found = salience_handles.known(document)
    return strongest(found) if found else ()


def on_demand(document: Document) -> None:
    """What to read first in a document that is open for correction, on demand."""
    if not (salience_handles.is_there() and _is_worth_it(document)):
        return
    with st.expander(_ON_DEMAND, key="draft-read-first", type="compact", on_change="rerun") as asked:
        if asked.open:
            with notices.shown_errors():
                show(reading_panel(salience_handles.salience([document])[0]))


def _is_worth_it(document: Document) -> bool:
    """Whether a text is long enough to pick sentences from."""
    return document.kind != "query" or len(document.text.split()) >= _FEWEST_WORDS
