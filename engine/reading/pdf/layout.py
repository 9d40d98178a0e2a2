"""Decides a page's geometry once: its head and foot, what stands beside the text, columns, and the reading order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, median_low

from engine.reading.heading_names import ABSTRACT, KNOWN
from engine.reading.limits import Budget
from engine.reading.pdf.asides import Aside, usual_width, without_asides
from engine.reading.pdf.baselines import (
    Baseline,
    Segment,
    baselines,
    between,
    entry_number,
    is_five,
    runs_of,
    text_edges,
)
from engine.reading.pdf.columns import Gutter, agreeing, column_gutters, crosses, is_number_between, without_overlong
from engine.reading.pdf.runs import Page, Run

_FAR = 20_000.0
_OFF_CENTRE = 4.0
"""What is centred stands at most this many points from the middle."""
_MARGIN = 0.13
"""Running heads and feet are within this share of the page's height."""
_APART = 1.7
"""The white, in ems, that sets a running head or foot apart."""
_FARTHER = 1.3
"""It is this much more than that between most lines, which may be set with double spacing."""
_MOST_EDGE_LINES = 2
_LARGE = 1.15
"""A line this much larger than most is a heading, though it holds a number."""
_MOST_ADDRESS_LINES = 2
_NUMBERED = re.compile(r"(?:^|\s)[-–—|(]?(?:\d{1,4}|[ivxlc]{1,6})(?:\s?(?:/|of|von|de)\s?\d{1,4})?\s?[-–—|)]?$")
_FILLED = 0.8
"""Lines of running text are at least this share of their column's width; authors' names and addresses are not."""
_OPENS = re.compile(r"^\(\d\d\)|^\d{1,2}\.?\s+\S|^[IVX]{1,4}\.\s+\S|^key\s?-?words?\b|^index terms\b", re.IGNORECASE)


@dataclass(slots=True)
class Region:
    """Runs to read from top to bottom: a column's stretch, full-width text, what stands beside it, or a page's edge."""

    runs: list[Run]
    x0: float
    x1: float
    aside: bool = False
    edge: bool = False


def reading_order(pages: Sequence[Page], budget: Budget) -> list[list[Region]]:
    """Each page's regions in reading order; what stands beside the text comes after it. Raises as `Budget.check`."""
    lines = [baselines(page.runs) for page in budget.passing(pages)]
    edges = _edges(lines, [page.height for page in pages])
    inner = [page[top : len(page) - foot] for page, (top, foot) in zip(lines, edges, strict=True)]
    columns = column_gutters(inner, budget)
    width = usual_width(inner)
    result = []
    for number, (all_lines, (top, foot), page) in enumerate(budget.passing(zip(lines, edges, inner, strict=True))):
        regions = _band(all_lines[:top], edge=True)
        regions += _page_regions(page, columns, number, width)
        result.append(regions + _band(all_lines[len(all_lines) - foot :], edge=True))
    return result


def _page_regions(
    lines: list[Baseline], columns: Sequence[Sequence[Gutter]], number: int, width: float
) -> list[Region]:
    """A page's regions between its head and its foot."""
    own = list(columns[number])
    text, asides = without_asides(lines, [gutter.x for gutter in own], width if number else None)
    if asides:
        known = own or next((list(gutters) for gutters in columns if gutters), [])
        own = agreeing(text, known)
    if not text:
        return _band(lines)
    text = without_overlong(text, own)
    x0, x1 = text_edges(text)
    front = _front_lines(text, own, x0, x1) if number == 0 and own else 0
    regions = _band(text[:front]) + _regions(text[front:], own, x0, x1)
    return regions + [region for aside in asides for region in _aside_regions(aside)]


def _aside_regions(aside: Aside) -> list[Region]:
    return [Region(region.runs, region.x0, region.x1, aside=True) for region in _band(aside.lines)]


def _band(lines: Sequence[Baseline], *, edge: bool = False) -> list[Region]:
    """Lines that are read across, as one region."""
    if not lines:
        return []
    x0, x1 = text_edges(lines)
    return [Region(list(runs_of(lines)), x0, x1, edge=edge)]


def _edges(pages: Sequence[Sequence[Baseline]], heights: Sequence[float]) -> list[tuple[int, int]]:
    """How many lines of each page are its running head, and how many its foot.

    They stand apart in the margin, and hold the page's number, or what other pages hold there, too.
    """
    apart = [_apart(lines, height) for lines, height in zip(pages, heights, strict=True)]
    shapes = Counter(
        shape
        for lines, (top, foot) in zip(pages, apart, strict=True)
        for shape in {_shape(line) for line in (*lines[:top], *lines[len(lines) - foot :])}
        if shape
    )

    usual = median_low([line.size for lines in pages for line in lines] or [0.0])

    def is_edge(line: Baseline) -> bool:
        numbered = line.size < _LARGE * usual and any(_NUMBERED.search(segment.text) for segment in line.segments)
        return numbered or shapes[_shape(line)] > 1

    result = []
    for lines, (top, foot) in zip(pages, apart, strict=True):
        result.append(
            (
                top if any(map(is_edge, lines[:top])) else 0,
                foot if any(map(is_edge, lines[len(lines) - foot :])) else 0,
            )
        )
    return result


def _shape(line: Baseline) -> str:
    return re.sub(r"[\W\d_]+", "", "".join(segment.text for segment in line.segments)).lower()


def _apart(lines: Sequence[Baseline], height: float) -> tuple[int, int]:
    """How many lines at a page's top and at its foot stand in the margin, with white between them and the text."""
    top = foot = 0
    far = _FARTHER * median([below.y - above.y for above, below in pairwise(lines)] or [0.0])
    for count in range(1, min(_MOST_EDGE_LINES, len(lines) - 1) + 1):
        above, below = lines[count - 1], lines[count]
        if above.y < _MARGIN * height and below.y - above.y > max(_APART * below.size, far):
            top = count
        above, below = lines[-count - 1], lines[-count]
        if below.y > (1 - _MARGIN) * height and below.y - above.y > max(_APART * max(above.size, below.size), far):
            foot = count
    return (top, foot) if top + foot < len(lines) else (0, 0)


def _front_lines(lines: Sequence[Baseline], gutters: Sequence[Gutter], x0: float, x1: float) -> int:
    """How many lines at a first page's top are read across its columns: title, authors beside each other.

    Nothing there fills a column, but for an address of a line or two above an e-mail; and no heading opens one.
    """
    bounds = [x0, *(gutter.x for gutter in gutters), x1]
    front = filled = 0
    has_filled = False
    above: Baseline | None = None
    for number, line in enumerate(lines):
        full = any(_is_full(line, above, gutter.x) for gutter in gutters)
        above = line if full else None
        if full:
            front = front if front < number else number + 1
            continue
        filled = filled + 1 if any(_fills(segment, bounds) for segment in line.segments) else 0
        if filled > _MOST_ADDRESS_LINES or any(map(_opens, line.segments)):
            break
        has_filled = has_filled or filled > 0
        sides = {sum(segment.x0 > gutter.x for gutter in gutters) for segment in line.segments}
        has_mail = not filled and any("@" in segment.text for segment in line.segments)
        centred = 0 < front == number and len(line.segments) == 1 and _is_centred(line.segments[0], x0, x1)
        if has_mail or (centred and not filled) or (len(sides) > 1 and not has_filled):
            front = number + 1
    return front


def _is_centred(segment: Segment, x0: float, x1: float) -> bool:
    """Whether a segment stands in the middle between two places: below a title, also where that is a column's."""
    return abs(segment.x0 + segment.x1 - x0 - x1) < 2 * _OFF_CENTRE


def _fills(segment: Segment, bounds: Sequence[float]) -> bool:
    """Whether a segment is as wide as the column that it stands in."""
    column = next((x1 - x0 for x0, x1 in pairwise(bounds) if segment.x0 < x1), 1.0)
    return segment.x1 - segment.x0 > _FILLED * column


def _opens(segment: Segment) -> bool:
    """Whether a segment is a heading: what follows is text in its column."""
    text = segment.text
    return bool(ABSTRACT.match(text) or KNOWN.match(text) or _OPENS.match(text))


def _regions(lines: Sequence[Baseline], gutters: Sequence[Gutter], x0: float, x1: float) -> list[Region]:
    """Cut lines where one runs across the least crossed gutter; between those, the left side comes before the right."""
    if not lines:
        return []
    if not gutters:
        return [Region(list(runs_of(lines)), x0, x1)]
    gutter = min(gutters, key=lambda one: sum(crosses(line, one.x) for line in lines))
    left = [one for one in gutters if one.x < gutter.x]
    right = [one for one in gutters if one.x > gutter.x]
    regions: list[Region] = []
    for full, band in _bands(lines, gutter.x):
        if full:
            regions += _regions(band, [*left, *right], x0, x1)
            continue
        start = _list_start(band, gutter.x)
        for part in (band[:start], band[start:]):
            text = [_without_numbers(line, gutter.x) for line in part]
            regions += _regions(between(text, -_FAR, gutter.x), left, x0, gutter.x)
            regions += _regions(between(text, gutter.x, _FAR), right, gutter.right_edge, x1)
    return regions


def _list_start(lines: Sequence[Baseline], x: float) -> int:
    """The line from which on a numbered list stands on both sides of `x`, below white that runs across; 0 for none.

    Such a list is read after the text above it on both sides: REVTeX sets references so, under no heading.
    """
    for number, (above, line) in enumerate(pairwise(lines), start=1):
        if line.y - above.y < _APART * max(above.size, line.size) or _first_number(line, -_FAR, x) != 1:
            continue
        beside = [one for one in lines[number : number + 2] if one.y - line.y < 0.6 * line.size]
        if any(_first_number(one, x, _FAR) > 1 for one in beside):
            return number
    return 0


def _first_number(line: Baseline, x0: float, x1: float) -> int:
    """The number of the entry that a line begins between two places; 0 where it begins none, as a heading does."""
    segments = line.within(x0, x1).segments
    if not segments or segments[0].runs[-1].font.bold or segments[0].text.isupper():
        return 0
    return entry_number(segments[0].text)


def _without_numbers(line: Baseline, x: float) -> Baseline:
    """A line without the number that stands in the gutter at `x`: a page's, alone on its line, or a patent line's."""
    alone = len(line.segments) == 1
    kept = [one for one in line.segments if not (is_number_between(one, x) and (alone or is_five(one.text)))]
    return Baseline(line.y, line.size, kept)


def _bands(lines: Sequence[Baseline], x: float) -> list[tuple[bool, list[Baseline]]]:
    """The lines in stretches that run across `x`, and stretches that stand on its two sides."""
    bands: list[tuple[bool, list[Baseline]]] = []
    above: Baseline | None = None
    for line in lines:
        full = _is_full(line, above, x)
        above = line if full else None
        if bands and bands[-1][0] == full:
            bands[-1][1].append(line)
        else:
            bands.append((full, [line]))
    return bands


def _is_full(line: Baseline, above: Baseline | None, x: float) -> bool:
    """Whether a line runs across `x`, or ends a block that does; `above` is the line before, if that is full."""
    return crosses(line, x) or (above is not None and _ends_block(line, above, x))


def _ends_block(line: Baseline, above: Baseline, x: float) -> bool:
    """Whether a line is the short last one of full-width text: right below it, from the same edge, nothing beside."""
    close = line.y - above.y < 1.5 * line.size and abs(line.size - above.size) < 0.3
    return close and line.segments[-1].x1 <= x + 3 and abs(line.segments[0].x0 - above.segments[0].x0) < 3
