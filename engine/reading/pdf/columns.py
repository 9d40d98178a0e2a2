"""Finds the columns that a page's text stands in: the gutters between them.

A page's text by baseline: segments of text that wide gaps part, before anything is known about columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from engine.reading.limits import Budget
from engine.reading.pdf.page import FAR, Baseline, LineSegment, lines_between, text_edges

_MIN_LINES = 8
_MIN_FILL = 0.7
_MIN_COLUMN_SHARE = 0.22
_ALIKE = 0.6
"""Columns of text are about as wide as each other; what is narrower than this stands beside the text."""
_LINES_A_STRAY = 40
"""One line in this many may end within the strip between two columns."""
_MOST_PAIRED = 0.65
"""Columns share few baselines, for headings and code shift their lines; a table's columns share nearly all."""
_PAIRED_AS_TABLE = 0.92
_MOST_COLUMNS = 4
_ONE_EDGE = 2.0
"""Lines of one column begin this close to each other, in points."""
_LEADING = 1.35
"""Lines of one column are at most this many ems apart."""


@dataclass(frozen=True, slots=True)
class Gutter:
    """The gap between two columns, and where the right column's lines start."""

    x: float
    right_edge: float


def find_columns(pages: Sequence[Sequence[Baseline]], budget: Budget) -> list[list[Gutter]]:
    """Return each page's gutters, from left to right.

    A page is in columns when all of them are well filled; in a document where most pages are, weaker
    evidence is enough (the first page, the last one). Elsewhere, what shares its baselines is a table. Raises as
    `Budget.check`.
    """
    strict = [_find_gutters(lines) for lines in budget.passing(pages)]
    found = [gutters for gutters in strict if gutters]
    if len(found) < 0.4 * sum(1 for lines in pages if len(lines) > _MIN_LINES):
        return [_unless_table(lines, gutters) for lines, gutters in zip(pages, strict, strict=True)]
    prior = _usual_gutters(found)
    return [gutters or shared_gutters(lines, prior) for lines, gutters in zip(pages, strict, strict=True)]


def own_gutters(lines: Sequence[Baseline]) -> list[Gutter]:
    """Return the gutters of a page that clearly stands in columns, whatever other pages do."""
    return _unless_table(lines, _find_gutters(lines))


def _unless_table(lines: Sequence[Baseline], gutters: list[Gutter]) -> list[Gutter]:
    return gutters if all(_is_no_table(lines, gutter.x) for gutter in gutters) else []


def _usual_gutters(found: Sequence[Sequence[Gutter]]) -> list[Gutter]:
    """Return the gutters that most pages have, at the median of their places."""
    if not found:
        return []
    count = Counter(map(len, found)).most_common(1)[0][0]
    alike = [gutters for gutters in found if len(gutters) == count]
    return [
        Gutter(median(gutters[place].x for gutters in alike), median(gutters[place].right_edge for gutters in alike))
        for place in range(count)
    ]


def shared_gutters(lines: Sequence[Baseline], prior: Sequence[Gutter]) -> list[Gutter]:
    """Return the gutters that a page shares with others: its lines begin right of them at the same edge as there."""
    kept = []
    for gutter in prior:
        _, right, _ = _split_sides(lines, gutter.x)
        aligned = sum(1 for start, _ in right if abs(start - gutter.right_edge) < 5)
        if len(right) >= 2 and aligned >= 0.35 * len(right):
            kept.append(gutter)
    return kept


def _find_gutters(lines: Sequence[Baseline], columns: int = _MOST_COLUMNS) -> list[Gutter]:
    """Return the gutters of a page that clearly stands in columns of like width; none for any other page."""
    found = _find_gutter(lines)
    if found is None or columns < 2:
        return []
    gutter, left_width, right_width = found
    left = _find_gutters(lines_between(lines, -FAR, gutter.x), columns - 1)
    right = _find_gutters(lines_between(lines, gutter.x, FAR), columns - 1)
    widths = (left_width / (len(left) + 1), right_width / (len(right) + 1))
    return [*left, gutter, *right] if min(widths) >= _ALIKE * max(widths) else []


def _find_gutter(lines: Sequence[Baseline]) -> tuple[Gutter, float, float] | None:
    """Return the gutter that parts a page's text, and the widths on its two sides; None where it has none."""
    if len(lines) < _MIN_LINES:
        return None
    x0, x1 = text_edges(lines)
    x = _least_crossed(lines, x0, x1)
    if x is None:
        return None
    left, right, full = _split_sides(lines, x)
    if min(len(left), len(right)) < _MIN_LINES or len(full) > len(left) + len(right):
        return None
    left_x0, left_x1 = min(line[0] for line in left), max(line[1] for line in left)
    edge = 2.0 * Counter(round(line[0] / 2) for line in right).most_common(1)[0][0]  # that most lines share
    right_x1 = max(line[1] for line in right)
    if min(left_x1 - left_x0, right_x1 - edge) < _MIN_COLUMN_SHARE * (x1 - x0):
        return None
    clear = len(full) <= 0.05 * (len(left) + len(right)) and min(len(left), len(right)) > 2 * _MIN_LINES
    aligned = sum(1 for line in right if abs(line[0] - edge) < 4) / len(right)
    least = 1.0
    if clear:
        least = 0.35 if aligned >= 0.35 and _paired_share(lines, x) < _MOST_PAIRED else 0.5
    filled = _is_filled(left, left_x0, left_x1, least) and _is_filled(right, edge, right_x1, least)
    if not filled or aligned < (0.15 if clear else 0.35):
        return None
    return Gutter(x, edge), left_x1 - left_x0, right_x1 - edge


def _is_no_table(lines: Sequence[Baseline], x: float) -> bool:
    """Tell whether the text on both sides of `x` is read downwards: on baselines of its own, or within sentences."""
    if _paired_share(lines, x) < _PAIRED_AS_TABLE:
        return True
    left = [
        max(before, key=lambda one: one.x1) for line in lines if (before := [s for s in line.segments if s.x1 <= x + 3])
    ]
    right = [
        min(after, key=lambda one: one.x0) for line in lines if (after := [s for s in line.segments if s.x1 > x + 3])
    ]
    return min(_goes_on_share(left), _goes_on_share(right)) >= 0.5


def _goes_on_share(segments: Sequence[LineSegment]) -> float:
    """Return the share of segments that begin with a small letter, as most lines of a paragraph do."""
    return sum(segment.runs[0].text[:1].islower() for segment in segments) / max(len(segments), 1)


def _paired_share(lines: Sequence[Baseline], x: float) -> float:
    """Return how many of the lines on the shorter side of `x` have a line on the other side on their baseline."""
    beside = [line.segments for line in lines if not crosses(line, x)]
    left = sum(1 for segments in beside if segments[0].x1 <= x + 3)
    right = sum(1 for segments in beside if segments[-1].x1 > x + 3)
    both = sum(1 for segments in beside if segments[0].x1 <= x + 3 < segments[-1].x1)
    return both / max(min(left, right), 1)


def _least_crossed(lines: Sequence[Baseline], x0: float, x1: float) -> float | None:
    """Return the middle of the widest vertical strip, in the page's middle, that the fewest segments cross."""
    width = int(x1 - x0)
    if not 100 <= width <= FAR:
        return None
    changes = [0] * (width + 2)
    for line in lines:
        for segment in line.segments:
            if is_number_between(segment):
                continue
            changes[min(max(int(segment.x0 - x0), 0), width)] += 1
            changes[min(max(int(segment.x1 - x0) + 1, 0), width + 1)] -= 1
    crossed, strip = [], 0
    for change in changes:
        strip += change
        crossed.append(strip)
    middle = range(int(0.3 * width), int(0.7 * width))
    least = min(crossed[x] for x in middle)
    strips = (_widest_run(crossed, middle, most) for most in (least, least + len(lines) // _LINES_A_STRAY))
    return next((x0 + start + length / 2 for start, length in strips if length >= 4), None)


def _widest_run(crossed: Sequence[int], middle: range, most: int) -> tuple[int, int]:
    """Return where the widest run begins that no more than `most` segments cross, and how wide it is."""
    best = run_start = run_length = 0
    for x in [*middle, middle.stop]:
        if x < middle.stop and crossed[x] <= most:
            run_length += 1
            continue
        if run_length > best:
            best, run_start = run_length, x - run_length
        run_length = 0
    return run_start, best


def _split_sides(
    lines: Sequence[Baseline], x: float
) -> tuple[list[tuple[float, float]], list[tuple[float, float]], list[tuple[float, float]]]:
    """Return the extents of the lines' left parts and right parts, and of lines that cross `x`."""
    left, right, full = [], [], []
    for line in lines:
        if crosses(line, x):
            full.append((line.segments[0].x0, line.segments[-1].x1))
            continue
        before = [segment for segment in line.segments if segment.x1 <= x + 3]
        after = [segment for segment in line.segments if segment.x1 > x + 3]
        if before:
            left.append((before[0].x0, before[-1].x1))
        if after:
            right.append((after[0].x0, after[-1].x1))
    return left, right, full


def is_number_between(segment: LineSegment, x: float | None = None) -> bool:
    """Tell whether a segment is a number alone, as lines' and pages' numbers are between columns (at `x`)."""
    narrow = segment.x1 - segment.x0 < 30 and len(segment.runs) == 1
    near = x is None or abs((segment.x0 + segment.x1) / 2 - x) < 16
    text = segment.runs[0].text.strip()
    return narrow and near and text.isdecimal() and len(text) < 5


def crosses(line: Baseline, x: float) -> bool:
    """Tell whether a segment of the line runs across `x`; a number between columns does not count."""
    return any(
        segment.x0 < x - 3 and segment.x1 > x + 3 and not is_number_between(segment, x) for segment in line.segments
    )


def without_overlong(lines: Sequence[Baseline], gutters: Sequence[Gutter]) -> list[Baseline]:
    """Return the lines, those of a left column that run on into the gutter or over it ended there.

    TeX sets a line so where it cannot break a word or an address. What stands beside such a line begins at the right
    column's edge, or close above and below it.
    """
    kept = list(lines)
    for gutter in gutters:
        for place, line in enumerate(kept):
            if not crosses(line, gutter.x):
                continue
            near = [_begins_right(kept, place, step, gutter) for step in (-1, 1)]
            segments = [part for one in line.segments for part in _end_in_gutter(one, gutter, any(near), all(near))]
            kept[place] = Baseline(line.y, line.size, segments)
    return kept


def _end_in_gutter(segment: LineSegment, gutter: Gutter, beside: bool, between: bool) -> list[LineSegment]:
    """Return a segment, or the two that it is where the right column begins in it, or the one that ends in the gutter.

    `beside` says that lines of the right column stand above or below it, `between` that they do so on both sides.
    """
    if not beside or not (segment.x0 < gutter.x - 3 and segment.x1 > gutter.x + 3):
        return [segment]
    starts = [place for place, run in enumerate(segment.runs) if abs(run.x0 - gutter.right_edge) < _ONE_EDGE]
    if starts and starts[0] > 0:
        left, right = segment.runs[: starts[0]], segment.runs[starts[0] :]
        return [LineSegment(segment.x0, gutter.x, left), LineSegment(right[0].x0, segment.x1, right)]
    return [LineSegment(segment.x0, gutter.x, segment.runs)] if between else [segment]


def _begins_right(lines: Sequence[Baseline], place: int, step: int, gutter: Gutter) -> bool:
    """Tell whether a line of the right column stands close above (`step` -1) or below (1) a line."""
    line = lines[place]
    while 0 <= place + step < len(lines):
        place += step
        other = lines[place]
        if abs(other.y - line.y) > _LEADING * line.size:
            return False
        if not crosses(other, gutter.x) and any(abs(one.x0 - gutter.right_edge) < _ONE_EDGE for one in other.segments):
            return True
    return False


def _is_filled(lines: list[tuple[float, float]], x0: float, x1: float, least: float) -> bool:
    """Tell whether lines fill a column as text does: most of its width in the middle, or all of it in a third of them.

    Where next to nothing crosses a tall gutter, `least` of the width will do: columns of code, of short items.
    """
    shares = [(stop - start) / max(x1 - x0, 1) for start, stop in lines]
    return median(shares) >= min(least, _MIN_FILL) or sum(share > 0.9 for share in shares) >= len(shares) / 3
