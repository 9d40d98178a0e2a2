"""Which file a document came from, so that a file can be removed with the documents that only it brought."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from engine.errors import LibraryError


def note(connection: sqlite3.Connection, key: str, ids: Iterable[str]) -> None:
    """Record that these documents came with a file, even those that were already held."""
    connection.executemany("INSERT OR IGNORE INTO origins VALUES (?, ?)", [(id_, key) for id_ in ids])


def documents_of(connection: sqlite3.Connection, key: str) -> list[str]:
    """The ids of a file's documents that came with no other file.

    Raises LibraryError for an unknown file, or one whose documents were not recorded.
    """
    row = connection.execute("SELECT name, documents FROM files WHERE key = ?", (key,)).fetchone()
    if row is None:
        raise LibraryError(f"Expected a file of the library, got the key {key!r}. Choose one that it lists.")
    query = (
        "SELECT document, (SELECT count(*) FROM origins AS other WHERE other.document = origins.document)"
        " FROM origins WHERE file = ? ORDER BY document"
    )
    found = connection.execute(query, (key,)).fetchall()
    if row[1] and not found:
        raise LibraryError(
            f"Expected a file whose documents are known; {row[0]} was imported before this was kept. Remove its "
            "documents one by one."
        )
    return [id_ for id_, files in found if files == 1]


def files_of(connection: sqlite3.Connection, id_: str) -> list[str]:
    """The keys of the files that a document came with."""
    found = connection.execute("SELECT file FROM origins WHERE document = ? ORDER BY file", (id_,))
    return [file for (file,) in found]


def forget_documents(connection: sqlite3.Connection, ids: Sequence[str]) -> list[str]:
    """Forget where documents came from; returns the keys of files with no document left."""
    touched: set[str] = set()
    for id_ in ids:
        touched.update(files_of(connection, id_))
        connection.execute("DELETE FROM origins WHERE document = ?", (id_,))
    return [key for key in sorted(touched) if not _is_origin(connection, key)]


def forget_file(connection: sqlite3.Connection, key: str) -> None:
    """Forget a file, and what came with it."""
    connection.execute("DELETE FROM origins WHERE file = ?", (key,))
    connection.execute("DELETE FROM files WHERE key = ?", (key,))


def _is_origin(connection: sqlite3.Connection, key: str) -> bool:
    return connection.execute("SELECT 1 FROM origins WHERE file = ? LIMIT 1", (key,)).fetchone() is not None
