"""How documents that pass some filters are found and counted in a library's database, whatever its size."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from engine.library import remembered, removals, revisions
from engine.library.filters import Filters

_MANY = 8
"""An import that brought one document in eight or more is looked up document by document, a smaller one as a whole."""
_HELD = 64


def condition(connection: sqlite3.Connection, filters: Filters) -> tuple[str, list[str | int]]:
    """The condition of the filters over the table `documents`, as it is quick here, and its parameters.

    Raises LineError for a line with a fault.
    """
    return filters.condition(most=bool(filters.files) and _are_many(connection, filters))


def state(connection: sqlite3.Connection, filters: Filters) -> str:
    """Changes whenever other documents may pass the filters."""
    known = f"{removals.version(connection)} {revisions.latest(connection)} "
    if filters.lines:
        known += f"{remembered.changes(connection)} "
    if filters.collections:
        known += str(connection.execute("SELECT count(*), max(added_at) FROM collected").fetchone())
    return known


class Records(NamedTuple):
    """How many records files brought for some documents, and for how many of these that is known."""

    records: int
    documents: int


class Totals:
    """Counts what passes filters, and counts again only when that may have changed. Thread-safe."""

    def __init__(self) -> None:
        """Nothing is counted yet."""
        self._lock = threading.Lock()
        self._held: OrderedDict[tuple[str, Filters], tuple[str, tuple[int, ...]]] = OrderedDict()

    def documents(self, connection: sqlite3.Connection, filters: Filters) -> int:
        """How many documents pass. Raises LineError for a line with a fault."""

        def counted() -> tuple[int, ...]:
            where, parameters = condition(connection, filters)
            row: tuple[int, ...] = connection.execute(
                f"SELECT count(*) FROM documents WHERE {where}", parameters
            ).fetchone()
            return row

        return self._of("documents", connection, filters, counted)[0]

    def records(self, connection: sqlite3.Connection, filters: Filters) -> Records:
        """How many records the chosen imports, else all, brought for what passes. Raises LineError as `documents`."""

        def counted() -> tuple[int, ...]:
            origin, parameters = filters.origin_condition()
            query = f"SELECT coalesce(sum(records), 0), count(DISTINCT added) FROM origins WHERE {origin}"
            if (rest := replace(filters, files=frozenset())) != Filters():
                where, given = condition(connection, rest)
                query += f" AND added IN (SELECT added FROM documents WHERE {where})"
                parameters = [*parameters, *given]
            row: tuple[int, ...] = connection.execute(query, parameters).fetchone()
            return row

        return Records(*self._of("records", connection, filters, counted))

    def _of(
        self, what: str, connection: sqlite3.Connection, filters: Filters, count: Callable[[], tuple[int, ...]]
    ) -> tuple[int, ...]:
        now = state(connection, filters)
        with self._lock:
            held = self._held.get((what, filters))
        if held is not None and held[0] == now:
            return held[1]
        found = count()
        with self._lock:
            self._held[what, filters] = (now, found)
            self._held.move_to_end((what, filters))
            while len(self._held) > _HELD:
                self._held.popitem(last=False)
        return found


def _are_many(connection: sqlite3.Connection, filters: Filters) -> bool:
    """Whether the chosen imports brought a large part of the documents."""
    origin, names = filters.origin_condition()
    brought = f"SELECT count(*) FROM (SELECT 1 FROM origins WHERE {origin} LIMIT ?)"
    (documents,) = connection.execute("SELECT count(*) FROM documents").fetchone()
    most = documents // _MANY + 1
    return bool(connection.execute(brought, [*names, most]).fetchone()[0] >= most)
