"""A person's judgements of a query's hits, kept in the library: relevant, or not."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from engine.core import files
from engine.core.errors import LibraryError
from engine.documents import Document
from engine.library.database import Database, now
from engine.library.records import pack, unpack

Grade = Literal[0, 1]
"""1: relevant to the query; 0: seen, and not relevant."""


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A document that asked, the grades of library documents by id, and when the last was given (ISO 8601, UTC)."""

    key: str
    query: Document
    grades: Mapping[str, int]
    when: str

    @staticmethod
    def key_of(query: Document) -> str:
        """Return what names a query: its id and text. A corrected one counts as another, because its hits differ."""
        return files.fingerprint(query.id, query.text)


class Judgements:
    """Grades of hits, by the document that asked; queries are kept whole, so that they can be asked again."""

    def __init__(self, database: Database) -> None:
        """Use `Library.judgements`."""
        self._database = database

    def judge(self, query: Document, document: str, grade: Grade) -> None:
        """Keep one grade; it replaces an earlier one. Raises LibraryError for a grade that is neither 0 nor 1."""
        if grade not in (0, 1):
            raise LibraryError(
                f"Expected the grade 1 (relevant) or 0 (not relevant), got {grade!r}. Give one of the two."
            )
        key, body = JudgedQuery.key_of(query), pack(query)
        with self._database.write() as connection:
            connection.execute("INSERT OR REPLACE INTO judged_queries VALUES (?, ?)", (key, body))
            connection.execute("INSERT OR REPLACE INTO judgements VALUES (?, ?, ?, ?)", (key, document, grade, now()))

    def take_back(self, query: Document, document: str) -> None:
        """Forget one grade, and the query with its last one; a grade that was never given is ignored."""
        key = JudgedQuery.key_of(query)
        with self._database.write() as connection:
            connection.execute("DELETE FROM judgements WHERE query = ? AND document = ?", (key, document))
            drop_without_grades(connection)

    def forget(self, key: str) -> None:
        """Forget a query with all its grades; `key` is its `JudgedQuery.key`."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM judgements WHERE query = ?", (key,))
            drop_without_grades(connection)

    def grades(self, query: Document) -> dict[str, int]:
        """Return the grades of one query's documents, by id."""
        with self._database.read() as connection:
            key = JudgedQuery.key_of(query)
            return dict(connection.execute("SELECT document, grade FROM judgements WHERE query = ?", (key,)).fetchall())

    def queries(self) -> list[JudgedQuery]:
        """Every query that was judged, the one judged last first."""
        with self._database.read() as connection:
            rows = connection.execute("SELECT query, document, grade, judged_at FROM judgements").fetchall()
            bodies = dict(connection.execute("SELECT key, body FROM judged_queries").fetchall())
        grades: dict[str, dict[str, int]] = {}
        last: dict[str, str] = {}
        for key, document, grade, when in rows:
            grades.setdefault(key, {})[document] = grade
            last[key] = max(when, last.get(key, ""))
        newest_first = sorted(grades, key=lambda key: last[key], reverse=True)
        return [JudgedQuery(key, unpack(bodies[key]), grades[key], last[key]) for key in newest_first]

    def version(self) -> str:
        """Changes whenever a grade is given or taken back."""
        with self._database.read() as connection:
            count, last = connection.execute("SELECT count(*), max(judged_at) FROM judgements").fetchone()
            return f"{count} {last or ''}".strip()

    def __len__(self) -> int:
        """Return how many grades are kept."""
        with self._database.read() as connection:
            return int(connection.execute("SELECT count(*) FROM judgements").fetchone()[0])


def drop_without_grades(connection: sqlite3.Connection) -> None:
    """Forget queries whose last grade is gone."""
    connection.execute("DELETE FROM judged_queries WHERE key NOT IN (SELECT query FROM judgements)")
