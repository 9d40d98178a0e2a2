"""Whether an entry of a reference list cites a document: the rules for titles, years and authors together.

An equal title may stand beside a year that is up to three off, as a preprint's is, where an author agrees. A title with
mistakes needs an author and the year, at most one off, or the very year where it lacks a word. One with a word in
addition is of another work: "An improved estimator" is not "An estimator". So are titles whose numbers differ, as "part
I" and "part II", or where one has a word in place of another's, however alike. A patent is cited by its number alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.documents import Document, Reference, works
from engine.search.citations import titles
from engine.search.citations.titles import Likeness, likeness

_CLAUSE = re.compile(r"(?<=[.?!:;,\])”\"’])\s++|(?:(?<!\s)\s++)?[“”\"]\s*+|(?<!\s)\s++//\s++")
_MOST_CLAUSES, _LONGEST_RUN = 40, 8
_YEAR, _YEAR_OF_VERSIONS = 1, 3
_FEW, _ENOUGH, _MANY = 2, 4, 6
"""Telling words of a title that names one work with an author, without one, and with others' names."""
_LEAST_SHARE, _LEAST_ALONE = 0.7, 0.85
_LOST = 4
"""Of this many telling words one may be left out, or be too many."""
_HEAD = 250
"""The authors stand among this many characters of an entry."""


@dataclass(frozen=True, slots=True, order=True)
class Agreement:
    """How well an entry fits a document that it cites; the larger fits better."""

    by_number: bool
    share: float
    by_author: bool
    years: int

    @property
    def is_exact(self) -> bool:
        """Whether the title is the same, or the number is."""
        return self.by_number or self.share == 1.0


def may_cite(reference: Reference, title: str, year: int | None) -> Likeness | None:
    """How an entry's title fits a held one that could be its own; None if it cannot, whoever the authors are."""
    if years_apart(reference.year, year) > _YEAR_OF_VERSIONS:
        return None
    found = likeness(reference.title, title) if reference.title else Likeness(0.0)
    if found.is_equal or not reference.text:
        return found if _is_near(found, title) else None
    printed = max((likeness(one, title) for one in stretches(reference.text, title)), key=_rank, default=found)
    best = max(found, printed, key=_rank)
    return best if _is_near(best, title) else None


def _rank(found: Likeness) -> tuple[bool, bool, float]:
    return not (found.renumbered or found.changed), found.is_equal and not found.is_headline, found.share


def _is_near(found: Likeness, title: str) -> bool:
    if found.renumbered or found.changed:
        return False
    lost = max(1, titles.telling(title) // _LOST)
    return found.is_equal or (found.share >= _LEAST_SHARE and found.missing + found.added <= lost)


def stretches(entry: str, title: str) -> Iterator[str]:
    """The runs of an entry's clauses that are about as long as a title: where the order of its parts is not told."""
    clauses = _CLAUSE.split(entry)[:_MOST_CLAUSES]
    sizes = [len(titles.words(clause)) for clause in clauses]
    wanted = len(titles.words(title))
    first = titles.words(title)[:1]
    for start in range(len(clauses)):
        if not sizes[start] or not _begins(titles.words(clauses[start]), first):
            continue
        size = 0
        for stop in range(start, min(start + _LONGEST_RUN, len(clauses))):
            size += sizes[stop]
            if size > wanted + 1:
                break
            if size >= wanted - 1:
                yield " ".join(clauses[start : stop + 1])


def _begins(words: tuple[str, ...], first: tuple[str, ...]) -> bool:
    return words[0][:2] == first[0][:2] if first else False


def agreement(reference: Reference, document: Document, found: Likeness) -> Agreement | None:
    """How an entry fits a document whose title is as like as `found`; None if it cites another work."""
    if document.kind == "patent":
        return None
    apart, author = years_apart(reference.year, document.year), same_author(reference, document)
    is_dated = reference.year is not None and document.year is not None
    words = min(titles.telling(document.title), titles.telling(reference.title) or _MANY)
    fits = (
        _equal_fits(words, apart, author, is_dated=is_dated)
        if found.is_equal and not found.is_headline
        else _near_fits(found, words, apart, author, is_dated=is_dated)
    )
    return Agreement(False, found.share, author is True, -apart) if fits else None


def _equal_fits(words: int, apart: int, author: bool | None, *, is_dated: bool) -> bool:
    if author:
        return apart <= _YEAR or words > _FEW
    if author is None:
        return words >= (_FEW if is_dated and apart <= _YEAR else _ENOUGH)
    return words >= _MANY and is_dated and apart <= _YEAR


def _near_fits(found: Likeness, words: int, apart: int, author: bool | None, *, is_dated: bool) -> bool:
    if words < _FEW or (words == _FEW and not found.is_headline):
        return False
    if found.added or apart > (0 if found.missing else _YEAR):
        return False
    if author:
        return is_dated or found.is_headline or found.share >= _LEAST_ALONE
    return author is None and is_dated and found.share >= _LEAST_ALONE and words >= _ENOUGH


def years_apart(one: int | None, other: int | None) -> int:
    """How many years lie between two works; 0 if one of the years is unknown."""
    return 0 if one is None or other is None else abs(one - other)


def same_author(reference: Reference, document: Document) -> bool | None:
    """Whether an entry names an author of a document, misspelt by a letter perhaps; None if either names none."""
    theirs = {_plain(name) for name in works.surnames(document.authors)}
    ours = {_plain(name) for name in works.surnames(reference.authors)}
    if not theirs or not (ours or reference.text):
        return None
    if ours & theirs or theirs & set(titles.words(reference.text[:_HEAD])):
        return True
    longest = [(one, other) for one in ours for other in theirs if min(len(one), len(other)) > 4]
    if any(titles.edits(one, other, 1) <= 1 for one, other in longest):
        return True
    return False if ours else None


def _plain(name: str) -> str:
    return "".join(titles.words(name))
