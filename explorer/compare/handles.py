"""Doors to what compares two documents, shared by all visitors; of a visitor's own the last comparison is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import streamlit as st

from engine.documents import Document
from engine.progress import Report, silent
from explorer.state import handles
from explorer.state.pair import Pair

if TYPE_CHECKING:
    from engine.compare.base import Comparison
    from engine.compare.read_document import ReadDocument
    from engine.encoders.base import EncoderCard

LONG_WORDS = 6_000
"""A document of this many words or more is read in the background, with its progress on the page."""

_COMPARISON = "comparison"


def is_read(document: Document) -> bool:
    """Whether a document can be compared without reading it first."""
    return handles.workspace().comparer().is_read(document)


def read(document: Document, report: Report = silent) -> ReadDocument:
    """A document read for comparison, once. Raises EngineError where there is nothing to compare."""
    return handles.workspace().comparer().read(document, report=report)


def comparison(a: Document, b: Document, pair: Pair) -> Comparison:
    """The comparison of two documents under the pair's exclusions; nothing that was read is read again."""
    from engine.compare.base import Exclusions

    exclusions = Exclusions(pair.references, pair.recurring, pair.min_words)
    key = (handles.library_state(), a, b, exclusions)
    held = st.session_state.get(_COMPARISON)
    if held is not None and held[0] == key:
        return cast("Comparison", held[1])
    found = handles.workspace().comparer().compare(a, b, exclusions)
    st.session_state[_COMPARISON] = (key, found)
    return found


def warm() -> None:
    """Load the encoder and the words in the background, so that the first comparison need not wait for them."""
    handles.workspace().warm_comparison()


def card() -> EncoderCard:
    """The card of the encoder that compares."""
    return handles.workspace().comparer().encoder().card
