"""Documents as records of a library's database, and small facts about a library.

A document is stored whole, beside the columns by which it is sorted and found: its title in order, its categories (a
patent's class stands for all its groups, however a code is spelt), its id, a folded version's id, and what it says.
"""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from engine.core.errors import StorageError, UnknownDocumentError
from engine.documents import Document, Identifier, Kind, as_fields, from_fields, works
from engine.documents.text import without_accents

_COMPRESSION_LEVEL = 3  # of zlib: a third of the size in a quarter of level 9's time


@dataclass(frozen=True, slots=True)
class Added:
    """What one file brought: new documents, duplicates folded into others, and how many of those completed one.

    `returned` are the ids of new ones that had been removed: the file was here before.
    """

    added: int
    folded: int
    completed: int = 0
    returned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file that a library holds whole; `key` is the sha256 of its content, `notes` say what of it was left out."""

    key: str
    name: str
    documents: int
    folded: int
    when: str
    notes: tuple[str, ...] = ()


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
    """Return a document as compressed JSON."""
    return packed(document)[0]


def packed(document: Document) -> tuple[bytes, Document]:
    """Return a document as compressed JSON, and as it will be read back: broken characters are replaced."""
    text = json.dumps(as_fields(document), ensure_ascii=False)
    try:
        return zlib.compress(text.encode(), _COMPRESSION_LEVEL), document
    except UnicodeEncodeError:
        body = zlib.compress(text.encode("utf-8", "replace"), _COMPRESSION_LEVEL)
        return body, unpack(body)


def unpack(body: bytes) -> Document:
    """Return the document that `pack` wrote. Raises StorageError where it is damaged."""
    try:
        fields = json.loads(zlib.decompress(body))
    except (zlib.error, ValueError) as error:
        raise StorageError(
            f"Expected a document in the library, found damaged bytes ({error}). Restore the library's folder from a "
            "copy, or move it away and import again."
        ) from None
    return from_fields(fields)


_LEADING = re.compile(r"^[\W_]+")
_CHARACTERS = 200


def sort_title(title: str) -> str | None:
    """Return a title in small letters, without accents, from its first letter or digit on; None without one."""
    return _LEADING.sub("", without_accents(title.casefold()))[:_CHARACTERS] or None


_PATENT_CLASS = re.compile(r"[A-HY][0-9]{2}[A-Z]")
_PATENT_CODE = re.compile(r"[A-HY][0-9]{2}[A-Z](?:[0-9]{1,4}/[0-9]{2,6})?")


def category_group(category: str) -> str:
    """Return what a category counts under: a patent's class ("G06F 17/30" -> "G06F"), else the category itself."""
    compact = category.replace(" ", "")
    return _patent_code(category)[:4] or (compact[:4] if _PATENT_CLASS.match(compact) else category)


def _patent_code(category: str) -> str:
    """Return a patent's class or code as it is compared, "G06F17/30" for "g06f 17/30"; empty for other categories."""
    compact = category.replace(" ", "").upper()
    return compact if _PATENT_CODE.fullmatch(compact) else ""


def select_in_category(categories: Iterable[str]) -> tuple[str, list[str]]:
    """Return an SQL query for the positions of the documents that have one of some categories, and its parameters."""
    named = set(categories)
    codes = {code for category in named if (code := _patent_code(category))}
    exact = sorted(named | codes)
    query = f"SELECT position FROM categories WHERE category IN ({placeholders(len(exact))})"
    spelt = sorted(code for code in codes if len(code) > 4)  # classes are stored in the form compared
    if not spelt:
        return query, exact
    heads = {head for code in spelt for head in (code[:3], f"{code[0]} ")}
    starts = sorted(heads | {head.lower() for head in heads})
    ranges = " OR ".join(["(category >= ? AND category < ?)"] * len(starts))  # so that the table's key is used
    query += (
        f" UNION ALL SELECT position FROM categories WHERE ({ranges})"
        f" AND upper(replace(category, ' ', '')) IN ({placeholders(len(spelt))})"
    )
    return query, [*exact, *(end for start in starts for end in (start, start[:-1] + chr(ord(start[-1]) + 1))), *spelt]


def placeholders(number: int) -> str:
    """Return the places of `number` parameters in an SQL list."""
    return ", ".join("?" * number)


_BY_ID = """
SELECT id FROM documents WHERE id = :id
UNION SELECT documents.id FROM aliases JOIN documents USING (position)
WHERE aliases.id = :id AND NOT EXISTS (SELECT 1 FROM documents WHERE id = :id)
"""
_BY_NUMBER = "SELECT id FROM documents WHERE kind = 'patent' AND (id = :id OR (id >= :id || 'A' AND id < :id || '['))"
_BY_KEY = "SELECT id, kind, year FROM identities JOIN documents USING (position) WHERE key = ?"


def position_of(connection: sqlite3.Connection, id_: str) -> int:
    """Return the position of a document; a folded duplicate's id gives that of the document it is folded into.

    Raises UnknownDocumentError for an id that is not held.
    """
    row = connection.execute(
        "SELECT coalesce((SELECT position FROM documents WHERE id = :id),"
        " (SELECT position FROM aliases WHERE id = :id))",
        {"id": id_},
    ).fetchone()
    if row[0] is None:
        raise UnknownDocumentError(
            f"Expected the id of a document in the library; it holds none with the id {id_!r}. Search by title, or "
            "import the document first."
        )
    return int(row[0])


def read_document(connection: sqlite3.Connection, position: int) -> Document:
    """Read the document at a position that is held. Raises StorageError where it is damaged."""
    return unpack(connection.execute("SELECT body FROM contents WHERE position = ?", (position,)).fetchone()[0])


def id_of(connection: sqlite3.Connection, id_: str) -> str:
    """Return the id under which a document is held. Raises UnknownDocumentError where none is."""
    position = position_of(connection, id_)
    return str(connection.execute("SELECT id FROM documents WHERE position = ?", (position,)).fetchone()[0])


def find_by_numbers(connection: sqlite3.Connection, identifiers: Iterable[Identifier]) -> list[str]:
    """Return the ids of the documents with one of these numbers.

    A library that was filled before it kept every number (`works.known_as`) finds those that documents are named by,
    and that versions which were folded into them were named by.
    """
    found: dict[str, None] = {}
    for identifier in identifiers:
        key = works.number_key(identifier)
        if not key:
            continue
        found |= dict.fromkeys(id_ for id_, _, _ in connection.execute(_BY_KEY, (key,)))
        _, scheme, number = key.split(":", 2)
        if scheme == "patent":
            rows = connection.execute(_BY_NUMBER, {"id": number.upper()}).fetchall()
            found |= dict.fromkeys(id_ for (id_,) in rows if works.number_key(Identifier("patent", id_)) == key)
        names = [f"{'pmc' if scheme == 'pmc' else f'{scheme}:'}{number}"]
        names += [f"doi:10.48550/arxiv.{number}"] if scheme == "arxiv" else []
        for earlier in (f"{start}{name}" for name in names for start in ("id:", "known:")):
            found |= dict.fromkeys(id_ for id_, _, _ in connection.execute(_BY_KEY, (earlier,)))
        for folded in (*names, f"{scheme}:{identifier.value}", f"arXiv:{number}", f"PMC{number}"):
            found |= dict.fromkeys(id_ for (id_,) in connection.execute(_BY_ID, {"id": folded}))
    return list(found)


def copies_of(connection: sqlite3.Connection, query: Document) -> set[str]:
    """Return the ids of all documents of a library that are `query` itself."""
    found = {id_ for (id_,) in connection.execute(_BY_ID, {"id": query.id})}
    for key in works.keys(query):
        for id_, kind, year in connection.execute(_BY_KEY, (key,)):
            if works.is_query(key, kind, year, query):
                found.add(id_)
    return found
