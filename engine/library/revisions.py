"""Which documents' texts changed after import, so that their vectors can be made again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

_NOBODY = ""  # no document has this id: its row keeps the last number when the document that had it is taken out


def note(connection: sqlite3.Connection, id_: str) -> None:
    """A document's text has changed."""
    connection.execute("INSERT OR REPLACE INTO revisions VALUES (?, ?)", (id_, latest(connection) + 1))


def forget(connection: sqlite3.Connection, ids: Iterable[str]) -> None:
    """Record that documents were removed; the last revision's number stays, because indexes compare theirs with it."""
    if number := latest(connection):
        connection.execute("INSERT OR REPLACE INTO revisions VALUES (?, ?)", (_NOBODY, number))
    connection.executemany("DELETE FROM revisions WHERE id = ?", [(id_,) for id_ in ids])


def latest(connection: sqlite3.Connection) -> int:
    """The number of the last revision; 0 where no text was ever changed."""
    return int(connection.execute("SELECT coalesce(max(number), 0) FROM revisions").fetchone()[0])


def since(connection: sqlite3.Connection, number: int) -> list[str]:
    """The ids of documents whose text has changed after a revision."""
    found = connection.execute(
        "SELECT id FROM revisions WHERE number > ? AND id <> ? ORDER BY number", (number, _NOBODY)
    )
    return [id_ for (id_,) in found]
