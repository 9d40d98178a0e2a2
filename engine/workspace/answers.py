"""What is answered about a library as a whole: what it holds, what came in and went out, what was asked of late."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import NotRequired, cast

from typing_extensions import TypedDict

from engine.core.stores import stores_of
from engine.library import Library
from engine.workspace.importing import ImportSummary
from engine.workspace.keeping import KeepingSettings, OwnDocuments, Page, Recent


class CopiesJson(TypedDict):
    """Copies of PDFs: how many, their bytes, and whether imports keep them."""

    files: int
    bytes: int
    kept_at_import: bool


class HeldJson(TypedDict):
    """How much a library holds; `folded` counts duplicates, `failures` files that could not be imported."""

    documents: int
    papers: int
    patents: int
    files: int
    folded: int
    failures: int


class LibraryJson(HeldJson):
    """What a library in a folder holds; `vectors` is the address of the server where they lie, if they do."""

    library: str
    copies: CopiesJson
    vectors: str


class CountsJson(HeldJson):
    """The same with the years, null while no document has one."""

    year_min: int | None
    year_max: int | None


class FailureJson(TypedDict):
    """A file that could not be imported, why, and when (ISO 8601, UTC)."""

    name: str
    reason: str
    when: str


class NoteJson(TypedDict):
    """A sentence on how a file was read that did come in."""

    name: str
    text: str


class ImportSummaryJson(TypedDict):
    """What an import did: files read, documents added, duplicates folded, files held already, failures and notes.

    `completed` counts held documents that a duplicate completed, `returned` are ids of removed ones that came back.
    """

    files: int
    documents: int
    folded: int
    skipped: int
    failures: list[FailureJson]
    notes: list[NoteJson]
    completed: int
    returned: list[str]


class ImportJson(ImportSummaryJson):
    """What an import did, and how many documents the library in a folder holds now."""

    library: str
    total: int


class SamplesJson(ImportSummaryJson):
    """What an import of the sample library did, and whether that was `present` before."""

    library: str
    present: bool
    seconds: float
    counts: CountsJson


class RemovedJson(TypedDict):
    """The ids of what was removed, and how many documents are left; of how many removed ones notes wait."""

    removed: list[str]
    total: int
    notes_waiting: NotRequired[int]


class RecentEntryJson(TypedDict):
    """One search or comparison: its page, what was asked, its link on the page, and when (ISO 8601, UTC)."""

    key: str
    page: Page
    title: str
    link: str
    when: str


class OwnDocumentsJson(TypedDict):
    """How many documents of a person's own are kept, and their size."""

    documents: int
    megabytes: float


class KeepingSettingsJson(TypedDict):
    """Whether anything is kept, for how many days, and how much."""

    remember: bool
    days: int
    megabytes: int
    documents: int


class RecentJson(TypedDict):
    """What was asked of late, newest first, how many entries were damaged, and what is kept beside them."""

    entries: list[RecentEntryJson]
    damaged: int
    own_documents: OwnDocumentsJson
    settings: KeepingSettingsJson


def library_as_json(library: Library) -> LibraryJson:
    """Return what a library holds."""
    counts, kept = library.counts(), library.copies.total()
    return {
        "library": str(library.folder),
        "documents": counts.documents,
        "papers": counts.papers,
        "patents": counts.patents,
        "files": counts.files,
        "folded": counts.folded,
        "failures": counts.failures,
        "copies": {"files": kept.files, "bytes": kept.bytes, "kept_at_import": library.copies.are_wanted},
        "vectors": stores_of(library.folder).vectors,
    }


def import_as_json(summary: ImportSummary, library: Library) -> ImportJson:
    """Return what an import into a library did."""
    return cast(ImportJson, {**asdict(summary), "library": str(library.folder), "total": len(library)})


def samples_as_json(summary: ImportSummary, library: Library, *, present: bool, seconds: float) -> SamplesJson:
    """Return what an import of the samples did, which were `present` before or not."""
    told = {"library": str(library.folder), "present": present, **asdict(summary), "seconds": seconds}
    return cast(SamplesJson, {**told, "counts": asdict(library.counts())})


def removed_as_json(ids: Sequence[str], library: Library) -> RemovedJson:
    """Return what was removed from a library."""
    told: RemovedJson = {"removed": list(ids), "total": len(library)}
    if waiting := library.annotations.of_removed():
        told["notes_waiting"] = waiting
    return told


def recent_as_json(recent: Recent, own: OwnDocuments, settings: KeepingSettings) -> RecentJson:
    """Return what was asked of late, and what is kept of a person's own documents."""
    found, kept = recent.listed(), own.files()
    return {
        "entries": [
            {
                "key": one.key,
                "page": one.page,
                "title": one.title,
                "link": one.address,
                "when": datetime.fromtimestamp(one.when, UTC).isoformat(timespec="seconds"),
            }
            for one in found.entries
        ],
        "damaged": found.damaged,
        "own_documents": {"documents": len(kept), "megabytes": round(sum(file.bytes for file in kept) / 1e6, 3)},
        "settings": cast(KeepingSettingsJson, asdict(settings)),
    }
