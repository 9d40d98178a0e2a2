"""Where a document stands in a library's database: by its id, by that of a folded version, by what it says."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from engine.core.errors import UnknownDocumentError
from engine.documents import Document, Identifier, works

_BY_ID = """
SELECT id FROM documents WHERE id = :id
UNION SELECT documents.id FROM aliases JOIN documents USING (position)
WHERE aliases.id = :id AND NOT EXISTS (SELECT 1 FROM documents WHERE id = :id)
"""
_BY_NUMBER = "SELECT id FROM documents WHERE kind = 'patent' AND (id = :id OR (id >= :id || 'A' AND id < :id || '['))"
_BY_KEY = "SELECT id, kind, year FROM identities JOIN documents USING (position) WHERE key = ?"


def position_of(connection: sqlite3.Connection, id_: str) -> int:
    """The position of a document; a folded duplicate's id gives that of the document it is folded into.

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


def id_of(connection: sqlite3.Connection, id_: str) -> str:
    """The id under which a document is held. Raises UnknownDocumentError where none is."""
    position = position_of(connection, id_)
    return str(connection.execute("SELECT id FROM documents WHERE position = ?", (position,)).fetchone()[0])


def known_as(connection: sqlite3.Connection, identifiers: Iterable[Identifier]) -> list[str]:
    """The ids of the documents with one of these numbers.

    A library that was filled before it kept every number (`works.known_as`) finds those that documents are named by.
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
        named = f"id:{'pmc' if scheme == 'pmc' else f'{scheme}:'}{number}"
        found |= dict.fromkeys(id_ for id_, _, _ in connection.execute(_BY_KEY, (named,)))
    return list(found)


def copies_of(connection: sqlite3.Connection, query: Document) -> set[str]:
    """The ids of all documents of a library that are `query` itself."""
    found = {id_ for (id_,) in connection.execute(_BY_ID, {"id": query.id})}
    for key in works.keys(query):
        for id_, kind, year in connection.execute(_BY_KEY, (key,)):
            if works.is_query(key, kind, year, query):
                found.add(id_)
    return found
