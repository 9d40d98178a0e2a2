"""The door to the encoder that knows which sentences of a document to read first; what it said is kept."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

import streamlit as st

from engine.documents import Document
from engine.errors import EngineError
from engine.evidence.terms import PREDICTED
from explorer.shared.encoder_names import encoder_names

if TYPE_CHECKING:
    from engine.encoders.base import EncoderCard
    from engine.encoders.keyvec.encoder import KeyvecEncoder
    from engine.encoders.keyvec.salience import Salience

_LOG = logging.getLogger(__name__)
ENCODER = "keyvec"
_KEPT = 400  # documents; a page shows a hundred hits at most

_Key = tuple[str, Document]


@dataclass(slots=True)
class _Shelf:
    """What was said of documents under an encoder's fingerprint, the last used at the end."""

    said: OrderedDict[_Key, Salience] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while documents are read: two visitors at once would only halve each other's speed."""


def is_there() -> bool:
    """Whether the encoder's weights are installed; where they are not, the screen goes without salient sentences."""
    return ENCODER in encoder_names()


def salience(documents: Sequence[Document]) -> list[Salience]:
    """The salient sentences and key words of documents, in their order; each document is read once.

    Raises StorageError where the encoder's folder is damaged.
    """
    encoder, shelf = _encoder(_folder()), _shelf()
    fingerprint = encoder.card.fingerprint
    with shelf.lock:
        missing = [one for one in dict.fromkeys(documents) if (fingerprint, one) not in shelf.said]
        for document, found in zip(missing, encoder.salience(missing, keywords=PREDICTED), strict=True):
            shelf.said[fingerprint, document] = found
        for document in documents:
            shelf.said.move_to_end((fingerprint, document))
        answer = [shelf.said[fingerprint, document] for document in documents]
        while len(shelf.said) > _KEPT:
            shelf.said.popitem(last=False)
    return answer


def card() -> EncoderCard:
    """The card of the encoder. Raises StorageError where its folder is damaged."""
    return _encoder(_folder()).card


def known(document: Document) -> Salience | None:
    """What was said of a document before; None where it was not read yet. Reads nothing, so that nothing waits."""
    if not (is_there() and _is_loaded().is_set()):
        return None
    return _shelf().said.get((_encoder(_folder()).card.fingerprint, document))


def warm() -> None:
    """Load the encoder, so that the first document need not wait for it; for threads in the background."""
    try:
        if is_there():
            _encoder(_folder())
    except EngineError as error:
        _LOG.info("warming %s: %s", ENCODER, error)  # the page will show it when it asks in earnest


def _folder() -> Path:
    from engine.encoders import registry

    return cast(Path, registry.shipped_folder(ENCODER))


@st.cache_resource(show_spinner=False)
def _shelf() -> _Shelf:
    return _Shelf()


@st.cache_resource(show_spinner=False)
def _is_loaded() -> threading.Event:
    return threading.Event()


@st.cache_resource(show_spinner=False, max_entries=1)
def _encoder(folder: Path) -> KeyvecEncoder:
    from engine.encoders import registry

    loaded = cast("KeyvecEncoder", registry.load(ENCODER, folder=folder))
    _is_loaded().set()
    return loaded
