"""What to read first in a document: its strongest sentences with their p, and its key words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.documents import Chunk, Document
from engine.documents.markup import Markup, element, joined
from engine.documents.text import in_percent
from engine.encoders.keyvec import CHOSEN, MEANING, explained
from explorer.shared import notices
from explorer.shared.markup import show, typeset
from explorer.state import handles

if TYPE_CHECKING:
    from engine.encoders.keyvec import Salience

MarkedSentences = Sequence[tuple[Chunk, float]]
"""Sentences in reading order, each with its p."""

TITLE, KEY_WORDS = "Read this first", "Key words"
UNDERLINED = f"Underlined: the strongest sentences. The number after each says {MEANING}."
READ_FIRST, ON_A_CARD = 5, 2
_SHOWN_CHARACTERS = 420
_CARD_WORDS, _QUERY_WORDS, _PANEL_WORDS = 6, 7, 10
_NOTHING = "No sentence of it holds a word that the encoder knows."
_CHOSEN = "Phrases of the text that its author would most likely name."
Slots = list[tuple[Document, DeltaGenerator]]
"""Documents, each with the place where its salient sentences go."""
_FEWEST_WORDS = 60
_ON_DEMAND = "Key sentences and key words"


def reading_panel(found: Salience) -> Markup:
    """Return a document's salient sentences beside its key words, explained."""
    told = _told(found)
    if not told and not found.keywords:
        return element("div", _label(TITLE), element("p", _NOTHING, class_="ps-quiet"))
    words = [_label(KEY_WORDS), _chips(found.keywords[:_PANEL_WORDS]), element("p", _CHOSEN, class_="ps-quiet")]
    said = [_label(TITLE), *told] if told else []
    return element("div", element("div", *said), element("div", *words), class_="ps-reading")


def query_reading(found: Salience) -> Markup:
    """Return the same above a query's hits, short so that these stay near: key words, and the sentences folded away."""
    told = _told(found)
    if not told and not found.keywords:
        return element("p", _NOTHING, class_="ps-quiet")
    folded = [element("details", element("summary", TITLE), *told)] if told else []
    words = [_label(KEY_WORDS), _chips(said)] if (said := found.keywords[:_QUERY_WORDS]) else []
    return element("div", *words, *folded, class_="ps-query-reading")


def card_part(found: Salience) -> Markup:
    """Return the same in brief, for one hit among many."""
    first = _telling(found, ON_A_CARD)
    told = element("p", f"The number before a sentence says {MEANING}.", class_="ps-quiet")  # a finger sees no tooltip
    pieces = [_label(TITLE), _sentences(first, found), told] if first else []
    pieces += [_label(KEY_WORDS), _chips(words)] if (words := found.keywords[:_CARD_WORDS]) else []
    return element("div", *pieces, class_="ps-salient-part")


def marked_sentences(text: str, salient: MarkedSentences, start: int, stop: int) -> Markup:
    """Return the stretch [start, stop) of a section's text, its salient sentences marked and each followed by its p."""
    pieces: list[str] = []
    place = start
    for chunk, p in salient:
        left, right = max(chunk.start, place), min(chunk.stop, stop)
        if left >= right:
            continue
        pieces += [typeset(text[place:left]), element("mark", typeset(text[left:right]), class_="ps-salient")]
        if chunk.stop <= stop:
            pieces.append(element("sup", f"{p:.2f}", class_="ps-p", title=explained(p)))
        place = right
    return joined([*pieces, typeset(text[place:stop])])


def _told(found: Salience) -> list[Markup]:
    """Return the sentences to read first, explained; empty if none stand out."""
    first = _telling(found, READ_FIRST)
    return [_sentences(first, found), element("p", _caption(found), class_="ps-quiet")] if first else []


def _telling(found: Salience, most: int) -> MarkedSentences:
    """Return the sentences that stand out, at most a third of a short text."""
    return found.first(min(most, -(-len(found.sentences) // 3)))


def _caption(found: Salience) -> str:
    average = f"the average sentence of this text has {found.p.mean():.2f}"
    return f"{CHOSEN} The number before a sentence says {MEANING}; {average}."


def _sentences(first: MarkedSentences, found: Salience) -> Markup:
    """Return one line a sentence; places are named where they differ, the strongest sentence has the longest bar."""
    has_places, most = len({chunk.place for chunk, _ in first}) > 1, max(float(found.p.max()), 1e-9)
    rows = [_row(chunk, p, bar=p / most, place=chunk.place if has_places else "") for chunk, p in first]
    return element("ol", *rows, class_="ps-first", aria_label="In reading order, each sentence after its p")


def _row(chunk: Chunk, p: float, *, bar: float, place: str) -> Markup:
    text = " ".join(chunk.text.split())
    shown = text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS].rstrip()} …"
    said = (
        [element("span", typeset(shown)), " ", element("span", place, class_="ps-quiet")] if place else [typeset(shown)]
    )
    fill = element("span", class_="ps-fill", style=f"width:{bar:.0%}")
    track = element("span", fill, class_="ps-track", aria_hidden="true")
    number = element("span", f"{p:.2f}", track, class_="ps-weight", title=explained(p))
    return element("li", number, element("span", *said))


def _chips(words: Sequence[tuple[str, float]]) -> Markup:
    said = "the chance that its author would name it"
    chips = [element("li", word, title=f"{in_percent(p)}: {said}") for word, p in words]
    return element("ul", *chips, class_="ps-terms ps-keywords", aria_label="Key words, the likeliest first")


def _label(text: str) -> Markup:
    return element("p", text, class_="ps-label")


def leave_slot(document: Document, *, key: str = "read-first") -> Slots:
    """Leave a place for a document here; not for a question of a few words, or without the encoder."""
    return [(document, st.container(key=key))] if _is_worth_it(document) else []


def fill_slots(slots: Slots) -> None:
    """Fill places in brief; an error is shown once, in the first of them."""
    if not slots:
        return
    with slots[0][1], notices.shown_errors():
        found = handles.workspace().salience.read([document for document, _ in slots])
        for (_, place), one in zip(slots, found, strict=True):
            with place:
                show(card_part(one))


def read_query_first(document: Document) -> None:
    """Show what to read first in the query, where its text is opened."""
    if _is_worth_it(document):
        with notices.shown_errors():
            show(query_reading(handles.workspace().salience.read([document])[0]))


def known_sentences(document: Document) -> MarkedSentences:
    """Return the salient sentences of a document's text, if known: a text is shown without them, too."""
    found = handles.workspace().salience.known(document)
    return found.strongest() if found else ()


def read_first_on_demand(document: Document) -> None:
    """Show, on demand, what to read first in a document that is open for correction."""
    if not _is_worth_it(document):
        return
    with st.expander(_ON_DEMAND, key="draft-read-first", type="compact", on_change="rerun") as asked:
        if asked.open:
            with notices.shown_errors():
                show(reading_panel(handles.workspace().salience.read([document])[0]))


def _is_worth_it(document: Document) -> bool:
    """Tell whether the encoder is there, and the text long enough to pick sentences from."""
    is_long = document.kind != "query" or len(document.text.split()) >= _FEWEST_WORDS
    return is_long and handles.workspace().salience.is_there()
