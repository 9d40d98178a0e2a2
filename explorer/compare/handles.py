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
from engine.errors import EngineError, StorageError
from engine.progress import Report, silent
from explorer.shared import salience_handles
from explorer.state import handles
from explorer.state.pair import Pair

if TYPE_CHECKING:
    from engine.compare.base import Comparison
    from engine.compare.calibration import Calibration
    from engine.compare.read_document import ReadDocument
    from engine.compare.words import Words
    from engine.encoders.base import EncoderCard
    from engine.encoders.colde.encoder import ColdeEncoder
    from engine.encoders.colde.levels import LongRows

_LOG = logging.getLogger(__name__)
ENCODER = "colde"
LONG_WORDS = 6_000
"""From so many words on a document is read in the background, with its progress on the page."""

_KEPT_SIDES = 12
_COMPARISON = "comparison"

_State = tuple[Path, int, int]
"""Which library, which opening of it, and how many documents: another library has other words."""

_Key = tuple[_State, Document]


@dataclass(slots=True)
class _Shelf:
    """Documents as they were read, the last used at the end."""

    sides: OrderedDict[_Key, ReadDocument] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held for a moment, while sides are looked up and put down."""
    reading: threading.Lock = field(default_factory=threading.Lock)
    """Held while one is read: two at once would only halve each other's speed."""

    def get(self, key: _Key) -> ReadDocument | None:
        """The document as it was read, which is now the last used."""
        with self.lock:
            if key in self.sides:
                self.sides.move_to_end(key)
            return self.sides.get(key)

    def put(self, key: _Key, side: ReadDocument) -> None:
        """Keep one, and let the one go that was not used for longest."""
        with self.lock:
            self.sides[key] = side
            while len(self.sides) > _KEPT_SIDES:
                self.sides.popitem(last=False)


def is_read(document: Document) -> bool:
    """Whether a document can be compared without reading it first."""
    return _shelf().get(_key(document)) is not None


def read(document: Document, report: Report = silent) -> ReadDocument:
    """A document read for comparison, once. Raises EngineError where there is nothing to compare."""
    from engine.compare.read_document import ReadDocument, require_comparable

    shelf, key = _shelf(), _key(document)
    if (held := shelf.get(key)) is not None:
        return held
    with shelf.reading:
        side = shelf.get(key)  # another visitor may have read it meanwhile
        if side is None:
            require_comparable(document)
            side = ReadDocument.read(document, _encoder(), _words(key[0]), long=_long_rows(document, report))
            shelf.put(key, side)
        return side


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
    _warm(handles.library_state())


def card() -> EncoderCard:
    """The card of the encoder that compares."""
    return _encoder().card


def _long_rows(document: Document, report: Report) -> LongRows:
    """What the encoder reads of a document; of one that the library holds it is kept on disk."""
    from engine.compare.vectors import KeptRows

    if not handles.holds(document):
        return _encoder().read([document], report=report)[0]
    kept = KeptRows.of_library(handles.library(), _encoder())
    long = kept.get(document)
    if long is None:
        long = _encoder().read([document], report=report)[0]
        try:
            kept.put(document, long)
        except StorageError as error:
            _LOG.warning("keeping the vectors of %s: %s", document.id, error)  # it can be compared all the same
    return long


def _key(document: Document) -> _Key:
    return handles.library_state(), document


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
def _words(state: _State) -> Words:  # noqa: ARG001  a library that has changed has other words
    from engine.compare.words import Words

    return Words.of_library(handles.library())


@st.cache_resource(show_spinner=False, max_entries=2)
def _warm(state: _State) -> threading.Thread:
    thread = threading.Thread(target=_load, args=(state,), name="warm-compare", daemon=True)
    thread.start()
    return thread


def _load(state: _State) -> None:
    from engine.compare.mix import Mix
    from engine.compare.words import shipped_vocabulary

    try:
        mix = Mix.from_facts(_encoder().facts)
        if mix is not None and mix.second is not None:
            mix.second.open()
        shipped_vocabulary()
        _words(state)
    except EngineError as error:
        _LOG.info("warming the comparison: %s", error)  # the page will show it when it compares in earnest
    salience_handles.warm()
