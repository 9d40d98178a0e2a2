"""Marks for what a reader made of a known paper: words in order, title, abstract, headings, authors."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.documents import Document
from engine.research.typesetting.known_papers import KnownPaper

_ABSTRACT_RIGHT = 0.9


@dataclass(frozen=True, slots=True)
class Marks:
    """How much of one paper was read right, each from 0 to 1.

    `words` is the share of the words of abstract and paragraphs that are read in their order: the longest common
    subsequence of both. `purity` is the share of what was read that those words make up; captions, tables, notes and
    subheadings are in the paper, too, so that 1 is out of reach. `title` says whether all its letters and digits are
    right, `abstract` whether its words are: F1 of words in order of at least 0.9. `headings` is F1 of the sections'
    titles, `authors` whether all names are right and in order.
    """

    words: float
    purity: float
    title: float
    abstract: float
    headings: float
    authors: float


def words_of(text: str) -> list[str]:
    """Words in small letters, without signs: what is compared."""
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())


def in_order(expected: Sequence[str], read: Sequence[str]) -> int:
    """How many of the expected words are read in their order.

    The longest common subsequence by rows of bits (Hyyrö 2004, "Bit-parallel LCS-length computation revisited"): n
    steps on numbers of m bits.
    """
    places: dict[str, int] = {}
    for place, word in enumerate(expected):
        places[word] = places.get(word, 0) | 1 << place
    every = (1 << len(expected)) - 1
    row = every
    for word in read:
        here = row & places.get(word, 0)
        row = (row + here | row - here) & every
    return len(expected) - row.bit_count()


def recall(expected: str, read: str) -> float:
    """The share of the expected words that are read in their order."""
    words = words_of(expected)
    return in_order(words, words_of(read)) / max(1, len(words))


def marks_of(paper: KnownPaper, document: Document) -> Marks:
    """What a reader made of the paper."""
    sections = [one for one in document.sections if one.role != "references"]
    expected, read = words_of(paper.body), words_of("\n".join([document.abstract, *(one.text for one in sections)]))
    common = in_order(expected, read)
    headings = [one.heading for one in paper.sections]
    return Marks(
        words=common / max(1, len(expected)),
        purity=common / max(1, len(read)),
        title=float(_plain(paper.title) == _plain(document.title)),
        abstract=float(_likeness(words_of(paper.abstract), words_of(document.abstract)) >= _ABSTRACT_RIGHT),
        headings=headings_f1(headings, [one.title for one in sections]),
        authors=float([_plain(one.name) for one in paper.authors] == [_plain(name) for name in document.authors]),
    )


def headings_f1(expected: Sequence[str], read: Sequence[str]) -> float:
    """F1 of headings by their letters and digits, each counted as often as it stands."""
    known, found = Counter(map(_plain, expected)), Counter(_plain(one) for one in read if _plain(one))
    return 2 * (known & found).total() / max(1, known.total() + found.total())


def _likeness(expected: Sequence[str], read: Sequence[str]) -> float:
    return 2 * in_order(expected, read) / max(1, len(expected) + len(read))


def _plain(text: str) -> str:
    return "".join(words_of(text))
