"""Doors to the workspace that all visitors share: the only place where the screen opens anything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from engine.core.progress import Report, silent
from engine.documents import Document, Identifier
from engine.library import Library, default_library
from engine.search import Reading
from engine.workspace import LibraryState, Workspace
from explorer.state.encoder_names import encoder_name

if TYPE_CHECKING:
    from engine.encoders import Encoder
    from engine.maps import Agreement, LibraryMap
    from engine.search import Searcher
    from engine.vectors import VectorIndex


def workspace() -> Workspace:
    """The library of this installation and all that is made from it; an empty one is made where there is none."""
    return _workspace(str(default_library()))  # a text, because Streamlit takes long to look up a path


def library() -> Library:
    """The library itself."""
    return workspace().library


def library_state() -> LibraryState:
    """Identifies the library's state, for keys: its folder, which opening of it this is, and the state of its texts."""
    return workspace().state()


def holds(document: Document) -> bool:
    """Whether the library holds this document, word for word."""
    return workspace().holds_document(document)


def document_count() -> int:
    """How many documents the library holds now; what follows is opened again when it changes."""
    return len(library())


def known_as(number: Identifier) -> str:
    """The id of the document with this number. Raises UnknownDocumentError, which says how to bring it, without one."""
    return workspace().find_by_number(number)


def has_samples() -> bool:
    """Whether the library holds the whole sample library."""
    return workspace().has_samples()


def encoder(name: str) -> Encoder:
    """The encoder, ready; one that learns from the library is fitted if needed."""
    return workspace().encoder(encoder_name(name))


def vector_index(name: str) -> VectorIndex:
    """The library's vectors under this encoder, all compared with a query."""
    return workspace().exact_index(encoder_name(name))


def searcher(name: str) -> Searcher:
    """The searcher with this encoder."""
    return workspace().searcher(encoder_name(name))


def is_open(name: str) -> bool:
    """Whether what answers questions with this encoder is in memory."""
    return workspace().is_open(encoder_name(name))


def warm(name: str) -> None:
    """Load what the first search needs in the background, or measure how long the encoder will read the library."""
    workspace().warm(encoder_name(name))


def reading_seconds(name: str) -> float | None:
    """How long the encoder will need to read the library; None until `warm` has measured it, 0 where it could not."""
    return workspace().reading_seconds(encoder_name(name))


def measure_reading(names: Sequence[str]) -> None:
    """Measure in the background, one after the other, how long encoders will need to read the library."""
    workspace().measure_reading(tuple(map(encoder_name, names)))


def is_prepared(name: str) -> bool:
    """Whether every document of the library has its vector under this encoder."""
    return vector_count(name) >= document_count()


def vector_count(name: str) -> int:
    """How many documents of the library have their vector under this encoder."""
    return workspace().vector_count(encoder_name(name))


def prepare(name: str, report: Report = silent) -> None:
    """Encode what has no vector yet. Raises LibraryError while another visitor's work holds the library."""
    workspace().prepare(encoder_name(name), report=report)


def readings(name: str, document: Document, documents: Sequence[Document]) -> list[Reading]:
    """How near a document is to each of some documents of the library, in words."""
    return workspace().readings(encoder_name(name), document, documents)


def is_mapped(name: str) -> bool:
    """Whether a map of the library was drawn under this encoder."""
    return workspace().is_mapped(encoder_name(name))


def draw_map(name: str, report: Report = silent) -> None:
    """Draw the map, encoding first what has no vector yet. Raises LibraryError while the library is held."""
    workspace().draw_map(encoder_name(name), report=report)


def read_passages(report: Report = silent) -> None:
    """Read the passages that are missing. Raises LibraryError while the library is held."""
    workspace().read_passages(report=report)


def has_passages_left() -> bool:
    """Whether reading the library's passages was begun and stopped."""
    return workspace().has_passages_left()


def rename_cluster(name: str, level: int, cluster: int, own: str) -> None:
    """Call a group of an encoder's map as this visitor wants. Raises MapError for a name that cannot be one."""
    workspace().rename_cluster(encoder_name(name), level, cluster, own)


def library_map(name: str) -> LibraryMap:
    """The map of the library under this encoder; documents that came since are placed on it.

    Raises StorageError or MapError where what is kept is damaged or of other vectors.
    """
    return workspace().library_map(encoder_name(name))


def agreement(first: str, second: str) -> Agreement:
    """How far two encoders agree on which documents are near each other."""
    with st.spinner("Comparing the encoders"):
        return workspace().agreement(encoder_name(first), encoder_name(second))


def forget_vectors() -> None:
    """Open vectors and maps again at the next look, because documents, vectors or a map have come."""
    workspace().forget()


@st.cache_resource(show_spinner=False)
def _workspace(folder: str) -> Workspace:
    return Workspace(Path(folder), create=True)
