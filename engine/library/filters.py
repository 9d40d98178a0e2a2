"""Which documents of a library a question is about: by kind, year, category and venue."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.documents import Kind

_PATENT_CLASS = re.compile(r"[A-HY][0-9]{2}[A-Z]")


@dataclass(frozen=True, slots=True)
class Filters:
    """Limits on an answer; an empty field limits nothing.

    A document passes `categories` where it has one of them; a patent class such as "G06F" stands
    for all its groups ("G06F17/30"). Years are inclusive; a document without a year passes no
    limit on years.
    """

    kinds: frozenset[Kind] = frozenset()
    year_from: int | None = None
    year_to: int | None = None
    categories: frozenset[str] = frozenset()
    venues: frozenset[str] = frozenset()

    def condition(self) -> tuple[str, list[str | int]]:
        """An SQL condition over the table `documents`, and its parameters."""
        clauses: list[str] = []
        parameters: list[str | int] = []
        for column, values in (("kind", self.kinds), ("venue", self.venues)):
            if values:
                clauses.append(f"{column} IN ({_marks(len(values))})")
                parameters += sorted(values)
        for comparison, year in ((">=", self.year_from), ("<=", self.year_to)):
            if year is not None:
                clauses.append(f"year {comparison} ?")
                parameters.append(year)
        if self.categories:
            marks = _marks(len(self.categories))
            clauses.append(f"position IN (SELECT position FROM categories WHERE category IN ({marks}))")
            parameters += sorted(self.categories)
        return " AND ".join(clauses) or "1", parameters


def category_group(category: str) -> str:
    """What a category counts under: a patent's class ("G06F17/30" -> "G06F"), else the category itself."""
    compact = category.replace(" ", "")
    return compact[:4] if _PATENT_CLASS.match(compact) else category


def _marks(number: int) -> str:
    return ", ".join("?" * number)
