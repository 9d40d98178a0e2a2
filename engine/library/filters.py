"""Which documents of a library a question is about: by kind, year, category, venue and collection."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.documents import Kind

_PATENT_CLASS = re.compile(r"[A-HY][0-9]{2}[A-Z]")
_PATENT_CODE = re.compile(r"[A-HY][0-9]{2}[A-Z](?:[0-9]{1,4}/[0-9]{2,6})?")


@dataclass(frozen=True, slots=True)
class Filters:
    """Limits on an answer; an empty field limits nothing.

    A document passes `categories` if it has one of them. A patent class such as "G06F" stands for all its groups ("G06F
    17/30"); such codes are compared without spaces and case. Years are inclusive; a document without a year fails any
    limit on years. `collections` passes what is in one of them.
    """

    kinds: frozenset[Kind] = frozenset()
    year_from: int | None = None
    year_to: int | None = None
    categories: frozenset[str] = frozenset()
    venues: frozenset[str] = frozenset()
    collections: frozenset[str] = frozenset()

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
            query, given = _with_category(self.categories)
            clauses.append(f"position IN ({query})")
            parameters += given
        if self.collections:
            marks = _marks(len(self.collections))
            clauses.append(f"id IN (SELECT document FROM collected WHERE collection IN ({marks}))")
            parameters += sorted(self.collections)
        return " AND ".join(clauses) or "1", parameters


def category_group(category: str) -> str:
    """What a category counts under: a patent's class ("G06F 17/30" -> "G06F"), else the category itself."""
    compact = category.replace(" ", "")
    return _patent_code(category)[:4] or (compact[:4] if _PATENT_CLASS.match(compact) else category)


def _patent_code(category: str) -> str:
    """A patent's class or code as it is compared, "G06F17/30" for "g06f 17/30"; empty for other categories."""
    compact = category.replace(" ", "").upper()
    return compact if _PATENT_CODE.fullmatch(compact) else ""


def _with_category(categories: frozenset[str]) -> tuple[str, list[str]]:
    """An SQL query for the positions of the documents that have one of some categories, and its parameters."""
    codes = {code for category in categories if (code := _patent_code(category))}
    exact = sorted(categories | codes)
    query = f"SELECT position FROM categories WHERE category IN ({_marks(len(exact))})"
    spelt = sorted(code for code in codes if len(code) > 4)  # classes are stored in the form compared
    if not spelt:
        return query, exact
    heads = {head for code in spelt for head in (code[:3], f"{code[0]} ")}
    starts = sorted(heads | {head.lower() for head in heads})
    ranges = " OR ".join(["(category >= ? AND category < ?)"] * len(starts))  # so that the table's key is used
    query += (
        f" UNION ALL SELECT position FROM categories WHERE ({ranges})"
        f" AND upper(replace(category, ' ', '')) IN ({_marks(len(spelt))})"
    )
    return query, [*exact, *(end for start in starts for end in (start, start[:-1] + chr(ord(start[-1]) + 1))), *spelt]


def _marks(number: int) -> str:
    return ", ".join("?" * number)
