"""Finds a page's columns and returns its text in reading order, as regions from top to bottom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from engine.readers.pdf.runs import Page, Run

_SEGMENT_GAP = 0.75
"""A gap of this many ems ends a segment: wider than a word space, narrower than a gutter."""
_BROKEN_GAP = 0.35
"""The same where the file ends a line: an overlong line comes close to the next column."""
_WIDEST = 20_000
_MIN_ROWS = 8
_MIN_FILL = 0.7
_MIN_COLUMN_SHARE = 0.25
_MOST_PAIRED = 0.65
"""Columns share few baselines, for headings and code shift their lines; a table's columns share nearly all."""
_PAIRED_AS_TABLE = 0.92


@dataclass(slots=True)
class Region:
    """Runs to read from top to bottom: a column's stretch, or full-width text."""

    runs: list[Run]
    x0: float
    x1: float


@dataclass(slots=True)
class _Row:
    """The segments, (x0, x1, runs) each, that stand on about one baseline."""

    y: float
    size: float
    segments: list[tuple[float, float, list[Run]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Gutter:
    """The gap between two columns, and where the right column's lines start."""

    x: float
    right_edge: float


def reading_order(pages: Sequence[Page]) -> list[list[Region]]:
    """Each page's regions in reading order.

    A page is in two columns when both are well filled; in a document where most pages are, weaker
    evidence is enough (the first page, the last one). Elsewhere, what shares its baselines is a table.
    """
    rows = [_rows(page.runs) for page in pages]
    strict = [_find_gutter(page_rows) for page_rows in rows]
    found = [gutter for gutter in strict if gutter]
    if not found:
        return [_regions(page_rows, None) for page_rows in rows]
    if len(found) < 0.4 * sum(1 for page_rows in rows if len(page_rows) > _MIN_ROWS):
        return [
            _regions(page_rows, gutter if gutter and _paired_share(page_rows, gutter.x) < _PAIRED_AS_TABLE else None)
            for page_rows, gutter in zip(rows, strict, strict=True)
        ]
    prior = Gutter(median(gutter.x for gutter in found), median(gutter.right_edge for gutter in found))
    return [
        _regions(page_rows, gutter or _agreeing(page_rows, prior))
        for page_rows, gutter in zip(rows, strict, strict=True)
    ]


def _rows(runs: Sequence[Run]) -> list[_Row]:
    """Group runs by baseline, large ones first, so that a raised or lowered run joins its line's row."""
    if not runs:
        return []
    rows: list[_Row] = []
    members: list[list[Run]] = []
    by_y: dict[int, list[int]] = {}
    for run in sorted(runs, key=lambda run: (-round(run.size, 1), run.y)):
        cell = int(run.y // 8)
        near = [number for step in (0, -1, 1) for number in by_y.get(cell + step, ())]
        best = min(near, key=lambda number: abs(rows[number].y - run.y), default=-1)
        if best >= 0 and abs(rows[best].y - run.y) <= _reach(rows[best].size, run.size):
            members[best].append(run)
            continue
        by_y.setdefault(cell, []).append(len(rows))
        rows.append(_Row(run.y, run.size))
        members.append([run])
    for row, row_runs in zip(rows, members, strict=True):
        row.segments = _segments(row_runs)
    return sorted(rows, key=lambda row: row.y)


def _reach(row_size: float, run_size: float) -> float:
    """How far a run may be from a row's baseline: more for a small one, which may be raised."""
    return 0.55 * row_size if run_size < 0.85 * row_size else 0.25 * run_size


def _segments(runs: list[Run]) -> list[tuple[float, float, list[Run]]]:
    segments: list[tuple[float, float, list[Run]]] = []
    for run in sorted(runs, key=lambda run: run.x0):
        lone = run.broken or _is_five(run.text) or (bool(segments) and _is_five(segments[-1][2][-1].text))
        gap = _BROKEN_GAP if lone else _SEGMENT_GAP
        if segments and run.x0 - segments[-1][1] < gap * run.size:
            x0, x1, members = segments[-1]
            members.append(run)
            segments[-1] = (x0, max(x1, run.x1), members)
        else:
            segments.append((run.x0, run.x1, [run]))
    return segments


def _find_gutter(rows: Sequence[_Row]) -> Gutter | None:
    """The gutter of a page with clearly two columns; None for any other page."""
    if len(rows) < _MIN_ROWS:
        return None
    x0, x1 = _text_edges(rows)
    x = _least_crossed(rows, x0, x1)
    if x is None:
        return None
    left, right, full = _sides(rows, x)
    if min(len(left), len(right)) < _MIN_ROWS or len(full) > len(left) + len(right):
        return None
    left_x0, left_x1 = min(row[0] for row in left), max(row[1] for row in left)
    edge = _common_edge([row[0] for row in right])
    right_x1 = max(row[1] for row in right)
    if min(left_x1 - left_x0, right_x1 - edge) < _MIN_COLUMN_SHARE * (x1 - x0):
        return None
    clear = len(full) <= 0.05 * (len(left) + len(right)) and min(len(left), len(right)) > 2 * _MIN_ROWS
    aligned = sum(1 for row in right if abs(row[0] - edge) < 4) / len(right)
    least = 1.0
    if clear:
        least = 0.35 if aligned >= 0.35 and _paired_share(rows, x) < _MOST_PAIRED else 0.5
    filled = _is_filled(left, left_x0, left_x1, least) and _is_filled(right, edge, right_x1, least)
    return Gutter(x, edge) if filled and aligned >= (0.15 if clear else 0.35) else None


def _paired_share(rows: Sequence[_Row], x: float) -> float:
    """How many of the lines on the shorter side of `x` have a line on the other side on their baseline."""
    beside = [row.segments for row in rows if not _crosses(row, x)]
    left = sum(1 for segments in beside if segments[0][1] <= x + 3)
    right = sum(1 for segments in beside if segments[-1][1] > x + 3)
    both = sum(1 for segments in beside if segments[0][1] <= x + 3 < segments[-1][1])
    return both / max(min(left, right), 1)


def _agreeing(rows: Sequence[_Row], prior: Gutter) -> Gutter | None:
    """The document's gutter where this page's right-hand lines begin at the same edge as elsewhere."""
    _, right, _ = _sides(rows, prior.x)
    aligned = sum(1 for row in right if abs(row[0] - prior.right_edge) < 5)
    return prior if len(right) >= 2 and aligned >= 0.35 * len(right) else None


def _text_edges(rows: Sequence[_Row]) -> tuple[float, float]:
    """Where the page's text starts and ends, ignoring a few outliers."""
    starts = sorted(row.segments[0][0] for row in rows)
    ends = sorted(row.segments[-1][1] for row in rows)
    aside = len(rows) // 20
    return starts[aside], ends[-1 - aside]


def _least_crossed(rows: Sequence[_Row], x0: float, x1: float) -> float | None:
    """The middle of the widest vertical strip, in the page's middle, that the fewest segments cross."""
    width = int(x1 - x0)
    if not 100 <= width <= _WIDEST:
        return None
    changes = [0] * (width + 2)
    for row in rows:
        for start, stop, runs in row.segments:
            if stop - start < 14 and all(run.text.isdigit() for run in runs):
                continue  # may be a line number between the columns, as patents have
            changes[min(max(int(start - x0), 0), width)] += 1
            changes[min(max(int(stop - x0) + 1, 0), width + 1)] -= 1
    crossed, strip = [], 0
    for change in changes:
        strip += change
        crossed.append(strip)
    middle = range(int(0.3 * width), int(0.7 * width))
    least = min(crossed[x] for x in middle)
    best = run_start = run_length = 0
    for x in [*middle, middle.stop]:
        if x < middle.stop and crossed[x] == least:
            run_length += 1
            continue
        if run_length > best:
            best, run_start = run_length, x - run_length
        run_length = 0
    return x0 + run_start + best / 2 if best >= 4 else None


def _sides(
    rows: Sequence[_Row], x: float
) -> tuple[list[tuple[float, float]], list[tuple[float, float]], list[tuple[float, float]]]:
    """The extents of the rows' left parts and right parts, and of rows that cross `x`."""
    left, right, full = [], [], []
    for row in rows:
        if _crosses(row, x):
            full.append((row.segments[0][0], row.segments[-1][1]))
            continue
        before = [segment for segment in row.segments if segment[1] <= x + 3]
        after = [segment for segment in row.segments if segment[1] > x + 3]
        if before:
            left.append((before[0][0], before[-1][1]))
        if after:
            right.append((after[0][0], after[-1][1]))
    return left, right, full


def _ends_block(row: _Row, above: _Row, x: float) -> bool:
    """Whether a row is the short last line of full-width text: right below it, from the same edge, nothing beside."""
    close = row.y - above.y < 1.5 * row.size and abs(row.size - above.size) < 0.3
    return close and row.segments[-1][1] <= x + 3 and abs(row.segments[0][0] - above.segments[0][0]) < 3


def _is_line_number(start: float, stop: float, runs: Sequence[Run], x: float) -> bool:
    """Whether a segment is one of the numbers 5, 10, 15 ... that patents set between their columns."""
    return len(runs) == 1 and stop - start < 14 and abs((start + stop) / 2 - x) < 16 and _is_five(runs[0].text)


def _is_five(text: str) -> bool:
    """Whether a text is 5, 10, 15 ... up to 95."""
    return len(text) < 3 and text.isdecimal() and int(text) % 5 == 0


def _crosses(row: _Row, x: float) -> bool:
    return any(
        start < x - 3 and stop > x + 3 and not _is_line_number(start, stop, runs, x)
        for start, stop, runs in row.segments
    )


def _common_edge(values: list[float]) -> float:
    """The left edge that most rows share, to two points."""
    return 2.0 * Counter(round(value / 2) for value in values).most_common(1)[0][0]


def _is_filled(rows: list[tuple[float, float]], x0: float, x1: float, least: float) -> bool:
    """Whether rows fill a column as text does: most of its width in the middle, or all of it in a third of them.

    Where next to nothing crosses a tall gutter, `least` of the width will do: columns of code, of short items.
    """
    shares = [(stop - start) / max(x1 - x0, 1) for start, stop in rows]
    return median(shares) >= min(least, _MIN_FILL) or sum(share > 0.9 for share in shares) >= len(shares) / 3


def _regions(rows: Sequence[_Row], gutter: Gutter | None) -> list[Region]:
    """Cut a page at its full-width rows; between them the left column is read before the right."""
    if not rows:
        return []
    x0, x1 = _text_edges(rows)
    if gutter is None:
        return [Region([run for row in rows for segment in row.segments for run in segment[2]], x0, x1)]
    left, right, full = Region([], x0, gutter.x), Region([], gutter.right_edge, x1), Region([], x0, x1)
    regions: list[Region] = []
    above: _Row | None = None
    for row in rows:
        crosses = _crosses(row, gutter.x) or (above is not None and _ends_block(row, above, gutter.x))
        above = row if crosses else None
        if (full.runs and not crosses) or (crosses and (left.runs or right.runs)):
            regions += [region for region in (full, left, right) if region.runs]
            left, right, full = Region([], x0, gutter.x), Region([], gutter.right_edge, x1), Region([], x0, x1)
        for start, stop, runs in row.segments:
            if _is_line_number(start, stop, runs, gutter.x):
                continue
            (full if crosses else left if stop <= gutter.x + 3 else right).runs.extend(runs)
    return regions + [region for region in (full, left, right) if region.runs]
