"""Which documents of a library a question is about: by kind, year, category, venue, collection, import and lines."""

from __future__ import annotations

from dataclasses import dataclass

from engine.documents import Kind
from engine.documents.text import plain_venue
from engine.library.categories import marks, with_category
from engine.library.lines import condition


@dataclass(frozen=True, slots=True)
class Filters:
    """Limits on an answer; an empty field limits nothing.

    A document passes `categories` if it has one of them. A patent class such as "G06F" stands for all its groups ("G06F
    17/30"); such codes are compared without spaces and case. Years are inclusive; a document without a year fails any
    limit on years. `collections` passes what is in one of them, `files` what an imported file of one of these names
    brought. Each of `lines` must hold: words, phrases and fields joined by AND, OR and NOT (`engine/library/lines.py`).
    """

    kinds: frozenset[Kind] = frozenset()
    year_from: int | None = None
    year_to: int | None = None
    categories: frozenset[str] = frozenset()
    venues: frozenset[str] = frozenset()
    collections: frozenset[str] = frozenset()
    lines: tuple[str, ...] = ()
    files: frozenset[str] = frozenset()

    def condition(self, *, most: bool = False) -> tuple[str, list[str | int]]:
        """An SQL condition over the table `documents`, and its parameters. Raises LineError for a line with a fault.

        `most` says that the chosen imports brought many of the documents: they are then looked up one by one.
        """
        clauses: list[str] = []
        parameters: list[str | int] = []
        venues = frozenset(map(plain_venue, self.venues))
        for column, values in (("kind", self.kinds), ("venue", venues)):
            if values:
                clauses.append(f"{column} IN ({marks(len(values))})")
                parameters += sorted(values)
        for comparison, year in ((">=", self.year_from), ("<=", self.year_to)):
            if year is not None:
                # SQLite takes any range for a narrow one, and would look up each document of forty years by its index
                clauses.append(f"likelihood(year {comparison} ?, 0.9)")
                parameters.append(year)
        if self.categories:
            query, given = with_category(self.categories)
            clauses.append(f"position IN ({query})")
            parameters += given
        if self.collections:
            named = marks(len(self.collections))
            kept = f"SELECT document FROM collected WHERE collection IN ({named})"
            # by position, as categories are: SQLite would look up every pair of an id and a position
            clauses.append(f"position IN (SELECT position FROM documents WHERE id IN ({kept}))")
            parameters += sorted(self.collections)
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
        return " AND ".join(clauses) or "1", parameters

    def origin_condition(self) -> tuple[str, list[str]]:
        """An SQL condition over the table `origins` for the chosen imports, all without a choice; its parameters."""
        if not self.files:
            return "1", []
        return f"file IN (SELECT number FROM files WHERE name IN ({marks(len(self.files))}))", sorted(self.files)
