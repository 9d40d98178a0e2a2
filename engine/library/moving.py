"""Copies a library from one store into another: from a folder to a server, back, or between two of a kind.

Rows are copied table by table in the order of their keys, some thousands at once, so that a copy that was stopped goes
on behind the last row that it wrote. It stands apart until every table has the rows of the library, by their number and
their SHA-256, and then takes its place at one stroke. The library itself is only read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.core import files
from engine.core.errors import LibraryError, StorageError
from engine.core.progress import Meter, Report, silent
from engine.core.stores import STORES, stores_of
from engine.library.connections import AnyDatabase, Connection
from engine.library.database import Database
from engine.library.keywords import columns_of, index_again
from engine.library.records import unpack
from engine.library.store import DATABASE, KEPT, open_database

_KEYS: Mapping[str, str] = {
    **{"terms": "number", "documents": "position", "contents": "position", "postings": "position"},
    **{"categories": "category, position", "identities": "key, position", "aliases": "id"},
    **{"people": "name, position, person", "origins": "added, file", "revisions": "id", "files": "key"},
    **{"failures": "name", "judged_queries": "key", "judgements": "query, document", "notes": "document"},
    **{"tags": "key, document", "read_marks": "document", "remembered": "document"},
    **{"remembered_keys": "key, document", "screened": "review, document", "to_screen": "review, document"},
    **{"collections": "made_at, name", "collected": "added_at, collection, document", "reviews": "number"},
}
"""The tables, and by what their rows are put in one order in every store: names in any letter case have none."""
_ONE_ROW = ("removals", "annotating", "indexing")
TABLES = (*_KEYS, *_ONE_ROW)
_PAGE = 2_000
_BEGUN = f".{DATABASE}.moving"
_TRIES = 2


@dataclass(frozen=True, slots=True)
class MovedLibrary:
    """A library that was copied: its documents, the rows of all tables, and the files of its folder."""

    documents: int
    rows: int
    files: int


def move_library(source: Path, target: Path, report: Report = silent) -> MovedLibrary:
    """Copy the library of the folder `source`, on whatever store it is, to that of the folder `target`.

    Both folders say by their `Stores` where the documents lie. A copy that was stopped goes on. Raises LibraryError
    where the source is missing or the target holds a library, StorageError where one of them cannot be read or written,
    or the source is changed all the time.
    """
    _refuse(source, target)
    with closing(open_database(source)) as held:
        index_again(held, report)
        for last in range(_TRIES - 1, -1, -1):
            with closing(_begun(target)) as copy:
                _copy_rows(held, copy, report)
                counts = _compare(held, copy, report)
            if counts is not None:
                break
            _forget(target)
            if not last:
                raise StorageError(
                    f"Expected the library in {files.shown(source)} to rest; it is changed all the time. Nothing was "
                    "moved: stop what imports into it, and try again."
                )
    assert counts is not None
    number = _copy_files(source, target, report)
    _settle(target)
    return MovedLibrary(counts["documents"], sum(counts.values()), number)


def _refuse(source: Path, target: Path) -> None:
    """Raise LibraryError where the target is a library already, or the source."""
    there = stores_of(target).documents
    if source.resolve() == target.resolve() or (there and there == stores_of(source).documents):
        raise LibraryError(f"Expected two places, got {files.shown(source)} twice. Name another to copy it to.")
    try:
        open_database(target, read_only=True).close()
    except LibraryError:
        return
    raise LibraryError(
        f"Expected a place without a library, got {there or files.shown(target)}, which holds one. Name a new folder "
        "or an empty database."
    )


# Where the copy stands until it is whole ------------------------------------------------------------


def _begun(target: Path) -> AnyDatabase:
    """Open the copy that was begun, or begin one."""
    if address := stores_of(target).documents:
        from engine.library.postgres import MOVING, PostgresDatabase

        return PostgresDatabase(address, create=True, schema=MOVING)
    files.make_private_folder(target)
    path = target / _BEGUN
    if not path.exists():
        files.make_private_file(path)
    return Database(path)


def _forget(target: Path) -> None:
    """Remove the copy that was begun."""
    if address := stores_of(target).documents:
        from engine.library.postgres import MOVING, rename_schema

        rename_schema(address, MOVING, "")
        return
    for path in target.glob(f"{_BEGUN}*"):
        path.unlink()


def _settle(target: Path) -> None:
    """Let the whole copy be the library."""
    if address := stores_of(target).documents:
        from engine.library.postgres import MOVING, SCHEMA, rename_schema

        rename_schema(address, MOVING, SCHEMA)
        return
    files.put_in_place(target / _BEGUN, target / DATABASE)


# Rows ---------------------------------------------------------------------------------------------


def _copy_rows(source: AnyDatabase, target: AnyDatabase, report: Report) -> None:
    """Copy what the target lacks: of each table, what comes behind its last row."""
    with source.read() as connection:
        counts = {table: _count(connection, table) for table in TABLES}
    meter = Meter("copy rows", sum(counts.values()), report)
    for table, keys in _KEYS.items():
        with target.read() as connection:
            last = connection.execute(f"SELECT {keys} FROM {table} ORDER BY {_backwards(keys)} LIMIT 1").fetchone()
            meter.add(_count(connection, table))
        for page in _pages(source.read, table, keys, last):
            with target.write() as connection:
                signs = ", ".join("?" * len(page[0]))
                connection.executemany(f"INSERT INTO {table} VALUES ({signs})", page)
                for position, body in page if table == "contents" else ():
                    listed, titled = columns_of(unpack(body))
                    connection.add_words(position, listed[:titled], listed[titled:])
            meter.add(len(page))
    with source.read() as read, target.write() as connection:
        for table in _ONE_ROW:
            row = read.execute(f"SELECT * FROM {table}").fetchone()
            connection.execute(f"DELETE FROM {table}")
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
            meter.add()
    meter.finish()


def _pages(
    read: Callable[[], Any], table: str, keys: str, last: tuple[Any, ...] | None = None
) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the rows of a table in the order of their keys, from behind the `last` one, a page at a time.

    `read` gives a connection for each page, so that none is held while another store writes.
    """
    width = len(keys.split(", "))
    while True:
        where = f" WHERE ({keys}) > ({', '.join('?' * width)})" if last else ""
        with read() as connection:
            query = f"SELECT {keys}, {table}.* FROM {table}{where} ORDER BY {keys} LIMIT {_PAGE}"
            rows = connection.execute(query, last or ()).fetchall()
        if not rows:
            return
        last = tuple(rows[-1][:width])
        yield [tuple(row[width:]) for row in rows]


def _compare(source: AnyDatabase, target: AnyDatabase, report: Report) -> dict[str, int] | None:
    """Return how many rows each table has, the same in both stores; None where any row differs."""
    counts: dict[str, int] = {}
    meter = Meter("compare rows", len(TABLES), report)
    with source.read() as here, target.read() as there:
        for table in TABLES:
            counts[table] = _count(here, table)
            if _digest(here, table) != _digest(there, table):
                return None
            meter.add()
        if _count(there, "keywords") != counts["documents"]:  # the library's own may tell of texts that it held once
            return None
    meter.finish()
    return counts


def _digest(connection: Connection, table: str) -> str:
    """Return the SHA-256 of all rows of a table; a sign that PostgreSQL takes in no text is as it keeps it there."""

    class _Same:
        def __enter__(self) -> Connection:
            return connection

        def __exit__(self, *_: object) -> None:
            """Leave the connection to its owner."""

    if table in _ONE_ROW:
        return repr(tuple(connection.execute(f"SELECT * FROM {table}").fetchone()))
    digest = ""
    for page in _pages(_Same, table, _KEYS[table]):
        parts = [part for row in page for value in row for part in _written(value)]
        digest = files.sha256_bytes(digest.encode() + b"".join(parts))
    return digest


def _written(value: object) -> tuple[bytes, bytes]:
    """Return a value with its kind and length before it."""
    kind = type(value).__name__[:1]
    data = value if isinstance(value, bytes) else str(value).replace("\0", "\ufffd").encode("utf-8", "surrogatepass")
    return f"{kind}{len(data)}:".encode(), data


def _count(connection: Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def _backwards(keys: str) -> str:
    return ", ".join(f"{key} DESC" for key in keys.split(", "))


# Files --------------------------------------------------------------------------------------------


def _copy_files(source: Path, target: Path, report: Report) -> int:
    """Copy what lies beside the database, each file verified by its SHA-256; return how many files there are."""
    found = [path for name in sorted(KEPT - {STORES}) for path in _files_of(source / name)]
    meter = Meter("copy files", len(found), report)
    for path in found:
        to = target / path.relative_to(source)
        digest = files.sha256_file(path)
        if not (to.is_file() and files.sha256_file(to) == digest):
            files.make_private_folder(to.parent)
            files.copy_file(path, to, digest)
        meter.add()
    meter.finish()
    return len(found)


def _files_of(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    inside = sorted(path.rglob("*")) if path.is_dir() and not path.is_symlink() else []
    return [one for one in inside if one.is_file() and not one.is_symlink() and not one.name.startswith(".")]
