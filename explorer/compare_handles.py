"""Doors to what compares two documents, each opened once for all visitors; what was read of a document is kept."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

import streamlit as st

from engine.documents import Document
from engine.errors import EngineError
from engine.library.location import default_library
from engine.progress import Report, silent
from explorer import handles
from explorer.pair import Pair

if TYPE_CHECKING:
    from engine.compare.base import Comparison
    from engine.compare.calibration import Calibration
    from engine.compare.side import Side
    from engine.compare.words import Words
    from engine.encoders.base import EncoderCard
    from engine.encoders.colde.encoder import ColdeEncoder

_LOG = logging.getLogger(__name__)
ENCODER = "colde"
_KEPT_SIDES = 12
_COMPARISON = "comparison"

_Key = tuple[Path, int, Document]


@dataclass(slots=True)
class _Shelf:
    """Documents as they were read, the last used at the end."""

    sides: OrderedDict[_Key, Side] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while one is read: two at once would only halve each other's speed."""


def is_read(document: Document) -> bool:
    """Whether a document can be compared without reading it first."""
    return _key(document) in _shelf().sides


def read(document: Document, report: Report = silent) -> Side:
    """A document read for comparison, once. Raises EngineError where there is nothing to compare."""
    from engine.compare.side import Side

    shelf, key = _shelf(), _key(document)
    with shelf.lock:
        if key not in shelf.sides:
            encoder = _encoder()
            shelf.sides[key] = Side.read(
                document, encoder, _words(*key[:2]), long=encoder.read([document], report=report)[0]
            )
        shelf.sides.move_to_end(key)
        while len(shelf.sides) > _KEPT_SIDES:
            shelf.sides.popitem(last=False)
        return shelf.sides[key]


def comparison(a: Document, b: Document, pair: Pair) -> Comparison:
    """The comparison of two documents under the pair's exclusions; nothing that was read is read again."""
    from engine.compare.base import Exclusions
    from engine.compare.comparing import compare

    exclusions = Exclusions(pair.references, pair.recurring, pair.min_words)
    key = (_key(a), _key(b), exclusions)
    held = st.session_state.get(_COMPARISON)
    if held is not None and held[0] == key:
        return cast("Comparison", held[1])
    found = compare(read(a), read(b), exclusions=exclusions, calibration=_calibration())
    st.session_state[_COMPARISON] = (key, found)
    return found


def warm() -> None:
    """Load the encoder and the words in the background, so that the first comparison need not wait for them."""
    _warm(default_library(), handles.document_count())


def card() -> EncoderCard:
    """The card of the encoder that compares."""
    return _encoder().card


def _key(document: Document) -> _Key:
    return default_library(), handles.document_count(), document


@st.cache_resource(show_spinner=False)
def _shelf() -> _Shelf:
    return _Shelf()


@st.cache_resource(show_spinner=False)
def _encoder() -> ColdeEncoder:
    from engine.encoders import registry

    return cast("ColdeEncoder", registry.load(ENCODER))


@st.cache_resource(show_spinner=False)
def _calibration() -> Calibration:
    from engine.compare.calibration import Calibration

    return Calibration.from_facts(_encoder().facts)


@st.cache_resource(show_spinner=False, max_entries=2)
def _words(folder: Path, documents: int) -> Words:  # noqa: ARG001  a library that has changed has other words
    from engine.compare.words import Words

    return Words.of_library(handles.library())


@st.cache_resource(show_spinner=False, max_entries=2)
def _warm(folder: Path, documents: int) -> threading.Thread:
    thread = threading.Thread(target=_load, args=(folder, documents), name="warm-compare", daemon=True)
    thread.start()
    return thread


def _load(folder: Path, documents: int) -> None:
    try:
        _encoder()
        _words(folder, documents)
    except EngineError as error:
        _LOG.info("warming the comparison: %s", error)  # the page will show it when it compares in earnest
