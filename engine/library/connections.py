"""What a library asks of its database, whichever it is: a file of SQLite, or a server of PostgreSQL.

Both take the same SQL, with `?` or `:name` where a parameter stands. What they do not share stands here as methods, and
as functions that write the SQL for both: full text, keys that are written again, names in any letter case.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Union

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import StorageError
from engine.core.progress import Report, silent

SCHEMA_VERSION = 9
AT_ONCE = 500
"""Parameters of one query: SQLite may be built to take no more than 999."""
MATCHING = "SELECT rowid FROM keywords WHERE keywords MATCH ?"
"""The positions of documents with some words; its parameter is a `FullText`."""
TitleAndBody = tuple[Sequence[str], Sequence[str]]
"""The words of a document's title, and of the rest of its text."""
Parameter = Union[str, int, "FullText"]
_LEAST, _MOST = -(2**63), 2**63 - 1
"""The whole numbers that a column holds."""
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class DatabaseState(NamedTuple):
    """The schema of a library's tables, its documents, and what is damaged; empty where it is whole."""

    schema: int
    documents: int
    damage: str

    @property
    def is_earlier(self) -> bool:
        """Whether opening the library brings it up to date."""
        return self.schema < SCHEMA_VERSION


class Cursor(Protocol):
    """The rows that a statement gave, each read once, and how many it wrote."""

    @property
    def rowcount(self) -> int:
        """How many rows were written."""

    def __iter__(self) -> Iterator[Any]:
        """Yield each row as a tuple."""

    def fetchone(self) -> Any:  # noqa: ANN401 - a tuple of what the query names, or None
        """Return the next row, or None."""

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""


class Connection(Protocol):
    """A connection within one transaction."""

    def execute(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = (), /) -> Cursor:
        """Run a statement."""

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> Cursor:
        """Run a statement for each of some parameters."""

    def insert(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        """Insert rows by a statement. A server is sent them with what is asked next: each answer takes its way."""

    def positions(self, where: str, parameters: Sequence[Any] | Mapping[str, Any] = (), /) -> NDArray[np.int64]:
        """Return the positions (n,) of the documents for which a condition holds: a million at once, as one text."""

    def add_words(self, position: int, title: Sequence[str], body: Sequence[str]) -> None:
        """Let a document be found by the words of its title and of the rest of its text, in their order."""

    def erase_words(self, position: int, find: Callable[[], TitleAndBody | None], /) -> None:
        """Let a document be found by no word; `find` gives its words, if they are known, where this must be told them.

        Else the old ones stay, unreachable.
        """

    def titles(self, words: FullText, k: int) -> list[str]:
        """Return the ids of k documents whose title holds some words, the one that they say most of first."""


class AnyDatabase(Protocol):
    """The tables of one library, which threads and processes share."""

    def read(self) -> AbstractContextManager[Connection]:
        """Borrow a connection that sees one state of the library for the length of the block. Raises StorageError."""

    def write(self, *, erasing: bool = False) -> AbstractContextManager[Connection]:
        """Borrow a connection whose changes are kept as a whole when the block ends without an error.

        Where it is `erasing`, what is removed is overwritten, if the database can do this. Raises StorageError.
        """

    def is_in_place(self) -> bool:
        """Return whether what was opened still exists."""

    @property
    def is_read_only(self) -> bool:
        """Whether nothing of it is ever changed."""

    def identity(self) -> str:
        """Return what tells these tables from all others, also from those that take their place."""

    def copy_to(self, path: Path, report: Report = silent, /) -> None:
        """Copy the tables to a new file of SQLite, as they are at one moment. Raises StorageError."""

    def bytes(self) -> int:
        """Return the size of the tables."""

    def stamp(self) -> Hashable:
        """Return what changes whenever anything is written, by any process."""

    def inspect(self) -> DatabaseState:
        """Look for damage, without changing anything. Raises StorageError where the database cannot go on."""

    def close(self) -> None:
        """Close every connection that is not in use."""


class Adjacent(NamedTuple):
    """FullText in a row; where the end is `open`, the last one is the beginning of a word."""

    words: tuple[str, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class FullText:
    """What full text is asked for: one of some ways, each of phrases that a title, or any text, holds.

    At most `within` words stand between the first and the last phrase of a way, any number where it is 0: those may
    then also stand one in the title and one in the rest.
    """

    ways: tuple[tuple[Adjacent, ...], ...]
    within: int = 0
    in_title: bool = False

    def __conform__(self, protocol: object) -> str:
        """Return the expression for SQLite's FTS5."""
        ways = [" ".join(f'"{" ".join(one.words)}"{"*" if one.open else ""}' for one in way) for way in self.ways]
        joined = [f"NEAR({way}, {self.within})" if self.within else f"({way})" for way in ways]
        expression = " OR ".join(joined)
        return f"title : ({expression})" if self.in_title else expression


def whole_numbers(told: str | None) -> NDArray[np.int64]:
    """Return the numbers (n,) that a text names between commas; none of no text."""
    return np.fromstring(told or "", np.int64, sep=",")


def as_number(number: int) -> int:
    """Return a number as a column can hold it: one out of range as the nearest in range, which compares alike."""
    return max(_LEAST, min(number, _MOST))


def lowered(name: str) -> str:
    """Return a name as `lower()` does in both databases: with small ASCII letters."""
    return name.translate(_LOWER)


def upsert(table: str, keys: str, *values: str) -> str:
    """Return the statement that writes a row, in the place of one with the same keys; columns stand in this order."""
    columns = (*keys.split(", "), *values)
    changes = ", ".join(f"{value} = excluded.{value}" for value in values)
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        f" ON CONFLICT ({keys}) DO UPDATE SET {changes}"
    )


def refuse_later(version: int, first: int, last: int, place: object) -> None:
    """Raise StorageError where a library's tables are of a later version than the last that is known."""
    if version > last:
        raise StorageError(
            f"Expected a library of schema {first} to {last} at {place}; found schema {version}, which a "
            "later Priorscope wrote. Nothing was changed: update Priorscope, or name another library."
        )


def find_lost(connection: Connection) -> tuple[int, str]:
    """Return how many documents there are, and a sentence on those without their text; nothing where all have it."""
    held = "SELECT count(*), count(contents.position) FROM documents LEFT JOIN contents USING (position)"
    documents, whole = connection.execute(held).fetchone()
    return documents, "" if whole == documents else f"{documents - whole:,} of {documents:,} documents lack their text"


def change_rows(connection: Connection, statement: str, rows: Iterable[Sequence[object]]) -> int:
    """Run a statement for each of some parameters; return how many rows of the table it changed."""
    return max(0, connection.executemany(statement, rows).rowcount)


def rewrite_key(connection: Connection, table: str, column: str, was: object, now: object, *beside: str) -> None:
    """Give a part of a table's key another value; `beside` are its other parts. Cursor that stand there make room."""
    same = "".join(f" AND other.{one} = {table}.{one}" for one in beside)
    moved = f"EXISTS (SELECT 1 FROM {table} AS other WHERE other.{column} = ?{same})"
    connection.execute(f"DELETE FROM {table} WHERE {column} = ? AND {moved}", (now, was))
    connection.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (now, was))


def now() -> str:
    """Return the time as it is stored (ISO 8601, UTC)."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def last_position(connection: Connection) -> int:
    """Return the highest position ever given to a document."""
    held: int = connection.execute("SELECT coalesce(max(position), 0) FROM documents").fetchone()[0]
    return max(held, read_removals(connection)[1])


def documents_version(connection: Connection) -> int:
    """Return a number that grows whenever a document is added, changed or removed."""
    return last_position(connection) + read_removals(connection)[0]


def read_removals(connection: Connection) -> tuple[int, int]:
    """Return how many documents were ever removed, and the highest of their positions."""
    number, last = connection.execute("SELECT documents, last FROM removals").fetchone()
    return int(number), int(last)
