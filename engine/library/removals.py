"""Takes documents out of a library's database, with all that was kept of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from engine.documents import Document
from engine.library import origins, revisions
from engine.library.judgements import drop_without_grades
from engine.library.keyword_tables import KeywordEraser
from engine.library.records import unpack

_BY_POSITION = ("contents", "categories", "postings", "identities", "aliases", "documents")
_BY_ID = (("collected", "document"), ("judgements", "document"))


def remove(connection: sqlite3.Connection, positions: Sequence[int]) -> None:
    """Take out the documents at some positions, and every file that none of its documents is left of.

    Their positions are never given again: what was read under one would be taken for another document's.
    """
    connection.execute("PRAGMA secure_delete = ON")  # what was removed is overwritten, not only let go
    erase = KeywordEraser(connection)
    documents = [(position, _read(connection, position)) for position in positions]
    for position, document in documents:
        erase(position, document)
        for table in _BY_POSITION:
            connection.execute(f"DELETE FROM {table} WHERE position = ?", (position,))
    ids = [document.id for _, document in documents]
    for table, column in _BY_ID:
        connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(id_,) for id_ in ids])
    revisions.forget(connection, ids)
    drop_without_grades(connection)
    emptied = origins.forget_documents(connection, ids)
    connection.executemany("DELETE FROM files WHERE key = ?", [(key,) for key in emptied])
    _count(connection, positions)


def last_position(connection: sqlite3.Connection) -> int:
    """The highest position that a document has or ever had."""
    held: int = connection.execute("SELECT coalesce(max(position), 0) FROM documents").fetchone()[0]
    return max(held, _row(connection)[1])


def version(connection: sqlite3.Connection) -> int:
    """A number that grows with every document that comes in, is changed or is taken out."""
    return last_position(connection) + _row(connection)[0]


def _count(connection: sqlite3.Connection, positions: Sequence[int]) -> None:
    number, last = _row(connection)
    row = number + len(positions), max(last, *positions)
    connection.execute("UPDATE removals SET documents = ?, last = ?", row)


def _row(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many documents were ever taken out, and the highest position among theirs."""
    number, last = connection.execute("SELECT documents, last FROM removals").fetchone()
    return int(number), int(last)


def _read(connection: sqlite3.Connection, position: int) -> Document:
    return unpack(connection.execute("SELECT body FROM contents WHERE position = ?", (position,)).fetchone()[0])
