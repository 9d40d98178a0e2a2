"""How many documents of a library pass some filters, by kind, year, category and venue."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.library import passing
from engine.library.database import Database
from engine.library.filters import Filters

_COLUMNS = {"documents": ("kind", "year", "venue"), "categories": ("category", "kind", "year", "venue")}
_FROM = {
    "documents": "documents",
    "categories": "categories JOIN (SELECT position, kind, year, venue FROM documents) USING (position)",
}
_WHERE = {"documents": "1", "categories": "is_group"}
_NOTHING_CHOSEN = Filters()


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


class FacetCounts:
    """Counts a library's facets in SQL, from tallies in memory that are made again when the library changes.

    A tally counts the documents of one kind, year and venue, or of one category, kind, year and venue: far fewer rows
    than documents. A document has several categories and lies in several collections and files, and a line asks for
    words, so a choice of these gets tallies of its own; the last ones are held.
    """

    def __init__(self, database: Database) -> None:
        """Count what lies in a database."""
        self._database = database
        self._lock = threading.Lock()
        self._memory: sqlite3.Connection | None = None
        self._made: dict[str, object] = {}
        self._whole: tuple[str, dict[str, int]] | None = None

    def count(self, filters: Filters) -> Facets:
        """The facets under some filters."""
        with self._lock, self._database.read() as library:
            apart = Filters(collections=filters.collections, files=filters.files, lines=filters.lines)
            chosen = replace(apart, categories=filters.categories)
            documents = self._tallies(library, "documents", chosen)
            limits = replace(filters, categories=frozenset(), collections=frozenset(), files=frozenset(), lines=())
            years = replace(limits, year_from=None, year_to=None)
            return Facets(
                total=sum(self._counted(documents, "kind", limits).values()),
                kinds=_largest_first(self._counted(documents, "kind", replace(limits, kinds=frozenset()))),
                years=dict(sorted(self._counted(documents, "year", years).items())),
                categories=_largest_first(self._categories(library, limits, apart)),
                venues=_largest_first(self._counted(documents, "venue", replace(limits, venues=frozenset()))),
            )

    def close(self) -> None:
        """Forget the tallies."""
        with self._lock:
            if self._memory is not None:
                self._memory.close()
            self._memory, self._made = None, {}

    def _tallies(self, library: sqlite3.Connection, what: str, chosen: Filters) -> str:
        """The name of the table that tallies what passes a choice of categories, collections and lines."""
        name = what if chosen == _NOTHING_CHOSEN else f"chosen_{what}"
        state = (chosen, passing.state(library, chosen))
        if self._made.get(name) != state:
            if self._memory is None:
                self._memory = sqlite3.connect(":memory:", check_same_thread=False)
            condition, parameters = passing.condition(library, chosen)
            within = f"WITH passing AS MATERIALIZED (SELECT position FROM documents WHERE {condition}) "
            columns, where = _COLUMNS[what], _WHERE[what]
            if name == what:
                within, parameters = "", []
            else:
                where += " AND position IN passing"
            grouped = ", ".join(str(place) for place in range(1, len(columns) + 1))
            query = f"{within}SELECT {', '.join(columns)}, count(*) FROM {_FROM[what]} WHERE {where} GROUP BY {grouped}"
            rows = library.execute(query, parameters)
            fields = ", ".join((*columns, "number"))
            self._memory.executescript(f"DROP TABLE IF EXISTS {name}; CREATE TABLE {name} ({fields})")
            self._memory.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * (len(columns) + 1))})", rows)
            self._memory.commit()
            self._made[name] = state
        return name

    def _categories(self, library: sqlite3.Connection, limits: Filters, apart: Filters) -> dict[str, int]:
        """The documents of each category; those of the whole library need no tallies, which take longer to make."""
        if limits == apart == _NOTHING_CHOSEN:
            state = passing.state(library, limits)
            if self._whole is None or self._whole[0] != state:
                query = "SELECT category, count(*) FROM categories WHERE is_group GROUP BY category"
                self._whole = (state, dict(library.execute(query)))
            return self._whole[1]
        return self._counted(self._tallies(library, "categories", apart), "category", limits)

    def _counted(self, table: str, column: str, limits: Filters) -> dict[Any, int]:
        """How many documents within the limits have each value of a column; those without one are left out."""
        assert self._memory is not None
        condition, parameters = limits.condition()
        query = f"SELECT {column}, sum(number) FROM {table} WHERE {condition} GROUP BY {column}"
        return {value: count for value, count in self._memory.execute(query, parameters) if value not in (None, "")}


def _largest_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
