"""A library's documents a page at a time, in an order that SQL's indexes keep: what the Library page lists.

Beside the pages stand facets: how many documents pass some filters, by kind, year, category and venue.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from engine.documents import Document, Kind
from engine.documents.text import plain_venue
from engine.library.annotations import NOTHING, Annotation, annotations_of
from engine.library.connections import AnyDatabase, Connection, Parameter
from engine.library.filters import Filters, Once, Totals, condition_of, state_of
from engine.library.records import id_of, placeholders, unpack
from engine.library.screening import Screened, decisions_on, find_review, read_review_name

Order = Literal["added", "title", "year"]
MOST_ROWS = 500
"""Documents of one page."""
_LOOKED_UP = 5_000
"""Documents that can be looked up one after the other before anyone waits: in about a hundredth of a second."""

_ORDERED: dict[Order, str] = {
    "added": "added {way}",
    "title": "sort_title {way} NULLS LAST, position {way}",
    "year": "year {way} NULLS LAST, position {way}",
}


_HELD_FACETS = 8
"""What is read for facets: the columns, the categories, and who passes the last choices."""

Passing = NDArray[np.bool_]


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

    def __init__(self, database: AnyDatabase, totals: Totals, review: str = "") -> None:
        """Use `Library.listing`."""
        self._database, self._totals, self._review = database, totals, review

    def in_review(self, name: str) -> Listing:
        """Return this listing with the decisions of a review, of the first without a name."""
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
        """Return up to `count` of the documents that pass the filters, from the one at place `first` (from 0).

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
        """Return the rows of some documents, in their order. Raises UnknownDocumentError for an id that is not held."""
        with self._database.read() as connection:
            return _rows(connection, ids, self._review)

    def kept(self, ids: Sequence[str]) -> list[Kept]:
        """Return some documents whole, with their rows, in their order. Raises UnknownDocumentError as `of` does."""
        query = "SELECT body FROM contents JOIN documents USING (position) WHERE id = ?"
        with self._database.read() as connection:
            rows = _rows(connection, ids, self._review)
            return [Kept(unpack(connection.execute(query, (row.id,)).fetchone()[0]), row) for row in rows]

    def _condition(self, connection: Connection, filters: Filters, stop: int) -> tuple[str, list[Parameter]]:
        """Return the condition of the filters by which a page that ends at place `stop` is found soonest.

        What passes is found first where it is little, and is then put in order, or where many documents come before
        the page if what passes lies evenly among them. The + keeps SQLite from leaving the order there.
        """
        condition, parameters = condition_of(connection, filters)
        if filters == Filters():
            return condition, parameters
        every, passes = (self._totals.documents(connection, one) for one in (Filters(), filters))
        found = f"position IN (SELECT position FROM documents WHERE {condition})"
        if passes <= _LOOKED_UP:
            return found, parameters
        return (f"+{found}" if stop * every > _LOOKED_UP * passes else condition), parameters


def _rows(connection: Connection, ids: Sequence[str], review: str) -> list[Listed]:
    found: list[Listed] = []
    for start in range(0, len(ids), MOST_ROWS):
        held = [id_of(connection, id_) for id_ in ids[start : start + MOST_ROWS]]
        query = f"SELECT id, position FROM documents WHERE id IN ({placeholders(len(held))})"
        positions = dict(connection.execute(query, held).fetchall())
        found += _listed(connection, [positions[id_] for id_ in held], review)
    return found


def _listed(connection: Connection, positions: Sequence[int], review: str) -> list[Listed]:
    """Return the rows at some positions, in their order."""
    some = f"position IN ({placeholders(len(positions))})"
    query = f"SELECT position, id, kind, title, year, venue FROM documents WHERE {some}"
    rows = {row[0]: row[1:] for row in connection.execute(query, positions)}
    ids = [rows[position][0] for position in positions]
    number = find_review(connection, review)
    name = read_review_name(connection, number)
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


def _brought(connection: Connection, ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Return when each document's files were imported, with their names, the first import first."""
    query = (
        "SELECT id, imported_at, name FROM documents JOIN origins USING (added) JOIN files ON number = file"
        f" WHERE id IN ({placeholders(len(ids))}) ORDER BY imported_at, name"
    )
    found: dict[str, list[tuple[str, str]]] = {}
    for id_, when, name in connection.execute(query, ids):
        found.setdefault(id_, []).append((when, name))
    return found


@dataclass(frozen=True, slots=True)
class Facets:
    """How many documents pass some filters, and how many would with another choice in one of them.

    `total` counts what passes all filters. `kinds`, `years`, `categories` (patents by class) and `venues` count by
    value what passes all filters but the one on the same field, so that they say what choosing a value would show.
    The largest come first; years run upwards.
    """

    total: int
    kinds: Mapping[str, int]
    years: Mapping[int, int]
    categories: Mapping[str, int]
    venues: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Column:
    """A field of n documents: its values, and which of them each document has (n,)."""

    values: Sequence[Any]
    codes: NDArray[np.int32]

    @classmethod
    def of(cls, values: Sequence[Hashable]) -> _Column:
        """Return the column that holds these, one a document."""
        numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
        return cls(list(numbers), np.fromiter(map(numbers.__getitem__, values), np.int32, len(values)))

    def passing(self, passes: Callable[[Any], bool]) -> Passing:
        """Return which documents (n,) have a value that passes."""
        return np.fromiter(map(passes, self.values), bool, len(self.values))[self.codes]

    def counts(self, within: Passing) -> dict[Any, int]:
        """Return how many of some documents (n,) have each value; those without one are left out."""
        return _counted(self.values, self.codes[within])


@dataclass(frozen=True, slots=True)
class _Columns:
    """The fields of n documents, in the order of their positions (n,)."""

    positions: NDArray[np.int64]
    kinds: _Column
    years: _Column
    venues: _Column

    @classmethod
    def read(cls, library: Connection) -> _Columns:
        """Read them from a library."""
        rows = library.execute("SELECT position, kind, year, venue FROM documents ORDER BY position").fetchall()
        kinds, years, venues = (_Column.of([row[field] for row in rows]) for field in (1, 2, 3))
        return cls(np.array([row[0] for row in rows], np.int64), kinds, years, venues)

    def rows(self, positions: Iterable[tuple[int]]) -> NDArray[np.int64]:
        """Return the rows (m,) of documents at m positions, which are held."""
        return np.searchsorted(self.positions, np.fromiter(chain.from_iterable(positions), np.int64))


@dataclass(frozen=True, slots=True)
class _Categories:
    """Categories, patents' by class: those of n documents one after another (n,), and whose they are (n,)."""

    names: Sequence[str]
    codes: NDArray[np.int32]
    owners: NDArray[np.int64]

    @classmethod
    def read(cls, library: Connection, columns: _Columns) -> _Categories:
        """Read them from a library, which keeps them in the order of their names."""
        names, counts = _category_counts(library)
        owners = columns.rows(library.execute("SELECT position FROM categories WHERE is_group = 1 ORDER BY category"))
        return cls(names, np.repeat(np.arange(len(names), dtype=np.int32), counts), owners)

    def counts(self, within: Passing) -> dict[str, int]:
        """Return how many of some documents (n,) have each category."""
        return _counted(self.names, self.codes[within[self.owners]])


class FacetCounts:
    """Counts a library's facets from its columns in memory, which are read again when the library changes.

    A document has several categories and lies in several collections and files, and a line asks for words, so a
    choice of these is looked up in the library; who passes the last ones is held.
    """

    def __init__(self, database: AnyDatabase) -> None:
        """Count what lies in a database."""
        self._database = database
        self._lock = threading.Lock()
        self._held = Once(_HELD_FACETS)

    def count(self, filters: Filters) -> Facets:
        """Return the facets under some filters. Raises LineError for a line with a fault."""
        with self._lock, self._database.read() as library:
            state = state_of(library, Filters())
            columns = self._held.once("columns", state, lambda: _Columns.read(library))
            apart = Filters(collections=filters.collections, files=filters.files, lines=filters.lines)
            every = self._passing(library, columns, apart)
            limits = {
                "kinds": columns.kinds.passing(lambda kind: not filters.kinds or kind in filters.kinds),
                "years": columns.years.passing(lambda year: _is_within(year, filters)),
                "categories": self._passing(library, columns, Filters(categories=filters.categories)),
                "venues": columns.venues.passing(_venue_test(filters)),
            }

            def but(name: str) -> Passing:
                """Return what passes all filters but those on one field."""
                found = every.copy()
                for field, rows in limits.items():
                    if field != name:
                        found &= rows
                return found

            return Facets(
                total=int(np.count_nonzero(but(""))),
                kinds=_largest_first(columns.kinds.counts(but("kinds"))),
                years=dict(sorted(columns.years.counts(but("years")).items())),
                categories=_largest_first(self._categories(library, columns, state, but("categories"))),
                venues=_largest_first(columns.venues.counts(but("venues"))),
            )

    def close(self) -> None:
        """Forget what was read."""
        self._held = Once(_HELD_FACETS)

    def _passing(self, library: Connection, columns: _Columns, filters: Filters) -> Passing:
        """Return which documents (n,) pass filters that are looked up in the library."""

        def found() -> Passing:
            rows = np.zeros(len(columns.positions), bool)
            condition, parameters = condition_of(library, filters)
            rows[columns.rows(library.execute(f"SELECT position FROM documents WHERE {condition}", parameters))] = True
            return rows

        if filters == Filters():
            return np.ones(len(columns.positions), bool)
        return self._held.once(filters, state_of(library, filters), found)

    def _categories(self, library: Connection, columns: _Columns, state: str, within: Passing) -> Mapping[str, int]:
        """Count the documents of each category; of all documents where they lie, which is quicker."""
        if within.all():
            return self._held.once("category counts", state, lambda: dict(zip(*_category_counts(library), strict=True)))
        held = self._held.once("categories", state, lambda: _Categories.read(library, columns))
        return held.counts(within)


def _category_counts(library: Connection) -> tuple[Sequence[str], Sequence[int]]:
    """Return the categories by name, and how many documents have each."""
    query = "SELECT category, count(*) FROM categories WHERE is_group = 1 GROUP BY category ORDER BY category"
    rows = library.execute(query).fetchall()
    return [name for name, _ in rows], [count for _, count in rows]


def _counted(values: Sequence[Any], codes: NDArray[np.int32]) -> dict[Any, int]:
    """Return how often each value occurs, where it does; None and "" are none."""
    counts = np.bincount(codes, minlength=len(values)).tolist()
    return {value: count for value, count in zip(values, counts, strict=True) if count and value not in (None, "")}


def _is_within(year: int | None, filters: Filters) -> bool:
    """Return whether a year passes the limits on years, which one without a year fails."""
    first, last = filters.year_from, filters.year_to
    if year is None:
        return first is None and last is None
    return (first is None or year >= first) and (last is None or year <= last)


def _venue_test(filters: Filters) -> Callable[[str], bool]:
    """Return whether a venue passes the limits on venues."""
    venues = frozenset(map(plain_venue, filters.venues))
    return lambda venue: not venues or venue in venues


def _largest_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
