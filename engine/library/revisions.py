"""Which documents got another text after they came in, so that their vectors can be made anew."""

from __future__ import annotations

import sqlite3

from engine.library.database import has_table

# The table came after the first libraries: it is made with the first revision.
_TABLE = "CREATE TABLE IF NOT EXISTS revisions (id TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID"


def note(connection: sqlite3.Connection, id_: str) -> None:
    """A document's text has changed."""
    connection.execute(_TABLE)
    connection.execute("INSERT OR REPLACE INTO revisions VALUES (?, ?)", (id_, latest(connection) + 1))


def latest(connection: sqlite3.Connection) -> int:
    """The number of the last revision; 0 where no text was ever changed."""
    if not has_table(connection, "revisions"):
        return 0
    return int(connection.execute("SELECT coalesce(max(number), 0) FROM revisions").fetchone()[0])


def since(connection: sqlite3.Connection, number: int) -> list[str]:
    """The ids of documents whose text has changed after a revision."""
    if not has_table(connection, "revisions"):
        return []
    return [
        id_ for (id_,) in connection.execute("SELECT id FROM revisions WHERE number > ? ORDER BY number", (number,))
    ]
