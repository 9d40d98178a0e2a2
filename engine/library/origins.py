"""Which file a document came from, so that a file can be removed with the documents that only it brought."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from engine.core.errors import LibraryError

_NUMBER = "(SELECT number FROM files WHERE key = ?)"


def note(connection: sqlite3.Connection, file: int, records: Mapping[str, int]) -> None:
    """Record that these documents came with a file, even those that were already held, and with how many records.

    `file` is its number, and a document is known by `added`: both are small and stay, whatever completes a document.
    """
    rows = [(file, number, id_) for id_, number in records.items()]
    connection.executemany("INSERT OR IGNORE INTO origins SELECT added, ?, ? FROM documents WHERE id = ?", rows)


def next_number(connection: sqlite3.Connection) -> int:
    """The number of the next file."""
    return int(connection.execute("SELECT coalesce(max(number), 0) + 1 FROM files").fetchone()[0])


def number_files(connection: sqlite3.Connection) -> None:
    """Number the files of a library that was filled before it did, the first import first."""
    keys = connection.execute("SELECT key FROM files ORDER BY imported_at, key").fetchall()
    rows = [(number, key) for number, (key,) in enumerate(keys, start=1)]
    connection.executemany("UPDATE files SET number = ? WHERE key = ?", rows)


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
    row = connection.execute("SELECT name, documents, number FROM files WHERE key = ?", (key,)).fetchone()
    if row is None:
        raise LibraryError(f"Expected a file of the library, got the key {key!r}. Choose one that it lists.")
    query = (
        "SELECT id, (SELECT count(*) FROM origins AS other WHERE other.added = origins.added)"
        " FROM origins JOIN documents USING (added) WHERE file = ? ORDER BY id"
    )
    found = connection.execute(query, (row[2],)).fetchall()
    if row[1] and not found:
        raise LibraryError(
            f"Expected a file whose documents are known; {row[0]} was imported before this was kept. Remove its "
            "documents one by one."
        )
    return [id_ for id_, files in found if files == 1]


def files_of(connection: sqlite3.Connection, id_: str) -> list[str]:
    """The keys of the files that a document came with."""
    query = (
        "SELECT key FROM documents JOIN origins USING (added) JOIN files ON number = file WHERE documents.id = ?"
        " ORDER BY key"
    )
    return [key for (key,) in connection.execute(query, (id_,))]


def forget_documents(connection: sqlite3.Connection, ids: Sequence[str]) -> list[str]:
    """Forget where documents, which are still held, came from; returns the keys of files with no document left."""
    touched: set[str] = set()
    for id_ in ids:
        touched.update(files_of(connection, id_))
        connection.execute("DELETE FROM origins WHERE added = (SELECT added FROM documents WHERE id = ?)", (id_,))
    return [key for key in sorted(touched) if not _is_origin(connection, key)]


def forget_file(connection: sqlite3.Connection, key: str) -> None:
    """Forget a file, and what came with it."""
    connection.execute(f"DELETE FROM origins WHERE file = {_NUMBER}", (key,))
    connection.execute("DELETE FROM files WHERE key = ?", (key,))


def _is_origin(connection: sqlite3.Connection, key: str) -> bool:
    query = f"SELECT 1 FROM origins WHERE file = {_NUMBER} LIMIT 1"
    return connection.execute(query, (key,)).fetchone() is not None
