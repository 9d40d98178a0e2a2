"""What all visitors share: the workspace of this installation, its library, and its encoders by the names of links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from engine import encoders
from engine.core.errors import UnknownDocumentError
from engine.library import Library, default_library
from engine.workspace import Workspace
from explorer.state.visit import Visit


def workspace() -> Workspace:
    """Return the library of this installation and all that is made from it; an empty one is made where none is."""
    return _workspace(str(default_library()))  # a text, because Streamlit takes long to look up a path


def library() -> Library:
    """Return the library itself."""
    return workspace().library


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


def without_missing(visit: Visit) -> tuple[Visit, list[str]]:
    """Return a visit from a link without the encoders and documents that are not here, nor a column's collection.

    Filters by collections and imports that are not here stay, and let nothing through; they are named as in the link.
    """
    names, filters, coverage = ("", "default", *encoders.encoder_names()), visit.filters, visit.coverage
    known = {name.casefold() for name in library().collections.counts()} if filters.collections or coverage.on else ()
    if coverage.collection.casefold() not in ("", *known):
        coverage = replace(coverage, collection="")
    if missing(list(filter(None, [coverage.document]))):
        coverage = replace(coverage, document="", row=0)
    found = replace(
        visit,
        encoder=visit.encoder if visit.encoder in names else encoder_name(""),
        beside=visit.beside if visit.beside in names else "",
        card=visit.card if visit.card in names else "",
        selected="" if missing(list(filter(None, [visit.selected]))) else visit.selected,
        coverage=coverage,
    )
    lost = [f"in={name}" for name in sorted(filters.collections) if name.casefold() not in known]
    brought = library().import_counts() if filters.files else {}
    return found, lost + [f"file={name}" for name in sorted(filters.files) if name not in brought]


def short(name: str) -> str:
    """Return the beginning of an encoder's label, for sentences: "CTPE"."""
    return encoders.label(name).partition(":")[0]


def choice_label(name: str) -> str:
    """Return an encoder's label in a list to choose from; it marks the default."""
    label = encoders.label(name)
    return f"{label} (default)" if name == encoders.encoder_names()[0] else label


@st.cache_resource(show_spinner=False)
def _workspace(folder: str) -> Workspace:
    encoders.watch_unused()
    return Workspace(Path(folder), create=True)
