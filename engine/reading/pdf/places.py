"""Where a PDF's text stands: the pages of a text and the boxes of its lines, told from the lines that it was made of.

Joining lines takes hyphens out and puts white space in, but keeps letters and digits: they are counted.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np

from engine.documents import LineBox, PageStart
from engine.documents.text import clean
from engine.reading.pdf.page import PdfLine, PdfPage, is_from_right
from engine.reading.pdf.scan_lines import turn

_ASCENT, _DESCENT = 0.8, 0.25
"""How far a line reaches above and below its baseline, in ems."""
_UPSIDE_DOWN = 2
_FEWEST = 8
"""A text of fewer letters may stand anywhere."""

Starts = tuple[PageStart, ...]
Boxes = tuple[LineBox, ...]


class TextPlaces:
    """The lines of a file, to say where a text that was made of some of them stands."""

    def __init__(self, pages: Sequence[PdfPage], lines: Sequence[PdfLine]) -> None:
        """Take the pages, and all their lines in reading order."""
        self._pages = {page.number: page for page in pages}
        self._lines = lines

    def of(self, text: str, lines: Iterable[PdfLine]) -> tuple[Starts, Boxes]:
        """Return where a text stands that was made of these lines in their order.

        Where it holds other letters than they do, it is looked for; what is not found stands nowhere. A word that a
        page's end cuts belongs to the page where it begins.
        """
        own = list(lines)
        counts = [_count(clean(line.text)) for line in own]
        if sum(counts) != _count(text):
            return self.find(text)
        return self._placed(text, own, list(accumulate(counts, initial=0))[:-1])

    def find(self, text: str) -> tuple[Starts, Boxes]:
        """Find where a text stands, paragraph by paragraph, among all lines; what is not found stands nowhere."""
        starts: list[PageStart] = []
        boxes: list[LineBox] = []
        at = reached = 0
        for paragraph in text.split("\n\n"):
            letters = _letters(paragraph)
            place = self._stream.find(letters, reached)
            place = self._stream.find(letters) if place < 0 else place
            if place >= 0 and len(letters) >= _FEWEST:
                reached = place + len(letters)
                first = bisect_right(self._offsets, place) - 1
                last = bisect_left(self._offsets, reached)
                before = [max(offset - place, 0) for offset in self._offsets[first:last]]
                found, lines = self._placed(paragraph, self._lines[first:last], before)
                starts += [one._replace(start=one.start + at) for one in found]
                boxes += [one._replace(start=one.start + at) for one in lines]
            at += len(paragraph) + 2
        return tuple(_changes(starts)), tuple(boxes)

    def _placed(self, text: str, lines: Sequence[PdfLine], before: Sequence[int]) -> tuple[Starts, Boxes]:
        """Return where a text stands; `before` says how many of its letters stand before each line."""
        places = [place for place, letter in enumerate(text) if letter.isalnum()]
        words = [place for last, place in pairwise([-2, *places]) if place - last > 1] + [len(text)]
        starts: list[PageStart] = []
        boxes: list[LineBox] = []
        for line, (count, after) in zip(lines, pairwise([*before, len(places)]), strict=True):
            if count == len(places):
                break
            if not starts or starts[-1].page != line.page + 1:
                starts.append(PageStart(words[bisect_left(words, places[count])] if count else 0, line.page + 1))
            if count < after:
                boxes.append(self._box(line, _opening(text, places[count]) if count else 0))
        return tuple(_changes(one for one in starts if one.start < len(text))), tuple(boxes)

    def _box(self, line: PdfLine, start: int) -> LineBox:
        """Return where a line lies on the page as shown, in whole points: a library keeps one for each of its lines."""
        page = self._pages[line.page]
        width, height = _sizes(page)
        top, bottom = line.y - _ASCENT * line.size, line.y + _DESCENT * line.size
        corners = np.array([(line.x0, top), (line.x1, top), (line.x1, bottom), (line.x0, bottom)])
        corners = turn(corners, page.skew, np.array([width, height]) / 2)
        for _ in range(page.quarters):
            corners = np.column_stack([height - corners[:, 1], corners[:, 0]])
            width, height = height, width
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        x0, x1 = max(left, 0.0), min(right, width)
        y0, y1 = max(height - bottom, 0.0), min(height - top, height)
        x0, x1 = math.floor(x0), math.ceil(x1)
        if is_from_right(line.text) != (page.quarters == _UPSIDE_DOWN):
            x0, x1 = x1, x0
        return LineBox(start, line.page + 1, x0, math.floor(y0), x1, math.ceil(y1))

    @cached_property
    def _stream(self) -> str:
        """The letters of all lines."""
        return "".join(self._pieces)

    @cached_property
    def _offsets(self) -> list[int]:
        """How many letters stand before each line."""
        return list(accumulate(map(len, self._pieces), initial=0))[:-1]

    @cached_property
    def _pieces(self) -> list[str]:
        return [_letters(clean(line.text)) for line in self._lines]


def _sizes(page: PdfPage) -> tuple[float, float]:
    """Return the width and height of a page as its text is read: a scan's are told so, others as the page is shown."""
    if page.recognised is None and page.quarters % 2:
        return page.height, page.width
    return page.width, page.height


def _changes(starts: Iterable[PageStart]) -> Iterable[PageStart]:
    """Yield the starts without those that go on with the page before."""
    page = 0
    for one in starts:
        if one.page != page:
            yield one
        page = one.page


def _opening(text: str, place: int) -> int:
    """Return where the word that begins with a letter does: a bracket before it belongs to it."""
    while place and not (text[place - 1].isspace() or text[place - 1].isalnum()):
        place -= 1
    return place


def _count(text: str) -> int:
    return sum(map(str.isalnum, text))


def _letters(text: str) -> str:
    """Return the letters and digits of a text, small as far as that leaves their number as it is."""
    kept = "".join(filter(str.isalnum, text))
    small = kept.lower()
    return small if len(small) == len(kept) else kept
