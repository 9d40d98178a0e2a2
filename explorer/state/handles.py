"""What all visitors share: the workspace of this installation, its library, and its encoders by the names of links."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from engine import encoders
from engine.core.errors import UnknownDocumentError
from engine.core.stores import Stores, stores_of
from engine.library import Library, default_library
from engine.workspace import Workspace


def workspace() -> Workspace:
    """Return the library of this installation and all that is made from it; an empty one is made where none is."""
    return _workspace(str(default_library()))  # a text, because Streamlit takes long to look up a path


def library() -> Library:
    """Return the library itself."""
    return workspace().library


def stores() -> Stores:
    """Return which servers hold parts of the library, if any does."""
    return stores_of(library().folder)


def encoder_name(name: str) -> str:
    """Return the encoder to search with: the one asked for, or the default if a link names an unknown one."""
    names = encoders.search_names()
    return name if name in names else names[0]


def encoder_beside(name: str, first: str) -> str:
    """Return the encoder to compare with the first: a known one that differs from it, else empty."""
    return name if name in encoders.search_names() and name != encoder_name(first) else ""


def missing(ids: Sequence[str]) -> list[str]:
    """Return the ids that the library does not hold."""
    unknown = []
    for id_ in ids:
        try:
            library().get([id_])
        except UnknownDocumentError:
            unknown.append(id_)
    return unknown


def holds(key: str, value: str) -> bool:
    """Tell whether what a value of a link names is here: an encoder, a collection, a review, an import, a document."""
    if key in ("encoder", "beside", "card"):
        return value in ("default", *encoders.encoder_names())
    if key in ("in", "only"):
        return value.casefold() in map(str.casefold, library().collections.counts())
    if key == "review":
        return value in library().reviews.counts()
    if key == "file":
        return value in library().import_counts()
    return key not in ("hit", "at") or not missing([value.partition(":")[2] if key == "at" else value])


def short(name: str) -> str:
    """Return the beginning of an encoder's label, for sentences: "CTPE"."""
    return encoders.label(name).partition(":")[0]


def choice_label(name: str) -> str:
    """Return an encoder's label in a list to choose from; it marks the default."""
    label = encoders.label(name)
    return f"{label} (default)" if name == encoders.encoder_names()[0] else label


@st.cache_resource(show_spinner=False)
def _workspace(folder: str) -> Workspace:
    encoders.watch_memory()
    return Workspace(Path(folder), create=True)
