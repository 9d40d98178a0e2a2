"""Which documents of a library a question is about: by kind, year, category, venue, collection, import and lines.

What passes is found and counted in the library's database, whatever its size, and again only when it may have changed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from engine.documents import Kind
from engine.documents.selections import Roster, Selection
from engine.documents.text import plain_venue
from engine.library.annotations import count_changes
from engine.library.collections import collections_version
from engine.library.connections import Connection, FullText, Parameter, documents_version, lowered
from engine.library.lines import MOST_LINE_CHARACTERS, MOST_LINES, condition, with_compounds
from engine.library.records import placeholders, select_in_category
from engine.library.writer import latest_revision

T = TypeVar("T")
_MANY = 8
"""An import that brought one document in eight or more is looked up document by document, a smaller one as a whole."""
_HELD = 64
_SELECTED = 16
"""Selections that are held: each takes a byte a document, and the library's ids, which all of them share, some 200."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Limits on an answer; an empty field limits nothing.

    A document passes `categories` if it has one of them. A patent class such as "G06F" stands for all its groups ("G06F
    17/30"); such codes are compared without spaces and case. Years are inclusive; a document without a year fails any
    limit on years. `collections` passes what is in one of them, `files` what an imported file of one of these names
    brought. Each of `lines` must hold: words, phrases and fields joined by AND, OR and NOT (`engine/library/lines.py`).
    """

    MOST_LINES: ClassVar[int] = MOST_LINES
    MOST_LINE_CHARACTERS: ClassVar[int] = MOST_LINE_CHARACTERS

    kinds: frozenset[Kind] = frozenset()
    year_from: int | None = None
    year_to: int | None = None
    categories: frozenset[str] = frozenset()
    venues: frozenset[str] = frozenset()
    collections: frozenset[str] = frozenset()
    lines: tuple[str, ...] = ()
    files: frozenset[str] = frozenset()

    def condition(self, *, most: bool = False) -> tuple[str, list[Parameter]]:
        """Return an SQL condition over the table `documents`, and its parameters. Raises LineError for a faulty line.

        `most` says that the chosen imports brought many of the documents: they are then looked up one by one.
        """
        clauses: list[str] = []
        parameters: list[Parameter] = []
        venues = frozenset(map(plain_venue, self.venues))
        for column, values in (("kind", self.kinds), ("venue", venues)):
            if values:
                clauses.append(f"{column} IN ({placeholders(len(values))})")
                parameters += sorted(values)
        for comparison, year in ((">=", self.year_from), ("<=", self.year_to)):
            if year is not None:
                # SQLite takes any range for a narrow one, and would look up each document of forty years by its index
                clauses.append(f"likelihood(year {comparison} ?, 0.9)")
                parameters.append(year)
        if self.categories:
            query, given = select_in_category(self.categories)
            clauses.append(f"position IN ({query})")
            parameters += given
        if self.collections:
            named = f"SELECT name FROM collections WHERE lower(name) IN ({placeholders(len(self.collections))})"
            kept = f"SELECT document FROM collected WHERE collection IN ({named})"
            # by position, as categories are: SQLite would look up every pair of an id and a position
            clauses.append(f"position IN (SELECT position FROM documents WHERE id IN ({kept}))")
            parameters += sorted(map(lowered, self.collections))
        if self.files:
            origin, names = self.origin_condition()
            brought = f"FROM origins WHERE {origin}"
            if most:
                clauses.append(  # the + keeps SQLite from leaving the order in which a page is listed
                    f"+added BETWEEN (SELECT min(added) {brought}) AND (SELECT max(added) {brought})"
                )
                clauses.append(f"EXISTS (SELECT 1 {brought} AND origins.added = documents.added)")
                parameters += 3 * names
            else:
                clauses.append(f"added IN (SELECT added {brought})")
                parameters += names
        for line in self.lines:
            clause, given_by_line = condition(line)
            clauses.append(f"({clause})")  # an OR within the line is the line's own
            parameters += given_by_line
        return " AND ".join(clauses) or "TRUE", parameters

    def origin_condition(self) -> tuple[str, list[str]]:
        """Return an SQL condition over the table `origins` for the chosen imports, else for all, and its parameters."""
        if not self.files:
            return "TRUE", []
        return f"file IN (SELECT number FROM files WHERE name IN ({placeholders(len(self.files))}))", sorted(self.files)


def condition_of(connection: Connection, filters: Filters) -> tuple[str, list[Parameter]]:
    """Return the condition of the filters over the table `documents`, as it is quick here, and its parameters.

    Raises LineError for a line with a fault.
    """
    where, parameters = filters.condition(most=bool(filters.files) and _are_many(connection, filters))
    return where, [with_compounds(connection, one) if isinstance(one, FullText) else one for one in parameters]


def ids_that_pass(connection: Connection, filters: Filters) -> list[str]:
    """Return the ids of all documents that pass, in import order. Raises LineError for a line with a fault."""
    where, parameters = condition_of(connection, filters)
    query = f"SELECT id FROM documents WHERE {where} ORDER BY position"
    return list(chain.from_iterable(connection.execute(query, parameters)))


def state_of(connection: Connection, filters: Filters) -> str:
    """Return what changes whenever other documents may pass the filters, or files brought more records of them."""
    files = connection.execute("SELECT count(*), max(number) FROM files").fetchone()  # one may bring only what is held
    known = f"{documents_version(connection)} {latest_revision(connection)} {files} "
    if filters.lines:
        known += f"{count_changes(connection)} {connection.execute('SELECT * FROM indexing').fetchone()} "
    if filters.collections:
        known += collections_version(connection)
    return known


class Records(NamedTuple):
    """How many records files brought for some documents, and for how many of these that is known."""

    records: int
    documents: int


class Once:
    """Finds what was asked for last, and finds it again only when it may have changed. Thread-safe."""

    def __init__(self, most: int) -> None:
        """Nothing is found yet; the last `most` are held."""
        self._most, self._lock = most, threading.Lock()
        self._held: OrderedDict[Hashable, tuple[str, object]] = OrderedDict()

    def once(self, what: Hashable, state: str, find: Callable[[], T]) -> T:
        """Return what `find` gives, or gave the last time if the state is the same."""
        with self._lock:
            held = self._held.get(what)
            if held is not None:
                self._held.move_to_end(what)
        if held is not None and held[0] == state:
            return cast(T, held[1])
        found = find()
        with self._lock:
            self._held[what] = (state, found)
            self._held.move_to_end(what)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        return found


class Selections(Once):
    """The documents that pass filters, as questions are asked within them.

    A document is known by its position: what comes, or comes with another text, has a higher one than all before. So
    its id is added to those that are held, and those that went are selected by no filter.
    """

    def __init__(self) -> None:
        """Nothing is selected yet."""
        super().__init__(_SELECTED)
        self._roster, self._known = Roster(), np.zeros((2, 0), np.int64)
        self._reading = threading.Lock()

    def of(self, connection: Connection, filters: Filters) -> Selection:
        """Return the ids of the documents that pass. Raises LineError for a line with a fault."""
        return self.once(filters, state_of(connection, filters), lambda: self._passing(connection, filters))

    def by_kind(self, connection: Connection) -> dict[str, Selection]:
        """Return the ids of the documents of each kind that any has."""
        return self.once("kinds", state_of(connection, Filters()), lambda: self._by_kind(connection))

    def _by_kind(self, connection: Connection) -> dict[str, Selection]:
        kinds = [kind for (kind,) in connection.execute("SELECT DISTINCT kind FROM documents ORDER BY kind")]
        return {kind: self._selected(connection, "kind = ?", [kind]) for kind in kinds}

    def _passing(self, connection: Connection, filters: Filters) -> Selection:
        return self._selected(connection, *condition_of(connection, filters))

    def _selected(self, connection: Connection, where: str, parameters: Sequence[Parameter]) -> Selection:
        positions, numbers = self._catch_up(connection)
        chosen = np.zeros(len(self._roster.ids), bool)
        chosen[numbers[np.searchsorted(positions, connection.positions(where, parameters))]] = True
        return Selection.of(self._roster, chosen)

    def _catch_up(self, connection: Connection) -> NDArray[np.int64]:
        """Read the ids that came since the last time; return all by position, with their numbers: (2, n)."""
        with self._reading:
            last = int(self._known[0].max(initial=0))
            query = "SELECT position, id FROM documents WHERE position > ? ORDER BY position"
            rows = connection.execute(query, (last,)).fetchall()
            numbers = self._roster.extend([id_ for _, id_ in rows])
            known = np.array([[position for position, _ in rows], numbers], np.int64)
            self._known = np.concatenate([self._known, known], axis=1)
            return self._known


class Totals(Once):
    """Counts what passes filters, and what else is asked of all documents again and again."""

    def __init__(self) -> None:
        """Nothing is counted yet."""
        super().__init__(_HELD)

    def documents(self, connection: Connection, filters: Filters) -> int:
        """Return how many documents pass. Raises LineError for a line with a fault."""

        def counted() -> int:
            where, parameters = condition_of(connection, filters)
            return int(connection.execute(f"SELECT count(*) FROM documents WHERE {where}", parameters).fetchone()[0])

        return self.once(("documents", filters), state_of(connection, filters), counted)

    def records(self, connection: Connection, filters: Filters) -> Records:
        """Count the records that the chosen imports, else all, brought for what passes.

        Raises LineError as `documents` does.
        """

        def counted() -> Records:
            origin, names = filters.origin_condition()
            parameters: list[Parameter] = [*names]
            query = f"SELECT coalesce(sum(records), 0), count(DISTINCT added) FROM origins WHERE {origin}"
            if (rest := replace(filters, files=frozenset())) != Filters():
                where, given = condition_of(connection, rest)
                query += f" AND added IN (SELECT added FROM documents WHERE {where})"
                parameters += given
            return Records(*connection.execute(query, parameters).fetchone())

        return self.once(("records", filters), state_of(connection, filters), counted)


def _are_many(connection: Connection, filters: Filters) -> bool:
    """Return whether the chosen imports brought a large part of the documents."""
    origin, names = filters.origin_condition()
    brought = f"SELECT count(*) FROM (SELECT 1 FROM origins WHERE {origin} LIMIT ?) AS brought"
    (documents,) = connection.execute("SELECT count(*) FROM documents").fetchone()
    most = documents // _MANY + 1
    return bool(connection.execute(brought, [*names, most]).fetchone()[0] >= most)
