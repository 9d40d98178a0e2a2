"""Documents as rows of a library's database, and small facts about a library."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass

from engine.core.errors import StorageError
from engine.documents import Document, Kind, as_fields, from_fields

_COMPRESSION_LEVEL = 3  # of zlib: a third of the size in a quarter of level 9's time


@dataclass(frozen=True, slots=True)
class Added:
    """What one file brought: new documents, duplicates folded into others, and how many of those completed one."""

    added: int
    folded: int
    completed: int = 0


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file that a library holds whole; `key` is the sha256 of its content."""

    key: str
    name: str
    documents: int
    folded: int
    when: str


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be imported, why, and when (ISO 8601, UTC)."""

    name: str
    reason: str
    when: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a library holds; years are None while no document has one."""

    documents: int
    papers: int
    patents: int
    files: int
    folded: int
    failures: int
    year_min: int | None
    year_max: int | None


@dataclass(frozen=True, slots=True)
class Summaries:
    """What the map needs of every document: lists of one length, in the order of import.

    A year is 0 where it is unknown; a category is the first one's group, "" for a document without categories.
    """

    ids: list[str]
    titles: list[str]
    years: list[int]
    kinds: list[Kind]
    categories: list[str]
    venues: list[str]


@dataclass(frozen=True, slots=True)
class Titled:
    """What a title's search reads of a document, without unpacking it."""

    id: str
    kind: Kind
    title: str
    year: int | None


def pack(document: Document) -> bytes:
    """A document as compressed JSON."""
    text = json.dumps(as_fields(document), ensure_ascii=False)
    return zlib.compress(text.encode("utf-8", "replace"), _COMPRESSION_LEVEL)


def unpack(body: bytes) -> Document:
    """The document that `pack` wrote. Raises StorageError where it is damaged."""
    try:
        fields = json.loads(zlib.decompress(body))
    except (zlib.error, ValueError) as error:
        raise StorageError(
            f"Expected a document in the library, found damaged bytes ({error}). Restore the library's folder from a "
            "copy, or move it away and import again."
        ) from None
    return from_fields(fields)
