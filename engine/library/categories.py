"""Categories as they are counted and compared: a patent's class stands for all its groups, however a code is spelt."""

from __future__ import annotations

import re
from collections.abc import Iterable

_PATENT_CLASS = re.compile(r"[A-HY][0-9]{2}[A-Z]")
_PATENT_CODE = re.compile(r"[A-HY][0-9]{2}[A-Z](?:[0-9]{1,4}/[0-9]{2,6})?")


def category_group(category: str) -> str:
    """What a category counts under: a patent's class ("G06F 17/30" -> "G06F"), else the category itself."""
    compact = category.replace(" ", "")
    return _patent_code(category)[:4] or (compact[:4] if _PATENT_CLASS.match(compact) else category)


def _patent_code(category: str) -> str:
    """A patent's class or code as it is compared, "G06F17/30" for "g06f 17/30"; empty for other categories."""
    compact = category.replace(" ", "").upper()
    return compact if _PATENT_CODE.fullmatch(compact) else ""


def with_category(categories: Iterable[str]) -> tuple[str, list[str]]:
    """An SQL query for the positions of the documents that have one of some categories, and its parameters."""
    named = set(categories)
    codes = {code for category in named if (code := _patent_code(category))}
    exact = sorted(named | codes)
    query = f"SELECT position FROM categories WHERE category IN ({marks(len(exact))})"
    spelt = sorted(code for code in codes if len(code) > 4)  # classes are stored in the form compared
    if not spelt:
        return query, exact
    heads = {head for code in spelt for head in (code[:3], f"{code[0]} ")}
    starts = sorted(heads | {head.lower() for head in heads})
    ranges = " OR ".join(["(category >= ? AND category < ?)"] * len(starts))  # so that the table's key is used
    query += (
        f" UNION ALL SELECT position FROM categories WHERE ({ranges})"
        f" AND upper(replace(category, ' ', '')) IN ({marks(len(spelt))})"
    )
    return query, [*exact, *(end for start in starts for end in (start, start[:-1] + chr(ord(start[-1]) + 1))), *spelt]


def marks(number: int) -> str:
    """The places of `number` parameters in an SQL list."""
    return ", ".join("?" * number)
