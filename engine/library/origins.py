"""Which file a document came from, so that a file can be removed with the documents that only it brought."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from engine.errors import LibraryError


def note(connection: sqlite3.Connection, key: str, records: Mapping[str, int]) -> None:
    """Record that these documents came with a file, even those that were already held, and with how many records."""
    rows = [(id_, key, number) for id_, number in records.items()]
    connection.executemany("INSERT OR IGNORE INTO origins VALUES (?, ?, ?)", rows)


def add_records(connection: sqlite3.Connection) -> None:
    """Give each file that was imported before records were counted as many as it told of.

    Which document a file repeated was not kept, so its first one gets them all: sums over files are right.
    """
    earlier = (
        "SELECT count(*) FROM origins AS one WHERE one.file = files.key AND EXISTS (SELECT 1 FROM origins AS other"
        " JOIN files AS before ON before.key = other.file WHERE other.document = one.document"
        " AND before.imported_at < files.imported_at)"
    )
    for key, folded, known in connection.execute(f"SELECT key, folded, ({earlier}) FROM files WHERE folded").fetchall():
        first = "(SELECT min(document) FROM origins WHERE file = :key)"
        query = f"UPDATE origins SET records = records + :more WHERE file = :key AND document = {first}"
        connection.execute(query, {"key": key, "more": max(0, folded - known)})


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
