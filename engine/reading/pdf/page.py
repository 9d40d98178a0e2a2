"""A page's text, smallest pieces first: runs of one font, segments of a baseline that wide gaps part, and lines."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

FAR = 20_000.0
"""No text stands farther from its page's corner, in points."""
_SEGMENT_GAP = 0.75
"""A gap of this many ems ends a segment: wider than a word space, narrower than a gutter."""
_BROKEN_GAP = 0.35
"""The same where the file ends a line: an overlong line comes close to the next column."""
_UNLIKE_GAP = 0.5
"""The same between letters of unlike size: a side column stands close to the text."""
_FAR_OFF = 0.55
"""Recognised text is uneven in size and place: a line's smaller words stand up to this many ems off it."""
_SIGN = 1.4
"""Between a name and its mark a sign of this many ems may be drawn, as a link to the person's number is."""
_MOST_PARTS, _MOST_NEAR = 200, 20
"""A line of names has fewer parts, and fewer lines are near it."""
_OVERLAP = 0.1
"""What follows a raised mark may begin this many ems before the mark ends."""
_FEW_LETTERS = 16
"""A word holds fewer letters; what holds more is a line of another column."""
_NOTE_MARKS = re.compile(r"[\d,;*†‡§¶#\s\u2217–-]{1,24}")
_ENTRY_NUMBER = re.compile(r"[\[(]?(\d{1,3})[\].)]{0,2}(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Font:
    """What a font's name and flags say about the look of its letters."""

    name: str
    bold: bool = False
    italic: bool = False
    mono: bool = False
    small_caps: bool = False


@dataclass(slots=True)
class TextRun:
    """Text of one font on one baseline; lengths in points, `y` from the top of the page down.

    `spaced` says that a space stands before it in the file, `broken` that a line's end does.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    font: Font
    spaced: bool = False
    broken: bool = False


@dataclass(slots=True)
class PdfPage:
    """The upright text of one page in the order of the file, and how many characters had no known letter.

    `recognised` is how sure the recognition of its picture was, from 0 to 1; None for a page with a text of its own.
    `turned` counts the letters in other directions, which were left out. `quarters` is how often the text as it is read
    must be turned clockwise by a quarter to stand as the page is shown; `skew` is how far, in radians clockwise, its
    lines are aslant on a scan.
    """

    number: int
    width: float
    height: float
    runs: list[TextRun]
    characters: int = 0
    unknown: int = 0
    cut: bool = False
    recognised: float | None = None
    turned: int = 0
    quarters: int = 0
    skew: float = 0.0


def key_of(text: str) -> str:
    """Return a text's letters and digits, small: what it has in common with another writing of it."""
    return re.sub(r"[\W_]+", "", text).lower()


def is_from_right(text: str) -> bool:
    """Tell whether most letters of a text are written from right to left, as Arabic and Hebrew are."""
    if text.isascii():
        return False
    letters = [unicodedata.bidirectional(letter) for letter in text if letter.isalpha()]
    return sum(kind in ("R", "AL") for kind in letters) > 0.5 * len(letters)


class LineSegment(NamedTuple):
    """Runs that stand close together on one baseline."""

    x0: float
    x1: float
    runs: list[TextRun]

    @property
    def text(self) -> str:
        """The runs' text, with a space between them."""
        return " ".join(run.text for run in self.runs).strip()


@dataclass(slots=True)
class Baseline:
    """The segments that stand on about one baseline, from left to right."""

    y: float
    size: float
    segments: list[LineSegment] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The segments' text, with nothing between them."""
        return "".join(segment.text for segment in self.segments)

    def within(self, x0: float, x1: float) -> Baseline:
        """Return this baseline with only those segments whose middle lies between two places."""
        kept = [segment for segment in self.segments if x0 <= (segment.x0 + segment.x1) / 2 < x1]
        return Baseline(self.y, max((run.size for one in kept for run in one.runs), default=self.size), kept)


def baselines_of(runs: Sequence[TextRun]) -> list[Baseline]:
    """Return runs by the baseline that they stand on, from the top down."""
    found = [Baseline(row.y, row.size, _segments(row.members)) for row in rows_of(runs, _FAR_OFF)]
    return sorted(found, key=lambda baseline: baseline.y)


def rows_of(runs: Sequence[TextRun], far_off: float = 0.0) -> list[LineRow]:
    """Group runs by baseline, large ones first, so that a raised or lowered run joins its line.

    A small word that is not close to the line's others may be `far_off` ems of the line above or below it.
    """
    found: list[LineRow] = []
    by_y: dict[int, list[int]] = {}
    for run in sorted(runs, key=lambda run: (-round(run.size, 1), run.y)):
        cell = int(run.y // 8)
        near = [number for step in (0, -1, 1) for number in by_y.get(cell + step, ())]
        best = min(near, key=lambda number: abs(found[number].y - run.y), default=-1)
        if _NOTE_MARKS.fullmatch(run.text):
            best = next((number for number in near[:_MOST_NEAR] if found[number].holds_mark(run)), best)
        if best < 0 or not found[best].takes(run, far_off):
            best = len(found)
            by_y.setdefault(cell, []).append(best)
            found.append(LineRow(run.y, run.size))
        found[best].add(run)
    return found


@dataclass(slots=True)
class LineRow:
    """The runs of one baseline so far, and in order where they begin and end."""

    y: float
    size: float
    members: list[TextRun] = field(default_factory=list)
    _starts: list[float] = field(default_factory=list)
    _ends: list[float] = field(default_factory=list)

    def add(self, run: TextRun) -> None:
        """Add a run that stands here."""
        self.members.append(run)
        insort(self._starts, run.x0)
        insort(self._ends, run.x1)

    def takes(self, run: TextRun, far_off: float) -> bool:
        """Tell whether a run stands here: on the baseline, or small, raised or lowered, and close to a member."""
        distance = abs(run.y - self.y)
        if distance <= 0.25 * run.size:
            return True
        if run.size > 0.85 * self.size or distance > 0.6 * self.size:
            return False
        if distance <= far_off * self.size and len(run.text) < _FEW_LETTERS:
            return True
        before = bisect_right(self._ends, run.x0 - 0.4 * self.size) < bisect_left(self._ends, run.x0 + 0.5 * self.size)
        begin = run.x1 - _OVERLAP * self.size
        after = bisect_left(self._starts, begin) < bisect_left(self._starts, run.x1 + 0.4 * self.size)
        return before or after or self.holds_mark(run)

    def holds_mark(self, run: TextRun) -> bool:
        """Tell whether a small run of marks is raised behind a member, or within one that the file draws before it."""
        raised = 0.1 * self.size < self.y - run.y <= 0.6 * self.size and run.size <= 0.85 * self.size
        if not raised or len(self.members) > _MOST_PARTS or not _NOTE_MARKS.fullmatch(run.text):
            return False
        words = [member for member in self.members if member.text[-2:].isalpha() or "," in member.text]
        far = (0.4 if is_five(run.text) else _SIGN) * self.size
        behind = any(-0.5 * self.size < run.x0 - member.x1 < far for member in words)
        return behind or any(member.x0 < run.x0 and run.x1 < member.x1 for member in words)


def _segments(runs: list[TextRun]) -> list[LineSegment]:
    segments: list[LineSegment] = []
    for run in sorted(runs, key=lambda run: run.x0):
        if segments and run.x0 - segments[-1].x1 < _gap(segments[-1].runs[-1], run):
            x0, x1, members = segments[-1]
            members.append(run)
            segments[-1] = LineSegment(x0, max(x1, run.x1), members)
        else:
            segments.append(LineSegment(run.x0, run.x1, [run]))
    return segments


def _gap(before: TextRun, run: TextRun) -> float:
    """Return how wide a gap parts two runs."""
    if run.broken or is_five(run.text) or is_five(before.text):
        return _BROKEN_GAP * run.size
    unlike = min(run.size, before.size) < 0.93 * max(run.size, before.size)
    return (_UNLIKE_GAP if unlike else _SEGMENT_GAP) * max(run.size, before.size)


def is_five(text: str) -> bool:
    """Tell whether a text is 5, 10, 15 ... up to 95, as patents number their lines between the columns."""
    return len(text) < 3 and text.isdecimal() and int(text) % 5 == 0


def entry_number(text: str) -> int:
    """Return the number that opens an entry of a list, as in [7], (7), 7. or 7; 0 where none does."""
    match = _ENTRY_NUMBER.match(text)
    return int(match[1]) if match else 0


def runs_of(lines: Iterable[Baseline]) -> Iterator[TextRun]:
    """Return the runs of baselines, from the top down."""
    return (run for line in lines for segment in line.segments for run in segment.runs)


def text_edges(lines: Sequence[Baseline]) -> tuple[float, float]:
    """Return where text starts and ends, ignoring a few outliers."""
    starts = sorted(line.segments[0].x0 for line in lines)
    ends = sorted(line.segments[-1].x1 for line in lines)
    aside = len(lines) // 20
    return starts[aside], ends[-1 - aside]


def lines_between(lines: Iterable[Baseline], x0: float, x1: float) -> list[Baseline]:
    """Return the baselines with what stands between two places; those that have nothing there are left out."""
    kept = (line.within(x0, x1) for line in lines)
    return [line for line in kept if line.segments]


@dataclass(slots=True)
class PdfLine:
    """One line; `left` and `right` are its column's edges, `region` counts columns through the document.

    `bold`, `italic`, `mono` and `caps` say what most of its letters are; `caps` covers small capitals
    and all-capital text. `gap` is the distance down from the line above in the region (0 at its top).
    `after_contents` marks the line that follows a table of contents, `aside` one that stands beside the text,
    `edge` one of a page's head or foot.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    page: int
    region: int
    left: float
    right: float
    bold: bool = False
    italic: bool = False
    mono: bool = False
    caps: bool = False
    gap: float = 0.0
    after_contents: bool = False
    aside: bool = False
    edge: bool = False
    runs: list[TextRun] = field(default_factory=list)

    @property
    def style(self) -> tuple[float, bool, bool, bool]:
        """The look shared by lines of one heading, and by headings of one level."""
        return (round(self.size * 2) / 2, self.bold, self.italic, self.caps)

    @property
    def full(self) -> bool:
        """Whether the line reaches its column's right edge, to two ems."""
        return self.x1 > self.right - 2 * self.size

    @property
    def centred(self) -> bool:
        """Whether the line stands in the middle of its column, away from both edges."""
        before, after = self.x0 - self.left, self.right - self.x1
        return before > 2 * self.size and abs(before - after) < 2 * self.size
