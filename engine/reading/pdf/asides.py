"""Finds what stands beside a page's text: a first page's side column, and what is printed in a margin."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median_low

from engine.documents.people import is_name, split_byline
from engine.reading.heading_names import BOX
from engine.reading.pdf.imprint import is_beside
from engine.reading.pdf.page import FAR, Baseline, LineSegment

_NARROWEST = 5.0
"""A strip of white, in points, that may part a side column from the text."""
_MOST_STRIPS = 40
_NARROWER = 0.62
"""A side column is at most this share of the text's width."""
_FEWER = 0.6
"""It holds at most this share of the text's letters."""
_BOX = 0.95
"""Both shares, of a box under its own name, such as "Key Points"."""
_WHOLE_PAGE = 0.85
_INDEPENDENT = 0.6
_MOST_ASIDES = 3
_MOST_SEGMENTS = 5_000
"""A page that holds more is a drawing or a table, beside which nobody looks for text."""
_TALL = 8
_USUAL = 0.93
_APART = 4.5
"""White of this many ems ends a side column that stands beside a part of the text."""
_HEADING = re.compile(r"^(?:\d{1,2}\.?\s*|[IVX]{1,4}\.\s*)?(?:introduction|background|einleitung)\b", re.IGNORECASE)
_PROSE = 30
"""Full lines of running text hold at least this many letters; a table's cells do not."""
_PARAGRAPH = 3.2
"""Paragraphs of a side column stand at most this many ems apart, from baseline to baseline."""
_HANGING = 3.0
"""A number or a name in the margin belongs to the heading that begins within this many ems of it."""


@dataclass(frozen=True, slots=True)
class Strip:
    """White from `x0` to `x1` down the lines [start, stop), as tall as its width allows."""

    x0: float
    x1: float
    start: int
    stop: int


def usual_width(pages: Sequence[Sequence[Baseline]]) -> float:
    """Return the width of a document's full lines: what stands beside narrower text may be a table."""
    widths = [sorted(one.x1 - one.x0 for line in page for one in line.segments) for page in pages if len(page) > _TALL]
    return median_low([page[3 * len(page) // 4] for page in widths]) if widths else 0.0


def without_asides(
    lines: Sequence[Baseline], columns: Sequence[float], width: float | None
) -> tuple[list[Baseline], list[list[Baseline]]]:
    """Return a page's lines without what stands beside the text, and each stretch of that as lines of its own.

    `columns` are gutters, which part text from text.

    On the first page a side column may stand beside a part of the text. Elsewhere `width` is how wide the document's
    full lines are, and a margin is what stands beside all of a page's lines of this width.
    """
    asides: list[list[Baseline]] = []
    kept = list(lines)
    if sum(len(line.segments) for line in lines) > _MOST_SEGMENTS:
        return kept, asides
    while len(asides) < _MOST_ASIDES:
        aside = _largest_aside(kept, columns, width)
        if aside is None:
            break
        asides.append(aside)
        beside = {id(segment.runs[0]) for line in aside for segment in line.segments}
        rest = [
            Baseline(line.y, line.size, [one for one in line.segments if id(one.runs[0]) not in beside])
            for line in kept
        ]
        kept = [line for line in rest if line.segments]
    return kept, asides


def _largest_aside(lines: Sequence[Baseline], columns: Sequence[float], width: float | None) -> list[Baseline] | None:
    found = (
        aside
        for strip in _find_strips(lines)
        if not any(strip.x0 - 3 < x < strip.x1 + 3 for x in columns)
        and (width is None or strip.stop - strip.start >= _WHOLE_PAGE * len(lines))
        for aside in _beside(lines, strip, columns, _USUAL * (width or 0.0))
    )
    return max(found, key=_letters, default=None)


def _find_strips(lines: Sequence[Baseline]) -> list[Strip]:
    """Return every strip of white between segments that no wider or taller one covers."""
    open_strips: list[Strip] = []
    closed: list[Strip] = []
    for number, line in enumerate(lines):
        gaps = _gaps(line.segments)
        following: dict[tuple[float, float], int] = {gap: number for gap in gaps}
        for strip in open_strips:
            goes_on = False
            for x0, x1 in gaps:
                narrowed = (max(x0, strip.x0), min(x1, strip.x1))
                if narrowed[1] - narrowed[0] >= _NARROWEST:
                    following[narrowed] = min(strip.start, following.get(narrowed, number))
                    goes_on = goes_on or narrowed == (strip.x0, strip.x1)
            if not goes_on and number - strip.start > 1:
                closed.append(Strip(strip.x0, strip.x1, strip.start, number))
        tallest = sorted(following.items(), key=lambda item: item[1])[:_MOST_STRIPS]
        open_strips = [Strip(x0, x1, start, number + 1) for (x0, x1), start in tallest]
    closed += [Strip(strip.x0, strip.x1, strip.start, len(lines)) for strip in open_strips]
    inner = [strip for strip in closed if strip.x0 > -FAR and strip.x1 < FAR]
    return sorted(inner, key=lambda strip: strip.start - strip.stop)[:_MOST_STRIPS]


def _gaps(segments: Sequence[LineSegment]) -> list[tuple[float, float]]:
    """Return the white left of, between and right of a line's segments, in whole points."""
    ends = [-FAR, *(float(math.ceil(segment.x1 - 0.3)) for segment in segments)]
    starts = [*(float(math.floor(segment.x0 + 0.3)) for segment in segments), FAR]
    return [(x0, x1) for x0, x1 in zip(ends, starts, strict=True) if x1 - x0 >= _NARROWEST]


def _beside(
    lines: Sequence[Baseline], strip: Strip, columns: Sequence[float], least: float
) -> Iterable[list[Baseline]]:
    """Yield the narrower side of a strip where it is a side column or a margin's text, and the other `least` wide."""
    middle = (strip.x0 + strip.x1) / 2
    stretch = lines[strip.start : strip.stop]
    left = [line.within(-FAR, middle) for line in stretch]
    right = [line.within(middle, FAR) for line in stretch]
    for narrow, wide in ((left, right), (right, left)):
        whole = len(stretch) >= _WHOLE_PAGE * len(lines)
        own = _trim(narrow, wide, apart=FAR if whole else _APART)
        main = [line for line in wide if line.segments]
        if not main or _width(main) < least or any(_parts(main, x) for x in columns):
            continue
        if any(line.segments for line in own) and (
            _stands_beside(own, wide, whole=whole and (least > 0 or not _are_names(own)))
            or (not least and _is_imprint(own, main))
        ):
            yield [line for line in own if line.segments]


def _is_imprint(own: Sequence[Baseline], main: Sequence[Baseline]) -> bool:
    """Tell whether a narrow side holds dates, rights or the like, whatever stands beside them."""
    said = [is_beside(line.segments[0].text) for line in own if line.segments]
    words = _letters(own) < _FEWER * _letters(main) and _width(
        [line for line in own if line.segments]
    ) < _NARROWER * _width(main)
    return len(said) > 1 and len(main) > len(said) and sum(said) > 0.6 * len(said) and words


def _are_names(own: Sequence[Baseline]) -> bool:
    """Tell whether lines begin with names, as the short last lines of a list of authors do."""
    texts = [" ".join(segment.text for segment in line.segments) for line in own if line.segments]
    return len(texts) < _TALL and all(any(map(is_name, split_byline(text)[:1])) for text in texts)


def _parts(main: Sequence[Baseline], x: float) -> bool:
    """Tell whether the lines beside a narrow text stand on both sides of a gutter: then it is part of a column."""
    if not min(line.segments[0].x0 for line in main) < x < max(line.segments[-1].x1 for line in main):
        return False
    across = sum(any(one.x0 < x - 3 and one.x1 > x + 3 for one in line.segments) for line in main)
    return across < 0.3 * len(main)


def _trim(narrow: Sequence[Baseline], wide: Sequence[Baseline], apart: float) -> list[Baseline]:
    """Return the narrow side's longest stretch without white of `apart` ems in it, and without a section's heading.

    Above and below the wide side it goes on only with paragraphs of its own size, and so does a box everywhere.
    """
    main = [line.y for line in wide if line.segments]
    stretches: list[list[int]] = [[]]
    sizes: set[int] = set()
    above: Baseline | None = None
    for place, line in enumerate(narrow):
        if not line.segments or not main:
            continue
        beside = main[0] - 1 <= line.y <= main[-1] + 1
        far = above is not None and line.y - above.y > (apart if beside else _PARAGRAPH) * line.size
        own = stretches[-1]
        boxed = len(own) > 2 and BOX.match(narrow[own[0]].segments[0].text) is not None
        held = {round(narrow[one].size) for one in own} if boxed else sizes
        unlike = (boxed or not beside) and bool(held) and round(line.size) not in held
        if above is not None and above.y < main[0] - 1 <= line.y and round(above.size) != round(line.size):
            unlike = True
        if far or unlike or _HEADING.match(line.segments[0].text):
            stretches.append([])
        stretches[-1].append(place)
        sizes.add(round(line.size))
        above = line
    kept = set(max(stretches, key=lambda places: _letters(narrow[place] for place in places)))
    return [line if place in kept else Baseline(line.y, line.size) for place, line in enumerate(narrow)]


def _stands_beside(narrow: Sequence[Baseline], wide: Sequence[Baseline], *, whole: bool) -> bool:
    """Tell whether one side is a text of its own beside the other, which is set in full lines."""
    own = [line for line in narrow if line.segments]
    main = [line for line in wide if line.segments]
    if len(own) < (1 if whole else 3) or len(main) < 4 or (not _is_named(own) and len(own) > 1):
        return False
    width, main_width = _width(own), _width(main)
    narrower, fewer = (_BOX, _BOX) if BOX.match(own[0].segments[0].text) else (_NARROWER, _FEWER)
    if width > narrower * main_width or _letters(own) > fewer * _letters(main):
        return False
    if _is_column(own, main) or _is_cell(narrow, wide):
        return False
    right = max(line.segments[-1].x1 for line in main)
    full = [line for line in main if line.segments[-1].x1 > right - 3 * line.size and _extent(line) > 0.6 * main_width]
    if len(full) < max(3, 0.3 * len(main)) or _letters(full) < _PROSE * len(full):
        return False
    return _independence(narrow, wide, right, main_width) >= _INDEPENDENT


def _is_column(own: Sequence[Baseline], main: Sequence[Baseline]) -> bool:
    """Tell whether a narrow side is a column of the same text: many full lines that look the same."""
    width = _width(own)
    full = sum(_extent(line) > 0.8 * width for line in own)
    alike = _looks(own).most_common(1)[0][0] == _looks(main).most_common(1)[0][0]
    return alike and len(own) >= _TALL and full >= 0.5 * len(own) and width > 0.25 * _width(main)


def _is_cell(narrow: Sequence[Baseline], wide: Sequence[Baseline]) -> bool:
    """Tell whether a narrow side is a cell in a grid of authors: an e-mail address stands beside another's."""
    return any(
        all(any("@" in one.text for one in side.segments) for side in sides) for sides in zip(narrow, wide, strict=True)
    )


def _looks(lines: Iterable[Baseline]) -> Counter[tuple[float, str]]:
    runs = (run for line in lines for segment in line.segments for run in segment.runs)
    looks: Counter[tuple[float, str]] = Counter()
    for run in runs:
        looks[round(run.size, 1), run.font.name] += len(run.text)
    return looks


def _independence(narrow: Sequence[Baseline], wide: Sequence[Baseline], right: float, width: float) -> float:
    """Return the share of the narrow side's lines that have nothing to do with the line beside them.

    That is: nothing stands beside them, or the middle of a paragraph does. A label or a table's first cell stands
    beside the beginning of what it names.
    """
    free = total = 0.0
    above: Baseline | None = None
    for own, main in zip(narrow, wide, strict=True):
        if own.segments:
            total += 1
            beside = main.segments and _letters([main]) > 0
            if not beside or _goes_on(above, main, right, width):
                free += 1
            elif not _is_label(own, main):
                free += 1 if len(own.segments) and _unlike(own, main) and _distance(own, main) > _HANGING else 0
        if main.segments:
            above = main
    return free / max(total, 1)


def _goes_on(above: Baseline | None, line: Baseline, right: float, width: float) -> bool:
    """Tell whether a line is the middle of a paragraph: right below a full line of the same size."""
    if above is None or abs(above.size - line.size) > 0.3 or line.y - above.y > 2.2 * line.size:
        return False
    return above.segments[-1].x1 > right - 2 * above.size and _extent(above) > 0.5 * width


def _is_label(own: Baseline, main: Baseline) -> bool:
    """Tell whether what stands in the margin looks like the line beside it, and right beside it."""
    return not _unlike(own, main) and _distance(own, main) < _HANGING


def _unlike(own: Baseline, main: Baseline) -> bool:
    first, other = own.segments[0].runs[0], main.segments[0].runs[0]
    return abs(first.size - other.size) > 0.3 or first.font != other.font


def _distance(own: Baseline, main: Baseline) -> float:
    """Return how far apart two sides of one line are, in ems."""
    gap = max(main.segments[0].x0 - own.segments[-1].x1, own.segments[0].x0 - main.segments[-1].x1)
    return gap / max(main.size, 1.0)


def _extent(line: Baseline) -> float:
    return line.segments[-1].x1 - line.segments[0].x0


def _width(lines: Sequence[Baseline]) -> float:
    return max(line.segments[-1].x1 for line in lines) - min(line.segments[0].x0 for line in lines)


def _letters(lines: Iterable[Baseline]) -> int:
    return sum(len(run.text) for line in lines for segment in line.segments for run in segment.runs)


def _is_named(lines: Iterable[Baseline]) -> bool:
    """Tell whether lines hold words; numbers alone count lines, entries or pages."""
    return any(letter.isalpha() for line in lines for one in line.segments for letter in one.text)
