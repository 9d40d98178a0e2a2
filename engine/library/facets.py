"""How many documents of a library pass some filters, by kind, year, category and venue."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.documents.text import plain_venue
from engine.library import passing
from engine.library.database import Database
from engine.library.filters import Filters

_HELD = 8
"""What is read for facets: the columns, the categories, and who passes the last choices."""

Rows = NDArray[np.bool_]


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
        """The column that holds these, one a document."""
        numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
        return cls(list(numbers), np.fromiter(map(numbers.__getitem__, values), np.int32, len(values)))

    def passing(self, passes: Callable[[Any], bool]) -> Rows:
        """Which documents (n,) have a value that passes."""
        return np.fromiter(map(passes, self.values), bool, len(self.values))[self.codes]

    def counts(self, within: Rows) -> dict[Any, int]:
        """How many of some documents (n,) have each value; those without one are left out."""
        return _counted(self.values, self.codes[within])


@dataclass(frozen=True, slots=True)
class _Columns:
    """The fields of n documents, in the order of their positions (n,)."""

    positions: NDArray[np.int64]
    kinds: _Column
    years: _Column
    venues: _Column

    @classmethod
    def read(cls, library: sqlite3.Connection) -> _Columns:
        """Read them from a library."""
        rows = library.execute("SELECT position, kind, year, venue FROM documents ORDER BY position").fetchall()
        positions, *fields = zip(*rows, strict=True) if rows else ((), (), (), ())
        return cls(np.array(positions, np.int64), *map(_Column.of, fields))

    def rows(self, positions: Iterable[tuple[int]]) -> NDArray[np.int64]:
        """The rows (m,) of documents at m positions, which are held."""
        return np.searchsorted(self.positions, np.fromiter((one for (one,) in positions), np.int64))


@dataclass(frozen=True, slots=True)
class _Categories:
    """Categories, patents' by class: those of n documents one after another (n,), and whose they are (n,)."""

    names: Sequence[str]
    codes: NDArray[np.int32]
    owners: NDArray[np.int64]

    @classmethod
    def read(cls, library: sqlite3.Connection, columns: _Columns) -> _Categories:
        """Read them from a library, which keeps them in the order of their names."""
        names, counts = _category_counts(library)
        owners = columns.rows(library.execute("SELECT position FROM categories WHERE is_group ORDER BY category"))
        return cls(names, np.repeat(np.arange(len(names), dtype=np.int32), counts), owners)

    def counts(self, within: Rows) -> dict[str, int]:
        """How many of some documents (n,) have each category."""
        return _counted(self.names, self.codes[within[self.owners]])


class FacetCounts:
    """Counts a library's facets from its columns in memory, which are read again when the library changes.

    A document has several categories and lies in several collections and files, and a line asks for words, so a
    choice of these is looked up in the library; who passes the last ones is held.
    """

    def __init__(self, database: Database) -> None:
        """Count what lies in a database."""
        self._database = database
        self._lock = threading.Lock()
        self._held = passing.Once(_HELD)

    def count(self, filters: Filters) -> Facets:
        """The facets under some filters. Raises LineError for a line with a fault."""
        with self._lock, self._database.read() as library:
            state = passing.state(library, Filters())
            columns = self._held.once("columns", state, lambda: _Columns.read(library))
            apart = Filters(collections=filters.collections, files=filters.files, lines=filters.lines)
            every = self._passing(library, columns, apart)
            limits = {
                "kinds": columns.kinds.passing(lambda kind: not filters.kinds or kind in filters.kinds),
                "years": columns.years.passing(lambda year: _is_within(year, filters)),
                "categories": self._passing(library, columns, Filters(categories=filters.categories)),
                "venues": columns.venues.passing(_venue_test(filters)),
            }

            def but(name: str) -> Rows:
                """What passes all filters but those on one field."""
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
        self._held = passing.Once(_HELD)

    def _passing(self, library: sqlite3.Connection, columns: _Columns, filters: Filters) -> Rows:
        """Which documents (n,) pass filters that are looked up in the library."""

        def found() -> Rows:
            rows = np.zeros(len(columns.positions), bool)
            condition, parameters = passing.condition(library, filters)
            rows[columns.rows(library.execute(f"SELECT position FROM documents WHERE {condition}", parameters))] = True
            return rows

        if filters == Filters():
            return np.ones(len(columns.positions), bool)
        return self._held.once(filters, passing.state(library, filters), found)

    def _categories(
        self, library: sqlite3.Connection, columns: _Columns, state: str, within: Rows
    ) -> Mapping[str, int]:
        """The documents of each category; for all documents they are counted where they lie, which is quicker."""
        if within.all():
            return self._held.once("category counts", state, lambda: dict(zip(*_category_counts(library), strict=True)))
        held = self._held.once("categories", state, lambda: _Categories.read(library, columns))
        return held.counts(within)


def _category_counts(library: sqlite3.Connection) -> tuple[Sequence[str], Sequence[int]]:
    """The categories by name, and how many documents have each."""
    query = "SELECT category, count(*) FROM categories WHERE is_group GROUP BY category ORDER BY category"
    rows = library.execute(query).fetchall()
    return [name for name, _ in rows], [count for _, count in rows]


def _counted(values: Sequence[Any], codes: NDArray[np.int32]) -> dict[Any, int]:
    """How often each value occurs, where it does; None and "" are none."""
    counts = np.bincount(codes, minlength=len(values)).tolist()
    return {value: count for value, count in zip(values, counts, strict=True) if count and value not in (None, "")}


def _is_within(year: int | None, filters: Filters) -> bool:
    """Whether a year passes the limits on years, which one without a year fails."""
    first, last = filters.year_from, filters.year_to
    if year is None:
        return first is None and last is None
    return (first is None or year >= first) and (last is None or year <= last)


def _venue_test(filters: Filters) -> Callable[[str], bool]:
    """Whether a venue passes the limits on venues."""
    venues = frozenset(map(plain_venue, filters.venues))
    return lambda venue: not venues or venue in venues


def _largest_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
