"""The reviews for which a library's documents are screened: each has decisions, reasons and counts of its own."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

from engine.core.errors import LibraryError
from engine.library import remembered
from engine.library.database import Database

MAX_REVIEW_NAME = 60
"""Characters of a review's name."""


class Reviews:
    """The reviews of one library, at least one: the first is meant where none is named. Each change is kept at once."""

    def __init__(self, database: Database) -> None:
        """Use `Library.reviews`."""
        self._database = database

    def counts(self) -> dict[str, int]:
        """How many held documents each review has decided on, by name, the first review first."""
        query = (
            "SELECT name, (SELECT count(*) FROM screened WHERE review = number)"
            " - (SELECT count(*) FROM screened WHERE review = number AND document >= ? AND document < ?)"
            " FROM reviews ORDER BY number"
        )
        with self._database.read() as connection:
            return dict(connection.execute(query, remembered.AWAY).fetchall())

    def make(self, name: str) -> str:
        """Begin a review; returns its name on one line.

        Raises LibraryError for a name that is taken or cannot be one.
        """
        with self._database.write() as connection:
            name = _free(connection, name)
            connection.execute("INSERT INTO reviews (name, made_at) VALUES (?, ?)", (name, _now()))
        return name

    def rename(self, name: str, to: str) -> str:
        """Give a review another name; returns it. Raises LibraryError for an unknown name, and as `make` does."""
        with self._database.write() as connection:
            number = number_of(connection, name)
            to = _free(connection, to, but=number)
            connection.execute("UPDATE reviews SET name = ? WHERE number = ?", (to, number))
        return to

    def delete(self, name: str) -> int:
        """Forget a review with its decisions, also those on removed documents; returns how many.

        Raises LibraryError for an unknown name, and for the only review.
        """
        with self._database.write() as connection:
            number = number_of(connection, name)
            if connection.execute("SELECT count(*) FROM reviews").fetchone()[0] == 1:
                raise LibraryError(
                    "Expected another review to be left; this is the only one. Take its decisions back, or make "
                    "another review first."
                )
            gone = connection.execute("DELETE FROM screened WHERE review = ?", (number,)).rowcount
            connection.execute("DELETE FROM reviews WHERE number = ?", (number,))
            remembered.note_change(connection)
        return gone


def number_of(connection: sqlite3.Connection, name: str) -> int:
    """The number of a review, of the first without a name. Raises LibraryError for an unknown one."""
    query, parameters = numbered(name)
    (number,) = connection.execute(f"SELECT {query}", parameters).fetchone()
    if number is not None:
        return int(number)
    names = ", ".join(held for (held,) in connection.execute("SELECT name FROM reviews ORDER BY number LIMIT 10"))
    raise LibraryError(f"Expected the name of a review, got {name!r}; the library has {names}. Name one, or make it.")


def name_of(connection: sqlite3.Connection, number: int) -> str:
    """The name of a review that is there."""
    return str(connection.execute("SELECT name FROM reviews WHERE number = ?", (number,)).fetchone()[0])


def numbered(name: str) -> tuple[str, list[str | int]]:
    """A scalar in SQL for the number of a review, of the first without a name, and its parameters."""
    if not name:
        return "(SELECT min(number) FROM reviews)", []
    return "(SELECT number FROM reviews WHERE name = ?)", [_one_line(name)]


def _free(connection: sqlite3.Connection, name: str, but: int = 0) -> str:
    """A name that no other review has. Raises LibraryError for one that is taken or cannot be one."""
    name = _one_line(name)
    if not name or len(name) > MAX_REVIEW_NAME or not name.isprintable() or set(name) & set('"/'):
        raise LibraryError(
            f"Expected a review's name of 1 to {MAX_REVIEW_NAME} characters without \" and /; got "
            f"{name[:MAX_REVIEW_NAME]!r}. Give it another name."
        )
    taken = connection.execute("SELECT name FROM reviews WHERE name = ? AND number != ?", (name, but)).fetchone()
    if taken is not None:
        raise LibraryError(
            f"Expected a name that no review has, got {name!r}; one is called {taken[0]!r}. Choose another name."
        )
    return name


def _one_line(name: str) -> str:
    return " ".join(name.split())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
