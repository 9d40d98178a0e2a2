"""Doors to the engine's objects, each opened once for all visitors: the only place where the screen loads anything.

Engine modules that pull in numpy, scipy or faiss are imported inside the doors, so that a page
which needs none of them paints at once.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING, cast

import streamlit as st

from engine.documents import Document
from engine.errors import EngineError, LibraryError
from engine.library import Library
from engine.library.location import default_library
from engine.progress import Report, silent

if TYPE_CHECKING:
    from engine.agreement import Agreement
    from engine.atlas import Atlas
    from engine.encoders.base import Encoder, EncoderCard
    from engine.index.base import VectorIndex
    from engine.search import Searcher
    from explorer.widgets.map_points import MapPoints

_LOG = logging.getLogger(__name__)
_SMALL_LIBRARY, _SAMPLED = 200, 600


def library() -> Library:
    """The library of this installation; an empty one is made where there is none.

    One that was deleted, moved or replaced while it was open is opened anew, and everything made from it, too.
    """
    folder = default_library()
    held = _library(folder)
    if held.is_in_place():
        return held
    _library.clear()
    for door in (_atlas, _map_points):
        door.clear()
    forget_vectors()
    return _library(folder)


def document_count() -> int:
    """How many documents the library holds now; the doors below open anew when it changes."""
    return len(library())


def has_samples() -> bool:
    """Whether the library holds the whole sample library."""
    from engine.ingest import has_samples as held

    return held(library())


def encoder_names() -> tuple[str, ...]:
    """The encoders there are, the default first."""
    from engine.encoders import registry

    return tuple(sorted(registry.names(), key=lambda name: name != registry.DEFAULT))


def encoder_name(name: str) -> str:
    """The name of a known encoder: the one asked for, or the default where the link names a stranger."""
    names = encoder_names()
    return name if name in names else names[0]


def encoder_beside(name: str, first: str) -> str:
    """The encoder to compare with the first: a known one that is another than it; empty where there is none."""
    return name if name in encoder_names() and name != encoder_name(first) else ""


@st.cache_data(show_spinner=False)
def encoder_card(name: str) -> EncoderCard:
    """The card of an encoder as it is shipped; one that learns from the library has no width until it has."""
    from engine.encoders import registry

    return registry.card(name)


def encoder_files(name: str) -> Path | None:
    """The folder of an encoder's weights: the shipped one, or the one fitted on this library; None before that."""
    from engine.encoders import registry

    fitted = library().encoder_folder(name)
    return fitted if fitted.is_dir() else registry.shipped_folder(name)


def encoder(name: str) -> Encoder:
    """The encoder, ready; one that learns from the library is fitted where that was not done yet."""
    return _encoder(default_library(), encoder_name(name), document_count())


def vector_index(name: str) -> VectorIndex:
    """The library's vectors under this encoder."""
    return _index(default_library(), encoder_name(name), document_count())


def searcher(name: str) -> Searcher:
    """What answers questions with this encoder."""
    return _searcher(default_library(), encoder_name(name), document_count())


def warm(name: str) -> None:
    """Load in the background what the first search needs, while the visitor still reads the page."""
    _warm(default_library(), encoder_name(name), document_count())


def is_prepared(name: str) -> bool:
    """Whether every document of the library has its vector under this encoder."""
    return vector_count(name) >= document_count()


def vector_count(name: str) -> int:
    """How many documents of the library have their vector under this encoder."""
    has_any = any(library().vectors_folder(encoder_name(name)).glob("*"))
    return len(vector_index(name)) if has_any else 0


def prepare(name: str, report: Report = silent) -> None:
    """Encode what has no vector yet. Raises LibraryError while another visitor's work holds the library."""
    from engine.ingest import encoder_for, index_library

    with working():
        index_library(library(), encoder_for(library(), encoder_name(name), report=report), report=report)
    forget_vectors()


def nearness_levels(name: str, first: str, second: str) -> tuple[float, ...]:
    """The similarities that 90, 99 and 99.9 % of random pairs stay below; empty for a small library.

    The pairs are of a document of the first kind and one of the second: patents are alike in their wording, and
    any two would pass for near among pairs of all kinds.
    """
    kinds = cast(tuple[str, str], tuple(sorted((first, second))))
    return _nearness_levels(default_library(), encoder_name(name), document_count(), kinds)


def is_mapped(name: str) -> bool:
    """Whether a map of the library was drawn under this encoder."""
    return library().map_folder(encoder_name(name)).is_dir()


def draw_map(name: str, report: Report = silent) -> None:
    """Draw the map anew, encoding first what has no vector yet. Raises LibraryError while the library is held."""
    from engine.atlas import fit
    from engine.ingest import encoder_for, index_library

    name = encoder_name(name)
    with working():
        index = index_library(library(), encoder_for(library(), name), report=report)
        fit(index, library(), encoder_name=name, report=report).save(library().map_folder(name))
    forget_vectors()
    for door in (_atlas, _map_points):
        door.clear()


def atlas(name: str) -> Atlas:
    """The map of the library under this encoder; documents that came since are placed on it.

    Raises StorageError or AtlasError where what is kept is damaged or of other vectors.
    """
    return _atlas(default_library(), encoder_name(name), document_count())


def map_points(name: str, *, grouped_by: str = "") -> MapPoints:
    """The map joined with the library's facts, packed for the browser; groups may be those of another's map."""
    return _map_points(default_library(), encoder_name(name), document_count(), grouped_by)


def agreement(first: str, second: str) -> Agreement:
    """How far two encoders agree on which documents are near each other."""
    one, other = sorted((encoder_name(first), encoder_name(second)))
    return _agreement(default_library(), one, other, document_count())


class working:
    """Holds the library for one long piece of work at a time, whoever started it."""

    def __enter__(self) -> None:
        """Raises LibraryError where the library is held already."""
        if not _lock().acquire(blocking=False):
            raise LibraryError(
                "Expected the library to be free; another window is importing or encoding right now. "
                "Wait until it has finished, then try again."
            )

    def __exit__(self, *_: object) -> None:
        """Let the next one in."""
        _lock().release()


def forget_vectors() -> None:
    """Open vectors anew at the next look, because documents or vectors have come."""
    for door in (_encoder, _index, _searcher, _nearness_levels, _agreement, _warm):
        door.clear()


@st.cache_resource(show_spinner=False)
def _lock() -> threading.Lock:
    return threading.Lock()


@st.cache_resource(show_spinner=False)
def _library(folder: Path) -> Library:
    return Library.open(folder, create=True)


@st.cache_resource(show_spinner=False, max_entries=8)
def _encoder(folder: Path, name: str, documents: int) -> Encoder:  # noqa: ARG001  the count says when to look again
    from engine.ingest import encoder_for

    return encoder_for(_library(folder), name)


@st.cache_resource(show_spinner=False, max_entries=8)
def _index(folder: Path, name: str, documents: int) -> VectorIndex:
    from engine.ingest import open_index

    return open_index(_library(folder), _encoder(folder, name, documents))


@st.cache_resource(show_spinner=False, max_entries=8)
def _searcher(folder: Path, name: str, documents: int) -> Searcher:
    from engine.search import Searcher

    return Searcher(_library(folder), _encoder(folder, name, documents), _index(folder, name, documents))


@st.cache_resource(show_spinner=False, max_entries=24)
def _nearness_levels(folder: Path, name: str, documents: int, kinds: tuple[str, str]) -> tuple[float, ...]:
    import numpy as np

    index, held = _index(folder, name, documents), set(_index(folder, name, documents).ids)
    summaries = _library(folder).summaries()
    of_kind = [
        [id_ for id_, other in zip(summaries.ids, summaries.kinds, strict=True) if other == kind and id_ in held]
        for kind in kinds
    ]
    if min(map(len, of_kind)) < _SMALL_LIBRARY:
        return ()
    random = np.random.default_rng(0)
    ours, theirs = (random.permutation(len(ids))[:_SAMPLED] for ids in of_kind)
    rows = index.rows([of_kind[0][int(place)] for place in ours])
    products = rows @ index.rows([of_kind[1][int(place)] for place in theirs]).T
    pairs = products if isinstance(products, np.ndarray) else products.toarray()
    if kinds[0] == kinds[1]:
        pairs = pairs[ours[:, None] != theirs]
    return tuple(float(level) for level in np.quantile(pairs, (0.9, 0.99, 0.999)))


@st.cache_resource(show_spinner=False, max_entries=4)
def _atlas(folder: Path, name: str, documents: int) -> Atlas:
    from engine.atlas import open_atlas

    held = _library(folder)
    return open_atlas(_index(folder, name, documents), held, held.map_folder(name), encoder_name=name)


@st.cache_resource(show_spinner="Reading the map", max_entries=4)
def _map_points(folder: Path, name: str, documents: int, grouped_by: str) -> MapPoints:
    from explorer.widgets.map_points import join

    groups = _atlas(folder, grouped_by, documents) if grouped_by else None
    return join(_atlas(folder, name, documents), _library(folder).summaries(), groups=groups)


@st.cache_resource(show_spinner="Comparing the encoders", max_entries=8)
def _agreement(folder: Path, first: str, second: str, documents: int) -> Agreement:
    from engine.agreement import agreement

    return agreement(_index(folder, first, documents), _index(folder, second, documents))


@st.cache_resource(show_spinner=False, max_entries=8)
def _warm(folder: Path, name: str, documents: int) -> threading.Thread:
    thread = threading.Thread(target=_search_once, args=(folder, name, documents), name="warm", daemon=True)
    thread.start()
    return thread


def _search_once(folder: Path, name: str, documents: int) -> None:
    """Ask one question, so that vectors, words and evidence are in memory."""
    from engine.search import Question

    try:
        if _library(folder).vectors_folder(name).is_dir() and len(_index(folder, name, documents)) >= documents:
            _searcher(folder, name, documents).search(Question(Document("warm", title="graph"), k=1))
            for kinds in (("paper", "paper"), ("patent", "patent"), ("paper", "patent")):
                _nearness_levels(folder, name, documents, kinds)
    except EngineError as error:
        _LOG.info("warming %s: %s", name, error)  # the page will show it when it asks in earnest
