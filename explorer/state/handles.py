"""Doors to the engine's objects, each opened once for all visitors: the only place where the screen loads anything.

Engine modules that pull in numpy, scipy or faiss are imported inside the doors, so that a page
which needs none of them paints at once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import streamlit as st

from engine.documents import Document
from engine.errors import EngineError, UnknownDocumentError
from engine.library import Library
from engine.library.location import default_library
from engine.progress import Report, silent
from explorer.shared.encoder_names import encoder_name
from explorer.state import generations, reading_times
from explorer.state.generations import Key
from explorer.state.long_work import idle, working

if TYPE_CHECKING:
    from engine.encoders.base import Encoder
    from engine.index.base import VectorIndex
    from engine.maps import LibraryMap
    from engine.maps.agreement import Agreement
    from engine.search import Searcher
    from explorer.map.points import MapPoints

_LOG = logging.getLogger(__name__)


def library() -> Library:
    """The library of this installation; an empty one is made where there is none.

    One that was deleted, moved or replaced while it was open is opened anew, and everything made from it, too.
    """
    folder = default_library()
    held = _library(folder)
    if held.is_in_place():
        return held
    _library.clear()
    generations.forget("library")
    forget_vectors()
    return _library(folder)


def library_state() -> tuple[Path, int, int]:
    """Names the library as it is now, for keys: its folder, which opening of it this is, and the state of its texts."""
    held = library()  # notices one that was replaced, before its number is read
    return default_library(), generations.number("library"), held.version()


def holds(document: Document) -> bool:
    """Whether the library holds this very document, word for word."""
    try:
        return library().get([document.id])[0] == document
    except UnknownDocumentError:
        return False


def document_count() -> int:
    """How many documents the library holds now; the doors below open anew when it changes."""
    return len(library())


def has_samples() -> bool:
    """Whether the library holds the whole sample library."""
    from engine.ingest import has_samples as held

    return held(library())


def encoder(name: str) -> Encoder:
    """The encoder, ready; one that learns from the library is fitted where that was not done yet."""
    return _encoder(_key(name))


def vector_index(name: str) -> VectorIndex:
    """The library's vectors under this encoder, which are all compared with a query."""
    return _exact_index(_key(name))


def searcher(name: str) -> Searcher:
    """What answers questions with this encoder."""
    return _searcher(_key(name))


def warm(name: str) -> None:
    """Load what the first search needs in the background, or measure how long the encoder will read the library."""
    _warm(_key(name))


def reading_seconds(name: str) -> float | None:
    """How long the encoder will need to read the library; None until `warm` has measured it, 0 where it could not."""
    return reading_times.seconds(_key(name).timed)


def measure_reading(names: Sequence[str]) -> None:
    """Measure in the background, one after the other, how long encoders will need to read the library."""
    reading_times.start(library(), default_library(), tuple(map(encoder_name, names)), document_count())


def is_prepared(name: str) -> bool:
    """Whether every document of the library has its vector under this encoder."""
    return vector_count(name) >= document_count()


def vector_count(name: str) -> int:
    """How many documents of the library have their vector under this encoder."""
    has_any = any(library().vectors_folder(encoder_name(name)).glob("*"))
    return len(_index(_key(name))) if has_any else 0


def prepare(name: str, report: Report = silent) -> None:
    """Encode what has no vector yet. Raises LibraryError while another visitor's work holds the library."""
    with working():
        encode(name, report)


def encode(name: str, report: Report = silent) -> None:
    """Encode what has no vector yet, as a part of work that holds the library."""
    from engine.ingest import encoder_for, index_library

    index_library(library(), encoder_for(library(), encoder_name(name), report=report), report=report)
    forget_vectors()


def nearness_levels(name: str, first: str, second: str) -> tuple[float, ...]:
    """The similarities that 90, 99 and 99.9 % of random pairs stay below; empty for a small library.

    The pairs are of a document of the first kind and one of the second: patents are alike in their wording, and
    any two would pass for near among pairs of all kinds.
    """
    kinds = cast(tuple[str, str], tuple(sorted((first, second))))
    return _nearness_levels(_key(name), kinds)


def is_mapped(name: str) -> bool:
    """Whether a map of the library was drawn under this encoder."""
    return library().map_folder(encoder_name(name)).is_dir()


def draw_map(name: str, report: Report = silent) -> None:
    """Draw the map anew, encoding first what has no vector yet. Raises LibraryError while the library is held."""
    from engine.ingest import encoder_for, exact_index
    from engine.maps import fit

    name = encoder_name(name)
    with working():
        encoder = encoder_for(library(), name, report=report)
        index = exact_index(library(), encoder, report=report)
        fit(index, library(), encoder=encoder, report=report).save(library().map_folder(name))
    forget_vectors()


def rename_cluster(name: str, level: int, cluster: int, own: str) -> None:
    """Call a group of an encoder's map as this visitor wants; an empty name gives back the one that was made.

    Raises MapError for a name that cannot be one.
    """
    library_map(name).renamed(level, cluster, own).save(library().map_folder(encoder_name(name)))
    for door in (_library_map, _map_points):
        door.clear()


def library_map(name: str) -> LibraryMap:
    """The map of the library under this encoder; documents that came since are placed on it.

    Raises StorageError or MapError where what is kept is damaged or of other vectors.
    """
    return _library_map(_key(name))


def map_points(name: str, *, grouped_by: str = "") -> MapPoints:
    """The map joined with the library's facts, packed for the browser; groups may be those of another's map."""
    return _map_points(_key(name), grouped_by)


def agreement(first: str, second: str) -> Agreement:
    """How far two encoders agree on which documents are near each other."""
    one, other = sorted((encoder_name(first), encoder_name(second)))
    return _agreement(_key(one), other)


def forget_vectors() -> None:
    """Open vectors and maps anew at the next look, because documents, vectors or a map have come."""
    generations.forget("made")
    for door in (
        _encoder,
        _index,
        _exact_index,
        _searcher,
        _nearness_levels,
        _agreement,
        _warm,
        _library_map,
        _map_points,
    ):
        door.clear()


def _key(name: str) -> Key:
    return Key(default_library(), encoder_name(name), generations.number("made"), document_count(), library().version())


@st.cache_resource(show_spinner=False)
def _library(folder: Path) -> Library:
    return Library.open(folder, create=True)


@st.cache_resource(show_spinner=False, max_entries=8)
def _encoder(key: Key) -> Encoder:
    from engine.ingest import encoder_for

    return encoder_for(_library(key.folder), key.name)


@st.cache_resource(show_spinner=False, max_entries=8)
def _index(key: Key) -> VectorIndex:
    from engine.ingest import open_index

    return open_index(_library(key.folder), _encoder(key))


@st.cache_resource(show_spinner=False, max_entries=8)
def _exact_index(key: Key) -> VectorIndex:
    from engine.ingest import open_index

    index = _index(key)
    return index if index.is_exact else open_index(_library(key.folder), _encoder(key), choice="embedded")


@st.cache_resource(show_spinner=False, max_entries=8)
def _searcher(key: Key) -> Searcher:
    from engine.ingest import lacks_codes, search_index
    from engine.search import Searcher

    held, encoder, index = _library(key.folder), _encoder(key), _index(key)
    if lacks_codes(held, encoder, index):
        with idle() as free:  # where somebody encodes, what is there now is searched
            index = search_index(held, encoder) if free else index
    return Searcher(held, encoder, index)


@st.cache_resource(show_spinner=False, max_entries=24)
def _nearness_levels(key: Key, kinds: tuple[str, str]) -> tuple[float, ...]:
    from explorer.search.nearness import random_levels

    return random_levels(_encoder(key), _index(key), _library(key.folder).summaries(), kinds)


@st.cache_resource(show_spinner=False, max_entries=4)
def _library_map(key: Key) -> LibraryMap:
    from engine.maps import kept_map, open_map
    from explorer.shared import encoder_facts

    held = _library(key.folder)
    folder = held.map_folder(key.name)
    kept = kept_map(folder, fingerprint=encoder_facts.encoder_card(key.name).fingerprint)
    if kept is not None and len(kept) == len(ids := held.ids()) and not kept.missing(ids):
        return kept  # without the encoder, which takes seconds to load
    return open_map(_exact_index(key), held, folder, encoder=_encoder(key))


@st.cache_resource(show_spinner="Reading the map", max_entries=4)
def _map_points(key: Key, grouped_by: str) -> MapPoints:
    from explorer.map.points import join

    groups = _library_map(replace(key, name=grouped_by)) if grouped_by else None
    return join(_library_map(key), _library(key.folder).summaries(), groups=groups)


@st.cache_resource(show_spinner="Comparing the encoders", max_entries=8)
def _agreement(key: Key, other: str) -> Agreement:
    from engine.maps.agreement import agreement

    second = replace(key, name=other)
    return agreement(_exact_index(key), _exact_index(second), encoders=(_encoder(key), _encoder(second)))


@st.cache_resource(show_spinner=False, max_entries=8)
def _warm(key: Key) -> threading.Thread:
    thread = threading.Thread(target=_rehearse, args=(key,), name="warm", daemon=True)
    thread.start()
    return thread


def _rehearse(key: Key) -> None:
    """Ask one question, so that vectors, words and evidence are in memory; or measure what that still needs."""
    from engine.search import Question
    from explorer.shared import encoder_facts, salience_handles

    try:
        if not encoder_facts.has_vectors(key.name):
            reading_times.measure(_library(key.folder), key.timed)
        elif len(_index(key)) >= key.documents:
            _searcher(key).search(Question(Document("warm", title="graph"), k=1))
            _library(key.folder).keywords.weigh(False, True)  # one short question needs half of it
            for kinds in (("paper", "paper"), ("patent", "patent"), ("paper", "patent")):
                _nearness_levels(key, kinds)
    except EngineError as error:
        _LOG.info("warming %s: %s", key.name, error)  # the page will show it when it asks in earnest
    salience_handles.warm()
