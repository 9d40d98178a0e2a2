"""Whether an entry of a reference list cites a document: how alike the titles are, with years and authors.

A title may have been typed from the other: misspelt, shortened, hyphenated, in other capitals. An equal title may stand
beside a year that is up to three off, as a preprint's is, where an author agrees. A title with mistakes needs an author
and the year, at most one off, or the very year where it lacks a word. One with a word in addition is of another work:
"An improved estimator" is not "An estimator". So are titles whose numbers differ, as "part I" and "part II", or where
one has a word in place of another's, however alike. So is a record of another kind: an erratum, a reply or a review of
a work has its title and is not the work, whether the entry or the document is the one. A patent is cited by its number
alone.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, pairwise

from engine.documents import Document, Reference, text
from engine.documents.people import surnames
from engine.search.citations.records import kind_of_record, with_kind

_WORD = re.compile(r"[^\W_]+")
_NUMERALS = {name: str(number) for number, name in enumerate("i ii iii iv v vi vii viii ix x".split(), start=1)}
_NUMERALS |= {name: str(number) for number, name in enumerate("one two three four five six".split(), start=1)}
_VERSIONS = frozenset(
    "part volume vol chapter series paper reply rejoinder comment erratum corrigendum correction revisited".split()
)
"""A title that has one of these in addition is another work of its series, or is about the first."""

_LIGHT, _TYPO, _JOINED, _FORM = 0.25, 0.3, 0.05, 0.1
_SUBTITLE = re.compile(r"[:.?!]\s|\s[-\u2013\u2014]\s|\u2014")
_MOST_WORDS = 100
"""A longer title is a text that came as a title: it is like none but its equal."""
_SHORT_WORD, _LONG_WORD = 5, 9
"""From these lengths on a word may have one mistake, and two."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What two titles share, from 0 to 1, the words that are misspelt, and the telling ones that only one of them has.

    `changed` is true where one has a word in place of another's, and `renumbered` where their numbers differ, as those
    of "part 1" and "part II" do. `is_headline` says that one title is the other without its subtitle.
    """

    share: float
    slips: int = 0
    missing: int = 0
    added: int = 0
    changed: bool = False
    renumbered: bool = False
    is_headline: bool = False

    @property
    def is_equal(self) -> bool:
        """Whether only capitals, signs, hyphens and the forms of words differ."""
        return self.share > 0 and not self.slips and self.has_same_words

    @property
    def has_same_words(self) -> bool:
        """Whether neither title has a telling word, or a number, that the other lacks."""
        return not (self.changed or self.renumbered or self.missing or self.added)


@lru_cache(maxsize=4096)
def title_words(title: str) -> tuple[str, ...]:
    """Return the words of a title as they are compared: lower-case, without accents, "&" as "and"."""
    bare = text.without_accents(html.unescape(text.without_tags(title)).replace("&", " and "))
    return tuple(_WORD.findall(bare.casefold().replace("\u2019", "").replace("'", "")))


def headline(title: str) -> str:
    """Return a title without its subtitle."""
    return _SUBTITLE.split(title, maxsplit=1)[0]


def count_telling(title: str) -> int:
    """Count the words of a title that say something of its subject."""
    return sum(1 for word in title_words(title) if _weight(word) == 1)


@lru_cache(maxsize=8192)
def likeness(cited: str, held: str) -> Likeness:
    """Tell how alike a cited title and that of a held document are."""
    (ours, about), (theirs, subject) = kind_of_record(cited), kind_of_record(held)
    if ours != theirs:
        return Likeness(0.0, renumbered=True)
    found = _likeness(about, subject)
    return max(found, _likeness(cited, held), key=_rank) if ours else found


def _likeness(cited: str, held: str) -> Likeness:
    """Tell how alike the titles of two records of one kind are."""
    ours, theirs = title_words(cited), title_words(held)
    if not ours or not theirs:
        return Likeness(0.0)
    if "".join(ours) == "".join(theirs):
        return Likeness(1.0)
    if max(len(ours), len(theirs)) > _MOST_WORDS:
        return Likeness(0.0)
    found = _aligned(ours, theirs)
    if found.is_equal:
        return found
    for whole, short in ((cited, theirs), (held, ours)):
        for match in _SUBTITLE.finditer(whole):
            head = title_words(whole[: match.start()])
            rest = title_words(whole[match.end() :])
            if not rest or abs(len(head) - len(short)) > 1:
                continue
            without = _aligned(head, short) if "".join(head) != "".join(short) else Likeness(1.0)
            if without.has_same_words and not any(_number(word) or word in _VERSIONS for word in rest):
                return replace(without, is_headline=True)
    return found


def _aligned(ours: Sequence[str], theirs: Sequence[str]) -> Likeness:
    """Return the cheapest way to make one title of the other: a word left out, added, misspelt, joined or parted.

    Wagner and Fischer's table over words (J. ACM 21, 1974), where a word that says little weighs little.
    """
    m, n = len(ours), len(theirs)
    costs = [[0.0] * (n + 1) for _ in range(m + 1)]
    steps = [[(0, 0)] * (n + 1) for _ in range(m + 1)]
    for i in range(m + 1):
        for j in range(n + 1):
            if not i and not j:
                continue
            best, step = float("inf"), (0, 0)
            for di, dj in ((1, 1), (1, 0), (0, 1), (2, 1), (1, 2)):
                if i < di or j < dj:
                    continue
                price = _price(ours[i - di : i], theirs[j - dj : j])
                if costs[i - di][j - dj] + price < best:
                    best, step = costs[i - di][j - dj] + price, (di, dj)
            costs[i][j], steps[i][j] = best, step
    left, added, slips = [], [], 0
    i, j = m, n
    while i or j:
        di, dj = steps[i][j]
        i, j = i - di, j - dj
        if dj == 0:
            added.append(ours[i])
        elif di == 0:
            left.append(theirs[j])
        else:
            slips += costs[i + di][j + dj] - costs[i][j] > _FORM + _JOINED
    total = max(sum(map(_weight, ours)), sum(map(_weight, theirs)))
    return Likeness(
        share=max(0.0, 1 - costs[m][n] / total),
        slips=slips,
        missing=sum(1 for word in left if _weight(word) == 1),
        added=sum(1 for word in added if _weight(word) == 1),
        changed=bool(_heavy(left) and _heavy(added)),
        renumbered=_numbers(ours) != _numbers(theirs) or any(word in _VERSIONS for word in (*left, *added)),
    )


def _price(ours: Sequence[str], theirs: Sequence[str]) -> float:
    """Return what it costs to take some words of one title for some of the other."""
    if len(ours) == len(theirs):
        return _difference(ours[0], theirs[0])
    if not ours or not theirs:
        return _weight((ours or theirs)[0])
    one, other = "".join(ours), "".join(theirs)
    return _JOINED if one == other else _TYPO if _is_typo(one, other) else float("inf")


@lru_cache(maxsize=65536)
def _difference(one: str, other: str) -> float:
    """Return the price of a word in place of another; infinite where it is not a slip of the keys."""
    if one == other:
        return 0.0
    if _number(one) or _number(other):
        return 0.0 if _number(one) == _number(other) else float("inf")
    if len(set(text.stems([one, other]))) == 1:
        return _FORM
    return _TYPO if _is_typo(one, other) else float("inf")


@lru_cache(maxsize=65536)
def _is_typo(one: str, other: str) -> bool:
    """Tell whether two words differ by one letter, or by two where they are long."""
    longer = max(len(one), len(other))
    most = 2 if longer >= _LONG_WORD else 1 if longer >= _SHORT_WORD else 0
    return most > 0 and abs(len(one) - len(other)) <= most and edits(one, other, most) <= most


def edits(one: str, other: str, most: int) -> int:
    """Count the letters to put in, take out, change or swap with their neighbour; `most` + 1 if more."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        new = [i]
        for j, wanted in enumerate(other, start=1):
            cost = min(row[j] + 1, new[j - 1] + 1, row[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, before[j - 2] + 1)
            new.append(cost)
        if min(new) > most:
            return most + 1
        before, row = row, new
    return min(row[-1], most + 1)


def _weight(word: str) -> float:
    return _LIGHT if word in text.STOP_WORDS or (len(word) == 1 and not word.isdigit()) else 1.0


def _heavy(found: Sequence[str]) -> bool:
    return any(_weight(word) == 1 for word in found)


def _number(word: str) -> str:
    """Return a word that is a number as digits: "ii" is "2"; empty for any other."""
    return word.lstrip("0") or "0" if word.isdigit() else _NUMERALS.get(word, "")


def _numbers(found: Sequence[str]) -> list[str]:
    """Return a title's numbers, sorted, without 1, which a first part often lacks, and without "v" and "x"."""
    return sorted(number for word in found if word not in "vx" and (number := _number(word)) not in ("", "1"))


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
class Fit:
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
    """Tell how an entry's title fits a held one; None if it cannot be its own, whoever the authors are."""
    if years_apart(reference.year, year) > _YEAR_OF_VERSIONS:
        return None
    found = likeness(whole_title(reference), title) if reference.title else Likeness(0.0)
    if found.is_equal or not reference.text:
        return found if _is_near(found, title) else None
    printed = max((likeness(one, title) for one in title_runs(reference.text, title)), key=_rank, default=found)
    best = max(found, printed, key=_rank)
    return best if _is_near(best, title) else None


def _rank(found: Likeness) -> tuple[bool, bool, float]:
    return not (found.renumbered or found.changed), found.is_equal and not found.is_headline, found.share


def _is_near(found: Likeness, title: str) -> bool:
    if found.renumbered or found.changed:
        return False
    lost = max(1, count_telling(title) // _LOST)
    return found.is_equal or (found.share >= _LEAST_SHARE and found.missing + found.added <= lost)


def title_runs(entry: str, title: str) -> Iterator[str]:
    """Yield the runs of an entry's clauses that are about as long as a title, which may be where its title is.

    A run has with it what the entry says beside it of the kind of record: "Comment on", "a rejoinder", "Part II".
    """
    ends = [(match.start(), match.end()) for match in _CLAUSE.finditer(entry)][: _MOST_CLAUSES - 1]
    spans = [(a[1], b[0]) for a, b in pairwise([(0, 0), *ends, (len(entry), len(entry))])]
    sizes = [len(title_words(entry[start:stop])) for start, stop in spans]
    wanted = len(title_words(title))
    first = title_words(title)[:1]
    for place, (start, end) in enumerate(spans):
        if not (first and sizes[place]) or title_words(entry[start:end])[0][:2] != first[0][:2]:
            continue
        size = 0
        for (_, stop), added in islice(zip(spans, sizes, strict=True), place, place + _LONGEST_RUN):
            size += added
            if size > wanted + 1:
                break
            if size >= wanted - 1:
                yield with_kind(entry, start, stop)


def whole_title(reference: Reference) -> str:
    """Return an entry's title with what its text says beside it of the kind of record."""
    start = reference.text.find(reference.title) if reference.title else -1
    return with_kind(reference.text, start, start + len(reference.title)) if start >= 0 else reference.title


def agreement(reference: Reference, document: Document, found: Likeness) -> Fit | None:
    """Tell how an entry fits a document whose title is as like as `found`; None if it cites another work."""
    if document.kind == "patent":
        return None
    apart, author = years_apart(reference.year, document.year), same_author(reference, document)
    if author is False and kind_of_record(document.title)[0]:  # two reviews of one book have one title
        return None
    is_dated = reference.year is not None and document.year is not None
    words = min(count_telling(document.title), count_telling(reference.title) or _MANY)
    fits = (
        _equal_fits(words, apart, author, is_dated=is_dated)
        if found.is_equal and not found.is_headline
        else _near_fits(found, words, apart, author, is_dated=is_dated)
    )
    return Fit(False, found.share, author is True, -apart) if fits else None


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
    """Return how many years lie between two works; 0 if one of the years is unknown."""
    return 0 if one is None or other is None else abs(one - other)


def same_author(reference: Reference, document: Document) -> bool | None:
    """Tell whether an entry names an author of a document, perhaps misspelt by a letter; None if either names none."""
    theirs = {_plain(name) for name in surnames(document.authors)}
    ours = {_plain(name) for name in surnames(reference.authors)}
    if not theirs or not (ours or reference.text):
        return None
    if ours & theirs or theirs & set(title_words(reference.text[:_HEAD])):
        return True
    longest = [(one, other) for one in ours for other in theirs if min(len(one), len(other)) > 4]
    if any(edits(one, other, 1) <= 1 for one, other in longest):
        return True
    return False if ours else None


def _plain(name: str) -> str:
    return "".join(title_words(name))
