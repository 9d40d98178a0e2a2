"""Documents as rows of a library's database, and the small answers that it gives about itself."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from engine.documents import Document, Kind, PageStart, Section
from engine.errors import StorageError

_LISTS = ("categories", "keywords", "authors", "claims")
_COMPRESSION_LEVEL = 3  # of zlib: a third of the size in a quarter of level 9's time


@dataclass(frozen=True, slots=True)
class Added:
    """What one file brought: documents that are new, duplicates folded into others, and how many that completed."""

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

    A year is 0 where it is unknown; a category is the first one's group, "" where there is none.
    """

    ids: list[str]
    titles: list[str]
    years: list[int]
    kinds: list[Kind]
    categories: list[str]
    venues: list[str]


def as_fields(document: Document) -> dict[str, Any]:
    """A document as JSON holds it; what is empty is left out."""
    fields = {
        "id": document.id,
        "kind": document.kind,
        "title": document.title,
        "abstract": document.abstract,
        "sections": [_section(section) for section in document.sections],
        "year": document.year,
        "categories": document.categories,
        "keywords": document.keywords,
        "venue": document.venue,
        "authors": document.authors,
        "url": document.url,
        "family": document.family,
        "claims": document.claims,
    }
    return {name: value for name, value in fields.items() if value}


def from_fields(fields: Mapping[str, Any]) -> Document:
    """The document of `as_fields`."""
    given = {**fields, **{name: tuple(fields.get(name, ())) for name in _LISTS}}
    given["sections"] = tuple(
        Section(title, text, role, tuple(PageStart(*start) for start in chain.from_iterable(pages)))
        for title, text, role, *pages in fields.get("sections", ())
    )
    return Document(**given)


def _section(section: Section) -> list[Any]:
    """A section as a list, its pages at the end where they are known."""
    return [section.title, section.text, section.role, *([section.pages] if section.pages else [])]


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
