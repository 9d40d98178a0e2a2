"""How documents that pass some filters are found and counted in a library's database, whatever its size."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import NamedTuple, TypeVar, cast

from engine.documents.selections import Selection
from engine.library import collections, remembered, removals, revisions
from engine.library.filters import Filters

T = TypeVar("T")
_MANY = 8
"""An import that brought one document in eight or more is looked up document by document, a smaller one as a whole."""
_HELD = 64
_SELECTED = 3
"""Selections that are held: one of 200,000 documents takes 30 MB."""


def condition(connection: sqlite3.Connection, filters: Filters) -> tuple[str, list[str | int]]:
    """The condition of the filters over the table `documents`, as it is quick here, and its parameters.

    Raises LineError for a line with a fault.
    """
    return filters.condition(most=bool(filters.files) and _are_many(connection, filters))


def ids(connection: sqlite3.Connection, filters: Filters) -> list[str]:
    """The ids of all documents that pass, in import order. Raises LineError for a line with a fault."""
    where, parameters = condition(connection, filters)
    query = f"SELECT id FROM documents WHERE {where} ORDER BY position"
    return [id_ for (id_,) in connection.execute(query, parameters)]


def state(connection: sqlite3.Connection, filters: Filters) -> str:
    """Changes whenever other documents may pass the filters, or files brought more records of them."""
    files = connection.execute("SELECT count(*), max(number) FROM files").fetchone()  # one may bring only what is held
    known = f"{removals.version(connection)} {revisions.latest(connection)} {files} "
    if filters.lines:
        known += f"{remembered.changes(connection)} "
    if filters.collections:
        known += collections.version(connection)
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
        """What `find` gives, or gave the last time if the state is the same."""
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
    """The documents that pass filters, as questions are asked within them."""

    def __init__(self) -> None:
        """Nothing is selected yet."""
        super().__init__(_SELECTED)

    def of(self, connection: sqlite3.Connection, filters: Filters) -> Selection:
        """The ids of the documents that pass. Raises LineError for a line with a fault."""
        return self.once(filters, state(connection, filters), lambda: Selection(ids(connection, filters)))


class Totals(Once):
    """Counts what passes filters, and what else is asked of all documents again and again."""

    def __init__(self) -> None:
        """Nothing is counted yet."""
        super().__init__(_HELD)

    def documents(self, connection: sqlite3.Connection, filters: Filters) -> int:
        """How many documents pass. Raises LineError for a line with a fault."""

        def counted() -> int:
            where, parameters = condition(connection, filters)
            return int(connection.execute(f"SELECT count(*) FROM documents WHERE {where}", parameters).fetchone()[0])

        return self.once(("documents", filters), state(connection, filters), counted)

    def records(self, connection: sqlite3.Connection, filters: Filters) -> Records:
        """How many records the chosen imports, else all, brought for what passes. Raises LineError as `documents`."""

        def counted() -> Records:
            origin, names = filters.origin_condition()
            parameters: list[str | int] = [*names]
            query = f"SELECT coalesce(sum(records), 0), count(DISTINCT added) FROM origins WHERE {origin}"
            if (rest := replace(filters, files=frozenset())) != Filters():
                where, given = condition(connection, rest)
                query += f" AND added IN (SELECT added FROM documents WHERE {where})"
                parameters += given
            return Records(*connection.execute(query, parameters).fetchone())

        return self.once(("records", filters), state(connection, filters), counted)


def _are_many(connection: sqlite3.Connection, filters: Filters) -> bool:
    """Whether the chosen imports brought a large part of the documents."""
    origin, names = filters.origin_condition()
    brought = f"SELECT count(*) FROM (SELECT 1 FROM origins WHERE {origin} LIMIT ?)"
    (documents,) = connection.execute("SELECT count(*) FROM documents").fetchone()
    most = documents // _MANY + 1
    return bool(connection.execute(brought, [*names, most]).fetchone()[0] >= most)
