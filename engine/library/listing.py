"""A library's documents a page at a time, in an order that SQL's indexes keep: what the Library page lists."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from engine.documents import Document, Kind
from engine.library import passing
from engine.library.annotations import NOTHING, Annotation, annotations_of
from engine.library.categories import marks
from engine.library.database import Database
from engine.library.filters import Filters
from engine.library.held import id_of
from engine.library.records import unpack
from engine.library.reviews import name_of, number_of
from engine.library.screening import Screened, decisions_on

Order = Literal["added", "title", "year"]
ORDERS: tuple[Order, ...] = get_args(Order)
MOST_ROWS = 500
"""Documents of one page."""
_LOOKED_UP = 5_000
"""Documents that can be looked up one after the other before anyone waits: in about a hundredth of a second."""

_ORDERED: dict[Order, str] = {
    "added": "added {way}",
    "title": "sort_title {way} NULLS LAST, position {way}",
    "year": "year {way} NULLS LAST, position {way}",
}


@dataclass(frozen=True, slots=True)
class Listed:
    """A document as a row: without its text, with what was written about it and the files that brought it.

    `files` are names, the first import first; `added` is when that was (ISO 8601, UTC). Both are empty for a document
    of an import before origins were recorded. `review` is the name of the review whose decision `screened` is.
    """

    id: str
    kind: Kind
    title: str
    year: int | None
    venue: str
    files: tuple[str, ...] = ()
    added: str = ""
    annotation: Annotation = NOTHING
    screened: Screened | None = None
    review: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A whole document with its row; what goes out of the library as a file."""

    document: Document
    listed: Listed


class Listing:
    """Reads pages of one library's documents; at most one page is in memory."""

    def __init__(self, database: Database, totals: passing.Totals, review: str = "") -> None:
        """Use `Library.listing`."""
        self._database, self._totals, self._review = database, totals, review

    def in_review(self, name: str) -> Listing:
        """The same with the decisions of a review, of the first without a name."""
        return Listing(self._database, self._totals, name)

    def page(
        self,
        filters: Filters | None = None,
        *,
        order: Order = "added",
        descending: bool = False,
        first: int = 0,
        count: int = 50,
    ) -> list[Listed]:
        """Up to `count` of the documents that pass the filters, from the one at place `first` (from 0).

        Documents without a title or a year come last in their order. Raises LineError for a line with a fault.
        """
        ordered = _ORDERED[order].format(way="DESC" if descending else "ASC")
        limits = [max(0, min(count, MOST_ROWS)), max(0, first)]
        with self._database.read() as connection:
            condition, parameters = self._condition(connection, filters or Filters(), sum(limits))
            query = f"SELECT position FROM documents WHERE {condition} ORDER BY {ordered} LIMIT ? OFFSET ?"
            positions = [position for (position,) in connection.execute(query, [*parameters, *limits])]
            return _listed(connection, positions, self._review)

    def of(self, ids: Sequence[str]) -> list[Listed]:
        """The rows of some documents, in their order. Raises UnknownDocumentError for an id that is not held."""
        with self._database.read() as connection:
            return _rows(connection, ids, self._review)

    def kept(self, ids: Sequence[str]) -> list[Kept]:
        """Some documents whole, with their rows, in their order. Raises UnknownDocumentError as `of` does."""
        query = "SELECT body FROM contents JOIN documents USING (position) WHERE id = ?"
        with self._database.read() as connection:
            rows = _rows(connection, ids, self._review)
            return [Kept(unpack(connection.execute(query, (row.id,)).fetchone()[0]), row) for row in rows]

    def _condition(self, connection: sqlite3.Connection, filters: Filters, stop: int) -> tuple[str, list[str | int]]:
        """The condition of the filters, as a page that ends at place `stop` is found soonest, and its parameters.

        What passes is found first where it is little, and is then put in order, or where many documents come before
        the page if what passes lies evenly among them. The + keeps SQLite from leaving the order there.
        """
        condition, parameters = passing.condition(connection, filters)
        if filters == Filters():
            return condition, parameters
        every, passes = (self._totals.documents(connection, one) for one in (Filters(), filters))
        found = f"position IN (SELECT position FROM documents WHERE {condition})"
        if passes <= _LOOKED_UP:
            return found, parameters
        return (f"+{found}" if stop * every > _LOOKED_UP * passes else condition), parameters


def _rows(connection: sqlite3.Connection, ids: Sequence[str], review: str) -> list[Listed]:
    found: list[Listed] = []
    for start in range(0, len(ids), MOST_ROWS):
        held = [id_of(connection, id_) for id_ in ids[start : start + MOST_ROWS]]
        query = f"SELECT id, position FROM documents WHERE id IN ({marks(len(held))})"
        positions = dict(connection.execute(query, held).fetchall())
        found += _listed(connection, [positions[id_] for id_ in held], review)
    return found


def _listed(connection: sqlite3.Connection, positions: Sequence[int], review: str) -> list[Listed]:
    """The rows at some positions, in their order."""
    some = f"position IN ({marks(len(positions))})"
    query = f"SELECT position, id, kind, title, year, venue FROM documents WHERE {some}"
    rows = {row[0]: row[1:] for row in connection.execute(query, positions)}
    ids = [rows[position][0] for position in positions]
    number = number_of(connection, review)
    name = name_of(connection, number)
    annotations, decisions = annotations_of(connection, ids), decisions_on(connection, ids, number)
    brought = _brought(connection, ids)
    return [
        replace(
            Listed(*rows[position]),
            files=tuple(name for _, name in brought.get(id_, ())),
            added=min((when for when, _ in brought.get(id_, ())), default=""),
            annotation=annotations.get(id_, NOTHING),
            screened=decisions.get(id_),
            review=name,
        )
        for position, id_ in zip(positions, ids, strict=True)
    ]


def _brought(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """When each document's files were imported, with their names, the first import first."""
    query = (
        "SELECT id, imported_at, name FROM documents JOIN origins USING (added) JOIN files ON number = file"
        f" WHERE id IN ({marks(len(ids))}) ORDER BY imported_at, name"
    )
    found: dict[str, list[tuple[str, str]]] = {}
    for id_, when, name in connection.execute(query, ids):
        found.setdefault(id_, []).append((when, name))
    return found
