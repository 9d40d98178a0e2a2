"""Removes documents from a library's database, with everything kept about them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from engine.documents import Document
from engine.library import origins, remembered, revisions
from engine.library.judgements import drop_without_grades
from engine.library.keyword_tables import KeywordEraser
from engine.library.records import unpack

_BY_POSITION = ("contents", "categories", "people", "postings", "identities", "aliases", "documents")
_BY_ID = (("collected", "document"), ("judgements", "document"))


def remove(connection: sqlite3.Connection, positions: Sequence[int]) -> None:
    """Remove the documents at some positions, and every file with no document left; notes wait (`remembered`).

    Their positions are never used again: what was read under one could be taken for another document's.
    """
    connection.execute("PRAGMA secure_delete = ON")  # removed data is overwritten, not only unlinked
    erase = KeywordEraser(connection)
    documents = [(position, _read(connection, position)) for position in positions]
    remembered.keep(connection, documents)
    ids = [document.id for _, document in documents]
    emptied = origins.forget_documents(connection, ids)
    for position, document in documents:
        erase(position, document)
        for table in _BY_POSITION:
            connection.execute(f"DELETE FROM {table} WHERE position = ?", (position,))
    for table, column in _BY_ID:
        connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(id_,) for id_ in ids])
    revisions.forget(connection, ids)
    drop_without_grades(connection)
    connection.executemany("DELETE FROM files WHERE key = ?", [(key,) for key in emptied])
    _count(connection, positions)


def last_position(connection: sqlite3.Connection) -> int:
    """The highest position ever given to a document."""
    held: int = connection.execute("SELECT coalesce(max(position), 0) FROM documents").fetchone()[0]
    return max(held, _row(connection)[1])


def version(connection: sqlite3.Connection) -> int:
    """A number that grows whenever a document is added, changed or removed."""
    return last_position(connection) + _row(connection)[0]


def _count(connection: sqlite3.Connection, positions: Sequence[int]) -> None:
    number, last = _row(connection)
    row = number + len(positions), max(last, *positions)
    connection.execute("UPDATE removals SET documents = ?, last = ?", row)


def _row(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many documents were ever removed, and the highest of their positions."""
    number, last = connection.execute("SELECT documents, last FROM removals").fetchone()
    return int(number), int(last)


def _read(connection: sqlite3.Connection, position: int) -> Document:
    return unpack(connection.execute("SELECT body FROM contents WHERE position = ?", (position,)).fetchone()[0])
