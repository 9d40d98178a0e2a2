"""What a person wrote about documents that were removed, kept so that it comes back when one is imported again.

Of such a document its title, year, authors and numbers stay, and its keys, by which the rules of import know the work
(`engine/documents/works.py`). `forget` drops all of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.documents import Document, works
from engine.library.records import pack, unpack

_TABLES = ("notes", "tags", "read_marks", "screened")
AWAY = ("\n", "\v")
"""Names under which marks wait lie between these two."""
_AWAY = AWAY[0]  # begins the name under which marks wait: no document's id does, so that no other work gets them


def keep(connection: sqlite3.Connection, documents: Iterable[tuple[int, Document]]) -> None:
    """Set aside what was written about documents, by position, that are about to be removed."""
    for position, document in documents:
        if not any(_has(connection, table, document.id) for table in _TABLES):
            continue
        keys = [key for (key,) in connection.execute("SELECT key FROM identities WHERE position = ?", (position,))]
        known = pack(
            replace(
                Document(document.id, document.kind, document.title, year=document.year, authors=document.authors),
                identifiers=document.identifiers,
            )
        )
        away = _AWAY + document.id
        _rename(connection, document.id, away)
        connection.execute("INSERT OR REPLACE INTO remembered VALUES (?, ?)", (away, known))
        rows = [(key, away) for key in (*keys, _id_key(document.id))]
        connection.executemany("INSERT OR IGNORE INTO remembered_keys VALUES (?, ?)", rows)
        note_change(connection)


def bring_back(connection: sqlite3.Connection, document: Document, keys: Sequence[str]) -> None:
    """Give a document that came in what was written about the same work before it was removed."""
    if not count(connection):
        return
    rules = (*works.RULES_OF_IMPORT, (_id_key(""), works.same_title))
    for beginning, same in rules:
        for key in (one for one in (*keys, _id_key(document.id)) if one.startswith(beginning)):
            query = "SELECT document, body FROM remembered JOIN remembered_keys USING (document) WHERE key = ?"
            for away, body in connection.execute(query, (key,)).fetchall():
                if same(unpack(body), document):
                    _rename(connection, away, document.id)
                    connection.execute("DELETE FROM remembered WHERE document = ?", (away,))
                    connection.execute("DELETE FROM remembered_keys WHERE document = ?", (away,))
                    note_change(connection)
                    return


def count(connection: sqlite3.Connection) -> int:
    """About how many removed documents something is kept."""
    return int(connection.execute("SELECT count(*) FROM remembered").fetchone()[0])


def forget(connection: sqlite3.Connection) -> int:
    """Forget what was written about removed documents, and that they were here; returns about how many."""
    connection.execute("PRAGMA secure_delete = ON")  # removed data is overwritten, not only unlinked
    number = count(connection)
    for table in _TABLES:
        connection.execute(f"DELETE FROM {table} WHERE document IN (SELECT document FROM remembered)")
    for table in ("remembered", "remembered_keys"):
        connection.execute(f"DELETE FROM {table}")
    return number


def changes(connection: sqlite3.Connection) -> int:
    """How often notes, tags, read marks or screening decisions have changed."""
    return int(connection.execute("SELECT changes FROM annotating").fetchone()[0])


def note_change(connection: sqlite3.Connection) -> None:
    """Notes, tags, read marks or screening decisions have changed."""
    connection.execute("UPDATE annotating SET changes = changes + 1")


def _rename(connection: sqlite3.Connection, id_: str, to: str) -> None:
    for table in _TABLES:
        connection.execute(f"UPDATE OR REPLACE {table} SET document = ? WHERE document = ?", (to, id_))


def _has(connection: sqlite3.Connection, table: str, id_: str) -> bool:
    return connection.execute(f"SELECT 1 FROM {table} WHERE document = ? LIMIT 1", (id_,)).fetchone() is not None


def _id_key(id_: str) -> str:
    return f"own:{id_}"
