"""Reads a page's runs as lines in reading order, and joins lines to text.

A page's geometry is decided once: its head and foot, what stands beside the text, its columns. Each line keeps its look
and its place in its column. Where lines are joined, a hyphen at a line's end is part of the word, or of its division.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from engine.reading.heading_names import ABSTRACT, KNOWN
from engine.reading.limits import Budget
from engine.reading.pdf.asides import usual_width, without_asides
from engine.reading.pdf.columns import (
    Gutter,
    crosses,
    find_columns,
    is_number_between,
    own_gutters,
    shared_gutters,
    without_overlong,
)
from engine.reading.pdf.furniture import edges_of
from engine.reading.pdf.page import (
    FAR,
    Baseline,
    Font,
    LineSegment,
    PdfLine,
    PdfPage,
    TextRun,
    baselines_of,
    entry_number,
    is_five,
    is_from_right,
    lines_between,
    rows_of,
    runs_of,
    text_edges,
)

_OFF_CENTRE = 4.0
"""What is centred stands at most this many points from the middle."""
_APART = 1.7
"""The white, in ems, above a list of references that stands under no heading."""
_MOST_ADDRESS_LINES = 2
_FILLED = 0.8
"""Lines of running text are at least this share of their column's width; authors' names and addresses are not."""
_OPENS = re.compile(r"^\(\d\d\)|^\d{1,2}\.?\s+\S|^[IVX]{1,4}\.\s+\S|^key\s?-?words?\b|^index terms\b", re.IGNORECASE)
_SUPERSCRIPT_MARK = re.compile(r"[\d,;*\u2217†‡§¶‖ ]+$")
_HAS_SIGN = re.compile(r"[^\W_]")
_TYPEWRITTEN = 0.8
_MIN_PAIRS = 20
_POWER = re.compile(r"[-−–]?\d")
_MOST_DROP_CAPS = 40
_SPACED_LETTERS = re.compile(r"^(?:[^\W\d_] ){3,}[^\W\d_]$")
_BROKEN = re.compile(r"([^\W_][\w'’-]{0,80})-$")
_TAIL = 80
"""Patterns for a text's end read this many characters: a long line must not take quadratic time."""
_HELD = 20 * _TAIL
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LINKS = frozenset({"a", "and", "by", "of", "the", "to", "vs"})
"""Words inside one with several hyphens, such as "state-of-the-art"; they hardly start half a word."""


@dataclass(slots=True)
class Region:
    """Runs to read from top to bottom: a column's stretch, full-width text, what stands beside it, or a page's edge."""

    runs: list[TextRun]
    x0: float
    x1: float
    aside: bool = False
    edge: bool = False


def reading_order(pages: Sequence[PdfPage], budget: Budget) -> list[list[Region]]:
    """Put each page's regions in reading order, what stands beside the text after it. Raises as `Budget.check`."""
    lines = [baselines_of(page.runs) for page in budget.passing(pages)]
    edges = edges_of(lines, [page.height for page in pages])
    inner = [page[top : len(page) - foot] for page, (top, foot) in zip(lines, edges, strict=True)]
    columns = find_columns(inner, budget)
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
    """Return a page's regions between its head and its foot."""
    own = list(columns[number])
    text, asides = without_asides(lines, [gutter.x for gutter in own], width if number else None)
    if asides:
        known = own or next((list(gutters) for gutters in columns if gutters), [])
        own = own_gutters(text) or shared_gutters(text, known)
    if not text:
        return _band(lines)
    text = without_overlong(text, own)
    x0, x1 = text_edges(text)
    front = _front_lines(text, own, x0, x1) if number == 0 and own else 0
    regions = _band(text[:front]) + _regions(text[front:], own, x0, x1)
    return regions + [region for aside in asides for region in _band(aside, aside=True)]


def _band(lines: Sequence[Baseline], *, aside: bool = False, edge: bool = False) -> list[Region]:
    """Return lines that are read across, as one region."""
    if not lines:
        return []
    x0, x1 = text_edges(lines)
    return [Region(list(runs_of(lines)), x0, x1, aside=aside, edge=edge)]


def _front_lines(lines: Sequence[Baseline], gutters: Sequence[Gutter], x0: float, x1: float) -> int:
    """Return how many lines at a first page's top are read across its columns: title, authors beside each other.

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
            front = front if front < number - _MOST_ADDRESS_LINES else number + 1
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


def _is_centred(segment: LineSegment, x0: float, x1: float) -> bool:
    """Tell whether a segment stands in the middle between two places: below a title, also where that is a column's."""
    return abs(segment.x0 + segment.x1 - x0 - x1) < 2 * _OFF_CENTRE


def _fills(segment: LineSegment, bounds: Sequence[float]) -> bool:
    """Tell whether a segment is as wide as the column that it stands in."""
    column = next((x1 - x0 for x0, x1 in pairwise(bounds) if segment.x0 < x1), 1.0)
    return segment.x1 - segment.x0 > _FILLED * column


def _opens(segment: LineSegment) -> bool:
    """Tell whether a segment is a heading: what follows is text in its column."""
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
            regions += _regions(lines_between(text, -FAR, gutter.x), left, x0, gutter.x)
            regions += _regions(lines_between(text, gutter.x, FAR), right, gutter.right_edge, x1)
    return regions


def _list_start(lines: Sequence[Baseline], x: float) -> int:
    """Find the line from which a numbered list stands on both sides of `x`, below white that runs across; 0 for none.

    Such a list is read after the text above it on both sides: REVTeX sets references so, under no heading.
    """
    for number, (above, line) in enumerate(pairwise(lines), start=1):
        if line.y - above.y < _APART * max(above.size, line.size) or _first_number(line, -FAR, x) != 1:
            continue
        beside = [one for one in lines[number : number + 2] if one.y - line.y < 0.6 * line.size]
        if any(_first_number(one, x, FAR) > 1 for one in beside):
            return number
    return 0


def _first_number(line: Baseline, x0: float, x1: float) -> int:
    """Return the number of the entry that a line begins between two places; 0 for none, as with a heading."""
    segments = line.within(x0, x1).segments
    if not segments or segments[0].runs[-1].font.bold or segments[0].text.isupper():
        return 0
    return entry_number(segments[0].text)


def _without_numbers(line: Baseline, x: float) -> Baseline:
    """Take out the number that stands in the gutter at `x`: a page's, alone on its line, or a patent line's."""
    alone = len(line.segments) == 1
    kept = [one for one in line.segments if not (is_number_between(one, x) and (alone or is_five(one.text)))]
    return Baseline(line.y, line.size, kept)


def _bands(lines: Sequence[Baseline], x: float) -> list[tuple[bool, list[Baseline]]]:
    """Return the lines in stretches that run across `x`, and stretches that stand on its two sides."""
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
    """Tell whether a line runs across `x`, or ends a block that does; `above` is the line before, if that is full."""
    return crosses(line, x) or (above is not None and _ends_block(line, above, x))


def _ends_block(line: Baseline, above: Baseline, x: float) -> bool:
    """Tell whether a line is the short last one of full-width text: right below it, from one edge, nothing beside."""
    close = line.y - above.y < 1.5 * line.size and abs(line.size - above.size) < 0.3
    return close and line.segments[-1].x1 <= x + 3 and abs(line.segments[0].x0 - above.segments[0].x0) < 3


def page_lines(pages: Sequence[PdfPage], budget: Budget) -> list[list[PdfLine]]:
    """Return the lines of each page in reading order. Raises as `Budget.check`."""
    result: list[list[PdfLine]] = []
    number = 0
    for page, regions in budget.passing(zip(pages, reading_order(pages, budget), strict=True)):
        lines: list[PdfLine] = []
        for region in regions:
            lines += _region_lines(region, page.number, number)
            number += 1
        result.append(lines)
    every = [line for lines in result for line in lines]
    _unset_mono(every)
    _level_sizes(every)
    return result


def _unset_mono(lines: Sequence[PdfLine]) -> None:
    """Forget which lines are code where nearly all text is of one width, as typewriters' and recognised text is."""
    letters = sum(len(line.text) for line in lines)
    if sum(len(line.text) for line in lines if line.mono) > _TYPEWRITTEN * letters:
        for line in lines:
            line.mono = False


def _level_sizes(lines: Sequence[PdfLine]) -> None:
    """Give recognised text one size, where text recognition has guessed another for each line."""
    pairs = [
        (above, line) for above, line in pairwise(lines) if above.region == line.region and above.full and line.full
    ]
    noisy = sum(abs(above.size - line.size) > 0.05 * line.size for above, line in pairs)
    if len(pairs) < _MIN_PAIRS or noisy < 0.4 * len(pairs):
        return
    usual = median(line.size for line in lines)
    for line in lines:
        if 0.6 * usual < line.size < 1.4 * usual:
            line.size = usual


def _region_lines(region: Region, page: int, number: int) -> list[PdfLine]:
    """Return a region's lines from top to bottom."""
    groups = [row.members for row in rows_of(_without_drop_caps(region.runs))]
    edges = _column_edges(groups, region)
    lines = [_line(group, page, number, edges) for group in groups]
    lines = sorted((line for line in lines if _HAS_SIGN.search(line.text)), key=lambda line: line.y)
    for line in lines:
        line.aside, line.edge = region.aside, region.edge
    for above, line in pairwise(lines):
        line.gap = line.y - above.y
    return lines


def _column_edges(groups: Sequence[Sequence[TextRun]], region: Region) -> tuple[float, float]:
    """Return a column's edges as its lines have them: where at least a tenth of them begin and end."""
    if len(groups) < 4:
        return region.x0, region.x1
    starts = sorted(min(run.x0 for run in group) for group in groups)
    ends = sorted(max(run.x1 for run in group) for group in groups)
    tenth = len(groups) // 10
    return max(starts[tenth] - 2, region.x0), min(ends[-1 - tenth] + 2, max(region.x1, ends[-1 - tenth]))


def _without_drop_caps(runs: list[TextRun]) -> list[TextRun]:
    """Put an initial letter that is two or three lines tall in front of the line whose top it shares."""
    sizes: Counter[float] = Counter()
    for run in runs:
        sizes[run.size] += len(run.text)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    caps = [run for run in runs if len(run.text) == 1 and run.text.isalpha() and run.size >= 1.7 * body]
    if len(caps) > _MOST_DROP_CAPS:
        return runs
    kept = list(runs)
    for cap in caps:
        top = cap.y - 0.7 * cap.size
        for run in runs:
            touches = 0 <= run.x0 - cap.x1 + 0.2 * body < body
            if run is not cap and touches and abs(run.y - 0.7 * run.size - top) < 0.4 * body:
                run.text, run.x0 = cap.text + run.text, cap.x0
                kept = [other for other in kept if other is not cap]
                break
    return kept


def _line(group: list[TextRun], page: int, region: int, edges: tuple[float, float]) -> PdfLine:
    """Make a line of its runs: text from left to right, and the look of most of its letters."""
    group.sort(key=lambda run: run.x0)
    weights: Counter[tuple[float, Font]] = Counter()
    for run in group:
        weights[run.size, run.font] += sum(map(str.isalnum, run.text)) or 0
    total = sum(weights.values()) or 1
    sizes: Counter[float] = Counter()
    for (size, _), weight in weights.items():
        sizes[size] += weight
    size = sizes.most_common(1)[0][0] if sizes else group[0].size
    base = max(group, key=lambda run: (run.size == size, len(run.text)))

    def mostly(flag: str, share: float = 0.6) -> bool:
        return sum(weight for (_, font), weight in weights.items() if getattr(font, flag)) > share * total

    text = _text_from_right(group) if is_from_right("".join(run.text for run in group)) else _text(group, base)
    upper = sum(1 for letter in text if letter.isupper())
    letters = sum(1 for letter in text if letter.isalpha() and letter.upper() != letter.lower())
    caps = mostly("small_caps") or (letters >= 4 and upper >= 0.85 * letters)
    return PdfLine(
        text,
        group[0].x0,
        max(run.x1 for run in group),
        base.y,
        max((run.size for run in group if caps and run.text[:1].isalpha()), default=size) if caps else size,
        page,
        region,
        *edges,
        bold=mostly("bold"),
        italic=mostly("italic"),
        mono=mostly("mono", 0.9),
        caps=caps,
        runs=group,
    )


def _text(group: Sequence[TextRun], base: TextRun) -> str:
    """Join a line's runs; what is raised keeps apart from the word or number that it follows."""
    text = ""
    end = group[0].x0
    for run in group:
        gap = run.x0 - end
        if text and not text.endswith(" "):
            note = run is group[1] and _is_raised(group[0], base) and not _is_raised(run, base)
            text += " " if note else _joint(text, run, base, gap)
        text += run.text
        end = max(end, run.x1)
    text = re.sub(r"\s+", " ", text).strip()
    return text.replace(" ", "") if _SPACED_LETTERS.match(text) else text


def _text_from_right(group: Sequence[TextRun]) -> str:
    """Join the runs of a line that is written from right to left; words of other scripts in it keep their order."""
    ordered: list[list[TextRun]] = []
    for run in reversed(group):
        foreign = not is_from_right(run.text) and any(map(str.isalnum, run.text))
        if foreign and ordered and not is_from_right(ordered[-1][0].text):
            ordered[-1].insert(0, run)
        else:
            ordered.append([run])
    text = ""
    before: TextRun | None = None
    for run in (run for stretch in ordered for run in stretch):
        if before is not None:
            gap = max(run.x0 - before.x1, before.x0 - run.x1)
            text += " " if gap > (0.04 if run.spaced else 0.3) * run.size else ""
        text, before = text + run.text, run
    return re.sub(r" (?=[\u064b-\u0652])", "", re.sub(r"\s+", " ", text)).strip()


def _joint(text: str, run: TextRun, base: TextRun, gap: float) -> str:
    """Return what stands between a line's text so far and its next run: nothing, a space, or a power's sign."""
    if gap > (0.04 if run.spaced else 0.14) * max(min(run.size, base.size), 0.6 * base.size):
        return " "
    raised = _is_raised(run, base)
    if raised and _POWER.match(run.text) and (text[-1].isdigit() or (text[-1].isalpha() and not text[-2:].isalpha())):
        return "^"
    if raised and text[-1].isalpha() and _SUPERSCRIPT_MARK.match(run.text):
        return " "
    return ""


def _is_raised(run: TextRun, base: TextRun) -> bool:
    """Tell whether a run is small and stands above its line's baseline: a power, or a note's mark."""
    return run.size < 0.85 * base.size and base.y - run.y > 0.15 * base.size


class Hyphens:
    """Decides what a hyphen at a line's end is, by the words that the document holds elsewhere."""

    def __init__(self, lines: Iterable[PdfLine]) -> None:
        """Count the words that are not cut by a line's end."""
        self._words: Counter[str] = Counter()
        cut = False
        for line in lines:
            broken = _BROKEN.search(line.text[-_TAIL:])
            whole = line.text[: -len(broken[0])] if broken else line.text
            self._words.update(_WORD.findall(whole.lower())[1 if cut else 0 :])
            cut = bool(broken)

    def join(self, text: str, following: str) -> str:
        """Return two lines of one paragraph as one text."""
        broken = _BROKEN.search(text[-_TAIL:])
        after = _WORD.match(following)
        if not broken or not after:
            return f"{text} {following}" if not text.endswith(("-", "/")) or text.endswith(" -") else text + following
        first, second = broken[1].lower(), after[0].lower()
        capitals = after[0].isupper() and len(after[0]) > 1 and broken[1].isupper()
        last = first.rpartition("-")[2]
        keep = (after[0][0].isupper() and not capitals) or len(last) == 1 or last[-1:].isdigit()
        keep = keep or self._is_compound(first, second)
        return (text if keep else text[:-1]) + following

    def joined(self, lines: Iterable[str]) -> str:
        """Return the lines of one paragraph as one text, in time that grows as it does."""
        done: list[str] = []
        text = ""
        for line in lines:
            text = self.join(text, line) if text else line
            if len(text) > _HELD:
                done.append(text[:-_TAIL])
                text = text[-_TAIL:]
        return "".join([*done, text])

    def _is_compound(self, first: str, second: str) -> bool:
        """Tell whether the hyphen belongs to the word: seen so elsewhere, or both parts are words, the whole is not."""
        words = self._words
        before, _, last = first.rpartition("-")
        if words[first + second] or words[last + second]:
            return False
        if words[f"{first}-{second}"] or words[f"{last}-{second}"] or (before and last in _LINKS):
            return True
        return min(len(last), len(second)) >= 4 and words[last] > 0 and words[second] > 0
