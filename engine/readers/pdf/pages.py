"""Finds where a text that was joined of a PDF's lines goes on to another page."""

from __future__ import annotations

from collections.abc import Iterable

from engine.documents import PageStart
from engine.readers.clean import clean
from engine.readers.pdf.lines import Line


def page_starts(text: str, lines: Iterable[Line]) -> tuple[PageStart, ...]:
    """Where the pages of a text begin, which was made of these lines in their order.

    Joining lines takes hyphens out and puts white space in, but keeps letters and digits: they are counted. Where the
    counts differ, so that the lines are not what the text was made of, nothing is known. A word that a page's end
    cuts belongs to the page where it begins.
    """
    changes: list[tuple[int, int]] = []  # letters and digits before the first line of a page, its number
    counted = 0
    for line in lines:
        if not changes or changes[-1][1] != line.page + 1:
            changes.append((counted, line.page + 1))
        counted += _count(clean(line.text))
    if counted != _count(text):
        return ()
    places = [place for place, letter in enumerate(text) if letter.isalnum()]
    starts = (
        (_after_word(text, places[before]) if before else 0, page) for before, page in changes if before < counted
    )
    return tuple(PageStart(start, page) for start, page in starts if start < len(text))


def _after_word(text: str, place: int) -> int:
    """The place itself, or where it lies within a word, the first letter of the next."""
    if place and text[place - 1].isalnum():
        while place < len(text) and text[place].isalnum():
            place += 1
        while place < len(text) and not text[place].isalnum():
            place += 1
    return place


def _count(text: str) -> int:
    return sum(map(str.isalnum, text))
