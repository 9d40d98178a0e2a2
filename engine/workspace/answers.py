"""What is answered about a library as a whole: what it holds, and what went out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from engine.core.config import filled
from engine.core.stores import stores_of
from engine.library import Library


class CopiesJson(TypedDict):
    """Copies of PDFs: how many, their bytes, and whether imports keep them."""

    files: int
    bytes: int
    kept_at_import: bool


class LibraryJson(TypedDict):
    """What a library in a folder holds; `folded` counts duplicates, `failures` files that could not be imported.

    `vectors` is the address of the server where they lie, if they do.
    """

    library: str
    documents: int
    papers: int
    patents: int
    files: int
    folded: int
    failures: int
    copies: CopiesJson
    vectors: str


class RemovedJson(TypedDict):
    """The ids of what was removed, and how many documents are left; of how many removed ones notes wait."""

    removed: list[str]
    total: int
    notes_waiting: NotRequired[int]


def library_as_json(library: Library) -> LibraryJson:
    """Return what a library holds."""
    copies = filled(CopiesJson, library.copies.total(), kept_at_import=library.copies.are_wanted)
    vectors = stores_of(library.folder).vectors
    return filled(LibraryJson, library.counts(), library=str(library.folder), copies=copies, vectors=vectors)


def removed_as_json(ids: Sequence[str], library: Library) -> RemovedJson:
    """Return what was removed from a library."""
    told: RemovedJson = {"removed": list(ids), "total": len(library)}
    if waiting := library.annotations.of_removed():
        told["notes_waiting"] = waiting
    return told
