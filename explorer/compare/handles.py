"""Doors to what compares two documents, shared by all visitors; of a visitor's own the last comparison is kept."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import streamlit as st

from engine.core.errors import EngineError
from engine.core.progress import Report, silent
from engine.documents import Document
from explorer.shared import salience_handles
from explorer.state import handles
from explorer.state.pair import Pair

if TYPE_CHECKING:
    from engine.compare import Comparison, Exclusions, ReadDocument, Together, Versions
    from engine.encoders import EncoderCard

_LOG = logging.getLogger(__name__)

LONG_WORDS = 6_000
"""A document of this many words or more is read in the background, with its progress on the page."""

LONG_CHARACTERS = 400_000
"""A document of this many characters or more is compared in the background, with its progress on the page."""

_COMPARISON = "comparison"


def is_read(document: Document) -> bool:
    """Whether a document can be compared without reading it first."""
    return handles.workspace().comparer().is_read(document)


def read(document: Document, report: Report = silent) -> ReadDocument:
    """A document read for comparison, once. Raises EngineError where there is nothing to compare."""
    return handles.workspace().comparer().read(document, report=report)


def is_compared(a: Document, b: Document, pair: Pair) -> bool:
    """Whether the comparison of two documents is at hand, or made in no time."""
    is_long = any(sum(len(part.text) for part in one.parts) >= LONG_CHARACTERS for one in (a, b))
    return not is_long or handles.workspace().comparer().is_compared(a, b, exclusions_of(pair))


def compare(a: Document, b: Document, pair: Pair, report: Report) -> Comparison:
    """Compare two documents under the pair's exclusions; for threads in the background."""
    return handles.workspace().comparer().compare(a, b, exclusions_of(pair), report=report)


def weigh(a: Document, b: Document, report: Report) -> None:
    """Weigh the sentences of both texts, so that the page has them at once; for threads in the background."""
    try:
        if salience_handles.is_there():
            salience_handles.salience([a, b], report)
    except EngineError as error:
        _LOG.info("sentences are not weighed: %s", error)  # the page says so where it shows them


def exclusions_of(pair: Pair) -> Exclusions:
    """What the pair leaves out."""
    from engine.compare import Exclusions

    return Exclusions(pair.references, pair.recurring, pair.min_words)


def comparison(a: Document, b: Document, pair: Pair) -> Comparison:
    """The comparison of two documents under the pair's exclusions; nothing that was read is read again."""
    exclusions = exclusions_of(pair)
    key = (handles.library_state(), a, b, exclusions)
    held = st.session_state.get(_COMPARISON)
    if held is not None and held[0] == key:
        return cast("Comparison", held[1])
    found = handles.workspace().comparer().compare(a, b, exclusions)
    st.session_state[_COMPARISON] = (key, found)
    return found


def within(document: Document, pair: Pair) -> Comparison:
    """A document against itself under the pair's exclusions; nothing that was read is read again."""
    return handles.workspace().comparer().within(document, exclusions_of(pair))


def versions(old: Document, new: Document, pair: Pair) -> Versions:
    """What the second document changes of the first, under the pair's exclusions."""
    return handles.workspace().comparer().versions(old, new, exclusions_of(pair))


def together(documents: Sequence[Document], pair: Pair) -> Together:
    """Three documents against each other and themselves, under the pair's exclusions."""
    return handles.workspace().comparer().together(documents, exclusions_of(pair))


def warm() -> None:
    """Load the encoder and the words in the background, so that the first comparison need not wait for them."""
    handles.workspace().warm_comparison()


def card() -> EncoderCard:
    """The card of the encoder that compares."""
    return handles.workspace().comparer().encoder().card
