"""Years and days of documents: how a year is told from other numbers, and dates as ISO 8601 writes them.

The patterns are pieces for those who look for a year in a longer text. Which of them fits depends on what other numbers
may stand there; the functions read a field that holds a date.
"""

from __future__ import annotations

import re

from engine.documents.document import DateKind, DocumentDate

YEAR = r"(?:1\d|20)\d\d"
"""A year where nothing but a date is expected."""

CITED_YEAR = r"(?:1[5-9]|20)\d\d"
"""The year of a work that is cited, among other words; letters that tell works of one year apart may follow."""

RECENT_YEAR = r"(?:19|20)\d\d"
"""A year beside numbers of pages and volumes, which would often be taken for an earlier one."""

DATED = re.compile(rf"\b{CITED_YEAR}[a-z]?\b|\bin press\b|\bforthcoming\b|\barxiv\b|\bdoi\b", re.IGNORECASE)
"""What an entry of a reference list has of a date: a year, or what stands in its place."""

MONTHS = tuple("january february march april may june july august september october november december".split())
MONTH = rf"(?:{'|'.join(MONTHS)})"
SHORT_MONTH = rf"(?:{'|'.join(month[:3] for month in MONTHS)})"
"""The name of a month and its first three letters, without regard to letter case."""

_YEAR = re.compile(rf"(?<!\d)({YEAR})(?=(?:[01]\d(?:[0-3]\d)?)?(?!\d))")
_DAY = re.compile(
    rf"\s*({YEAR})(?:[-/](1[0-2]|0?[1-9])(?!\d)(?:[-/]([12]\d|3[01]|0?[1-9])(?!\d))?"
    r"|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])?)?"
)
_KINDS: tuple[DateKind, ...] = ("priority", "filed", "published", "granted", "revised")


def year_in(date: str) -> int | None:
    """Return the first year in a date of any form, 2 June 2004, 2004-06-02 or 20040602; None without one."""
    match = _YEAR.search(date)
    return int(match[1]) if match is not None else None


def day(date: str) -> str:
    """Return a date that begins with its year, as 20040602, 2004-06-02 or 2004/6/2 do, in ISO 8601.

    It is as exact as it is given: "19831100" is "1983-11". Empty for any other text.
    """
    match = _DAY.match(date)
    return "-".join(f"{part:0>2}" for part in match.groups() if part) if match is not None else ""


def dates(*given: tuple[DateKind, str]) -> tuple[DocumentDate, ...]:
    """Return the days of a document in the order of its life, each once; what is not a date is left out."""
    found = dict.fromkeys(DocumentDate(kind, iso) for kind, date in given if (iso := day(date)))
    return tuple(sorted(found, key=lambda one: (_KINDS.index(one.kind), one.day)))
