"""Takes out of a PDF what is not running text: a repository's cover, line numbers, running heads, contents, footnotes.

Running heads and feet are found in two steps, and taken out once. `edges_of` needs no more than baselines, as a head
across a page would hide the gutter between its columns: what stands apart from the text is a page's edge.
`without_running_text` knows lines, the title and the size of the text. It takes out what is smaller of an edge, and in
the margins what repeats, counts pages, or stands alone at one height on most pages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import attrgetter
from statistics import median, median_low

from engine.documents.dates import CITED_YEAR
from engine.reading.heading_names import CONTENTS, KNOWN, opens_abstract
from engine.reading.pdf.imprint import is_mark
from engine.reading.pdf.page import FAR, Baseline, PdfLine, PdfPage, TextRun, key_of

_MARGIN = 0.13
"""Running heads and feet are within this share of the page's height."""
_NUMBER_MARGIN = 0.18
"""A page number may stand higher up, where paper is taller than the layout was made for."""
_DEPTH = 3
_PAGE_NUMBER = re.compile(
    rf"^(?!\({CITED_YEAR}\))[-–—|\[( ]*(?:(?:page|seite|p\.|s\.)\s*)?(?:\d{{1,4}}|[ivxlc]{{1,6}})"
    r"(?:\s*(?:of|/|von|de)\s*\d{1,4})?[-–—|\]) ]*$",
    re.IGNORECASE,
)
_OUTER_NUMBER = re.compile(r"^(\d{1,4})\b(?![.,]\d)|(?<![\d.,])\b(\d{1,4})$")
_LEADERS = re.compile(r"(?<!\.)(?<!\.\s)(?:\.\s?+){4,}+\s*+(?:\d{1,4}|[ivxl]++)?$")
_ENDS_IN_NUMBER = re.compile(r"\S\s+(?:\d{1,4}|[ivxl]+)$")
_TAIL = 80
_MIN_NUMBERS, _MIN_FIVES = 8, 4
_LONGEST_NUMBER = 5
_STEPS = (1, 2, 5, 10)
_ASCENDING = 0.8
"""From this share of like steps on, numbers below each other count lines."""
_TALL = 0.5
"""They do so down this share of a page's text, where a table's rows are not meant."""
_ONE_EDGE = 1.5
_BESIDE = 60.0
_WORDED = 20
"""A line of text holds more letters; in points, it begins so close to its number."""
_CLOSE, _LONGEST_CLOSE = 1.5, 40
"""A line of more letters, less than this many ems from another, is text, whatever number it begins or ends with."""
_LINES_BELOW = 20
"""Fewer lines of running text than these stand below a page's footnotes, in all of its columns."""
_NOTE_SYMBOLS = "*\u2217†‡§¶‖"
_APART = 1.7
"""The white, in ems, that sets a running head or foot apart."""
_FARTHER = 1.3
"""It is this much more than that between most lines, which may be set with double spacing."""
_MOST_EDGE_LINES = 2
_USED = 0.05
"""The running text is set in the fonts of this share of its letters at least."""
_LARGE = 1.15
"""A line this much larger than most is a heading, though it holds a number."""
_NUMBERED = re.compile(r"(?:^|\s)[-–—|(]?(?:\d{1,4}|[ivxlc]{1,6})(?:\s?(?:/|of|von|de)\s?\d{1,4})?\s?[-–—|)]?$")
_SIGNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:persistent|stable|permanent) (?:url|link|identifier)|citable link|handle\.net|\bhdl\.|\bhandle\s*:",
        r"to cite this|please cite|citation\s*:|suggested citation|how to cite|cite as|citation for published|"
        r"citation \(published|original citation|recommended citation",
        r"terms (?:of use|and conditions|& conditions)|general rights|take ?down policy|copyright and reuse|"
        r"rights? statement|all rights reserved|licen[sc]e\s*:|copyright (?:matters|statement)",
        r"\bhal[- ]id\b|\bhal is a|multi-?disciplinary open access|archive ouverte",
        r"(?:final|accepted|produced|submitted|published|peer[- ]reviewed) (?:manuscript|version)|version of record|"
        r"document version|version\s*:|post-?print|pre-?print",
        r"eprints?\b|dspace|repository|research online|pure portal|white rose|digital commons|scholarworks|"
        r"scholarship|open (?:archive|articles|research|access archive)|researchgate|jstor|ssrn",
        r"downloaded (?:from|on|by)|deposited (?:in|on|by)|uploaded by|this (?:item|article|paper|version|document) "
        r"(?:was|has been|is) (?:downloaded|made available|kept|brought)|link to publi|see discussions, stats",
        r"as published|publisher\s*:|published (?:in|by)\s*:?|date deposited|submitted on|\bissn\b|\bisbn\b|source\s*:|"
        r"author\(s\)\s*:",
    )
]
"""What repositories print on their covers, by kind."""
_FIELD = re.compile(
    r"^(?:title|permalink|journal(?: title)?|issn|isbn|authors?(?:\(s\))?|creators?|publication (?:date|year)|year|doi|"
    r"date|version|volume|issue|publisher|document (?:type|version)|(?:peer )?review(?:ed)?(?: status)?|license|"
    r"copyright information|rights|citation|published version|link|abstract|keywords)\s*:?$",
    re.IGNORECASE,
)
"""A name of data on a cover, which stands alone above them or before them."""
_MOST_FIELDS = 5
_MOST_LETTERS = 3_000
_PAPER = re.compile(r"(?:^|\s)(?:abstract|summary|introduction)(?:\s|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Body:
    """The size of the running text, the usual distance between its baselines, and its lines' width, in points.

    `fonts` are the names of those that it is set in.
    """

    size: float
    leading: float
    width: float = FAR
    fonts: frozenset[str] = frozenset()


def body_of(lines: Iterable[PdfLine]) -> Body:
    """Find the size that most characters have, the most common gap between two lines of it, and how wide those are."""
    sizes: Counter[float] = Counter()
    gaps: Counter[float] = Counter()
    kept = list(lines)
    for line in kept:
        sizes[round(line.size, 1)] += len(line.text) if not line.mono else len(line.text) // 3
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    for line in kept:
        if abs(line.size - size) < 0.3 and 0.8 * size < line.gap < 3 * size:
            gaps[round(line.gap * 2) / 2] += 1
    widths = sorted(line.x1 - line.x0 for line in kept if abs(line.size - size) < 0.3 and not line.mono)
    width = widths[3 * len(widths) // 4] if widths else FAR
    fonts: Counter[str] = Counter()
    for line in kept:
        if abs(line.size - size) < 0.3:
            fonts.update({run.font.name: len(run.text) for run in line.runs})
    usual = frozenset(font for font, count in fonts.items() if count >= _USED * fonts.total())
    return Body(size, gaps.most_common(1)[0][0] if gaps else 1.2 * size, width, usual)


def without_covers(pages: Sequence[PdfPage]) -> tuple[list[PdfPage], str]:
    """Return the pages without a repository's covers (at most two), and the covers' text."""
    kept = list(pages)
    texts: list[str] = []
    while len(kept) > 1 and len(texts) < 2 and _is_cover(kept[0], kept[1]):
        texts.append(_text(kept.pop(0)))
    return kept, "\n".join(texts)


def _text(page: PdfPage) -> str:
    return "\n".join(run.text for run in sorted(page.runs, key=lambda run: (run.y, run.x0)))


def _is_cover(page: PdfPage, following: PdfPage) -> bool:
    """Tell whether a page speaks of the paper that follows: two signs, and its title; or many signs and little else."""
    text = _text(page)
    letters = sum(map(str.isalpha, text))
    if letters > _MOST_LETTERS:
        return False
    signs = sum(bool(sign.search(text)) for sign in _SIGNS)
    title = key_of(_largest(following))
    fields = {run.text.strip().lower() for run in page.runs if _FIELD.match(run.text.strip())}
    if len(fields) >= _MOST_FIELDS and signs >= 1:
        return True
    if signs >= 2 and len(title) >= 12 and title in key_of(text):
        return True
    return signs >= 4 and letters < _MOST_LETTERS / 2 and not _PAPER.search(text)


def _largest(page: PdfPage) -> str:
    """Return the largest text in a page's upper half: the title, if the paper begins here."""
    upper = [run for run in page.runs if run.y < 0.5 * page.height and len(run.text) > 2]
    size = max((run.size for run in upper), default=0.0)
    return " ".join(run.text for run in sorted(upper, key=lambda run: (round(run.y), run.x0)) if run.size > size - 0.3)


def without_line_numbers(pages: Sequence[PdfPage]) -> list[PdfPage]:
    """Take out the line numbers of manuscripts for review, where at least half of the pages have them."""
    counts = [[one for one in _number_columns(page) if _counts_lines(one, page)] for page in pages]
    numbered = sum(
        any(one[-1].y - one[0].y > _TALL * _depth(page) for one in found)
        for found, page in zip(counts, pages, strict=True)
    )
    if numbered < max(1, 0.5 * len(pages)):
        return list(pages)
    kept = []
    last: list[TextRun] = []
    for page, found in zip(pages, counts, strict=True):
        found = found or [one for one in _number_columns(page) if last and _goes_on_counting(one, last)]
        last = max(found, key=len, default=last)
        dropped = {id(run) for numbers in found for run in numbers}
        kept.append(replace(page, runs=[run for run in page.runs if id(run) not in dropped]))
    return kept


def _depth(page: PdfPage) -> float:
    """Return how far down a page's text reaches."""
    places = [run.y for run in page.runs if len(run.text) > _WORDED]
    return max(places, default=0.0) - min(places, default=0.0)


def _number_columns(page: PdfPage) -> Iterator[list[TextRun]]:
    """Yield the runs that are numbers, where they stand below each other at one edge, from the top down."""
    numbers = [run for run in page.runs if _is_number(run.text.strip())]
    for edge in (attrgetter("x1"), attrgetter("x0")):
        column: list[TextRun] = []
        for run in sorted(numbers, key=edge):
            if column and edge(run) - edge(column[-1]) > _ONE_EDGE:
                yield sorted(column, key=attrgetter("y"))
                column = []
            column.append(run)
        yield sorted(column, key=attrgetter("y"))


def _is_number(text: str) -> bool:
    return len(text) <= _LONGEST_NUMBER and text.isdecimal()


def _counts_lines(numbers: Sequence[TextRun], page: PdfPage) -> bool:
    """Tell whether numbers go up by ones, or fives, as far as the lines do that begin or end beside them."""
    if len(numbers) < _MIN_FIVES:
        return False
    values = [int(run.text) for run in numbers]
    steps = Counter(after - before for before, after in pairwise(values))
    step, count = steps.most_common(1)[0]
    left, right = min(run.x0 for run in numbers), max(run.x1 for run in numbers)
    worded = [run for run in page.runs if len(run.text) > _WORDED]
    beside = {round(run.y / 4) for run in worded if 0 <= run.x0 - right < _BESIDE} or {
        round(run.y / 4) for run in worded if 0 <= left - run.x1 < _BESIDE
    }
    if step not in _STEPS or (step < _STEPS[2] and len(numbers) < _MIN_NUMBERS):
        return False
    return count >= _ASCENDING * (len(values) - 1) and step * len(numbers) >= 0.7 * len(beside) > 0


def _goes_on_counting(numbers: Sequence[TextRun], last: Sequence[TextRun]) -> bool:
    """Tell whether a page's numbers count on from those of the page before, at their edge: a last page may be short."""
    values = [int(run.text) for run in (last[-2], last[-1], *numbers)] if len(last) > 1 and numbers else []
    steps = {after - before for before, after in pairwise(values)}
    edges = min(abs(numbers[0].x1 - last[-1].x1), abs(numbers[0].x0 - last[-1].x0)) if values else FAR
    return len(steps) == 1 and steps <= set(_STEPS) and edges < 3 * _ONE_EDGE


def edges_of(pages: Sequence[Sequence[Baseline]], heights: Sequence[float]) -> list[tuple[int, int]]:
    """Return how many lines of each page are its running head, and how many its foot.

    They stand apart in the margin, and hold the page's number, or what other pages hold there, too.
    """
    apart = [_apart(lines, height) for lines, height in zip(pages, heights, strict=True)]
    shapes = Counter(
        shape
        for lines, (top, foot) in zip(pages, apart, strict=True)
        for shape in {_letters(line.text) for line in (*lines[:top], *lines[len(lines) - foot :])}
        if shape
    )
    usual = median_low([line.size for lines in pages for line in lines] or [0.0])

    def is_edge(line: Baseline) -> bool:
        numbered = line.size < _LARGE * usual and any(_NUMBERED.search(segment.text) for segment in line.segments)
        return numbered or shapes[_letters(line.text)] > 1

    return [
        (top * any(map(is_edge, lines[:top])), foot * any(map(is_edge, lines[len(lines) - foot :])))
        for lines, (top, foot) in zip(pages, apart, strict=True)
    ]


def _apart(lines: Sequence[Baseline], height: float) -> tuple[int, int]:
    """Count the lines at a page's top and foot that stand in the margin, with white between them and the text."""
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


def without_running_text(
    pages: Sequence[list[PdfLine]], heights: Sequence[float], title: Sequence[PdfLine]
) -> list[list[PdfLine]]:
    """Return the pages' lines without running heads, running feet and page numbers.

    The title's own lines stay, and small ones below it: names may stand at a page's edge, too.
    """
    body = body_of(line for lines in pages for line in lines)
    margins = [_margin_lines(lines, height) for lines, height in zip(pages, heights, strict=True)]
    repeated = _repeated_shapes(margins) | {_letters(" ".join(line.text for line in title))}
    first = title[0].y if title else 0.0
    own = [line for lines in pages for line in lines if title and line.page == title[0].page]
    below = {id(line) for line in own if first < line.y < heights[0] / 2}
    above = [run.text for line in pages[0] if line.y < first for run in line.runs] if pages else []
    marks = {_letters(text) for text in above if is_mark(text)} - {""}
    offset = _page_number_offset(margins)
    head = _head_height(pages, margins, body)
    stay = {id(line) for line in title} | {
        id(line) for lines in pages for line in lines if line.size > 1.15 * body.size
    }
    kept = []
    for number, (lines, margin) in enumerate(zip(pages, margins, strict=True)):
        dropped = {id(line) for line in _furniture(margin, number, repeated, offset)}
        dropped |= {id(line) for line in lines if line.edge and line.size < 0.95 * body.size} - below
        dropped |= {id(line) for line in margin[0][:1] if head is not None and abs(line.y - head) < 2 and number > 0}
        marked = {id(line) for line in margin[0][:1] if number > 0 and _letters(line.text) in marks}
        kept.append(_renew_gaps(lines, dropped - stay | marked))
    return kept


def _head_height(
    pages: Sequence[list[PdfLine]], margins: Sequence[tuple[list[PdfLine], list[PdfLine]]], body: Body
) -> float | None:
    """Return where running heads stand that change with the section: a lone first line, at one height on most pages."""
    heights: Counter[float] = Counter()
    close: Counter[float] = Counter()
    for lines, (top, _) in zip(pages[1:], margins[1:], strict=True):
        below = sorted(line.y for line in lines if top and line.y > top[0].y + 1)
        if not below:
            continue
        lone = below[0] - top[0].y > 1.5 * body.leading and len(top[0].text) < 100
        (heights if lone else close)[round(top[0].y)] += 1
    if not heights:
        return None
    height, count = heights.most_common(1)[0]
    text_begins = sum(close[height + step] for step in (-1, 0, 1)) > 0.1 * count
    return height if count >= max(2, 0.6 * (len(pages) - 1)) and not text_begins else None


def _margin_lines(lines: Sequence[PdfLine], height: float) -> tuple[list[PdfLine], list[PdfLine]]:
    """Return the lines in a page's margins: nearest to its top, outermost first, and nearest to its foot."""
    ordered = sorted(lines, key=lambda line: line.y)
    top = [line for line in ordered[:_DEPTH] if line.y < _MARGIN * height]
    foot = [line for line in ordered[::-1][:_DEPTH] if line.y > (1 - _foot_margin(line)) * height]
    return top, foot


def _foot_margin(line: PdfLine) -> float:
    """Return the share of a page's height in which a line stands in its foot: more where it is a page number alone."""
    return _NUMBER_MARGIN if _PAGE_NUMBER.match(line.text) else _MARGIN


def _letters(text: str) -> str:
    """Return a text's letters: what running heads of several pages have in common."""
    return re.sub(r"[\W\d_]+", "", text).lower()


def _repeated_shapes(margins: Sequence[tuple[list[PdfLine], list[PdfLine]]]) -> set[str]:
    """Return the shapes that stand at about one height on three pages or more (two in a short document)."""
    heights: dict[str, Counter[int]] = defaultdict(Counter)
    for top, foot in margins:
        for line in (*top, *foot):
            if _letters(line.text):
                heights[_letters(line.text)][round(line.y / 4)] += 1
    needed = 3 if len(margins) > 4 else 2
    return {
        shape
        for shape, found in heights.items()
        if max(found[height] + found[height + 1] for height in list(found)) >= needed
    }


def _page_number_offset(margins: Sequence[tuple[list[PdfLine], list[PdfLine]]]) -> int | None:
    """Return what to add to a page's place to get its printed number, where outermost lines agree on it."""
    offsets: Counter[int] = Counter()
    for number, (top, foot) in enumerate(margins):
        offsets.update({value - number for line in (*top[:1], *foot[:1]) for value in _printed_numbers(line)})
    if not offsets:
        return None
    offset, count = offsets.most_common(1)[0]
    return offset if count >= max(2, 0.4 * len(margins)) else None


def _printed_numbers(line: PdfLine) -> list[int]:
    return [int(first or last) for first, last in _OUTER_NUMBER.findall(line.text)]


def _furniture(
    margin: tuple[list[PdfLine], list[PdfLine]], number: int, repeated: set[str], offset: int | None
) -> Iterable[PdfLine]:
    """Yield the lines of one page's margins that are not text, from the outside in until one is text."""
    for lines in margin:
        for depth, line in enumerate(lines):
            numbered = depth == 0 and not line.bold and offset is not None and number + offset in _printed_numbers(line)
            numbered = numbered and not _is_text(line, lines)
            if not (numbered or _is_repeated(line, repeated) or _PAGE_NUMBER.match(line.text)):
                break
            yield line


def _is_text(line: PdfLine, margin: Sequence[PdfLine]) -> bool:
    """Tell whether a long line has another of its region close to it, as lines of a paragraph have."""
    beside = (other.gap for other in margin if other.region == line.region and other.y > line.y)
    close = any(0 < gap < _CLOSE * line.size for gap in (line.gap, *beside))
    return close and len(line.text) > _LONGEST_CLOSE


def _is_repeated(line: PdfLine, repeated: set[str]) -> bool:
    """Tell whether a line is a repeated head or foot, or a part of one that two columns tore apart."""
    letters = _letters(line.text)
    torn = len(letters) > 9 and not (line.bold and line.text[0].isdigit())  # a heading may hold words of the title
    return bool(letters) and (letters in repeated or (torn and any(letters in shape for shape in repeated)))


def _renew_gaps(lines: Sequence[PdfLine], dropped: set[int]) -> list[PdfLine]:
    """Return the lines that stay; one that followed a dropped line now begins its region."""
    kept: list[PdfLine] = []
    for line in lines:
        if id(line) in dropped:
            continue
        if not kept or kept[-1].region != line.region:
            line.gap = 0.0
        kept.append(line)
    return kept


def without_contents_list(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Return the lines without a table of contents: its heading, and entries that end in a page's number."""
    kept: list[PdfLine] = []
    inside = passed = False
    for number, line in enumerate(lines):
        if CONTENTS.match(line.text):
            inside = passed = True
            continue
        entry = bool(_LEADERS.search(line.text[-_TAIL:]))
        if inside and not entry:
            following = lines[number + 1 : number + 4]
            entry = bool(_ENDS_IN_NUMBER.search(line.text[-_TAIL:])) or (
                any(_LEADERS.search(after.text[-_TAIL:]) for after in following) and not line.text.endswith(".")
            )
            inside = entry
        if not entry:
            line.after_contents, passed = passed, False
            kept.append(line)
    return kept


def split_footnotes(lines: Sequence[PdfLine], body: Body) -> tuple[list[PdfLine], list[PdfLine]]:
    """Return lines of the text, and lines of footnotes: small ones at a column's foot that begin with a raised mark."""
    regions: dict[int, list[PdfLine]] = defaultdict(list)
    running: dict[int, list[float]] = defaultdict(list)
    for line in lines:
        regions[line.region].append(line)
        if line.size >= 0.93 * body.size:
            running[line.page].append(line.y)
    lowest = {page: sorted(ys)[-_LINES_BELOW:][0] for page, ys in running.items()}
    notes: set[int] = set()
    for members in regions.values():
        start = len(members)
        while start > 0 and members[start - 1].size < 0.93 * body.size:
            start -= 1
        named = (place for place in range(start, len(members)) if _is_named(members[place].text))
        start = max(named, default=start - 1) + 1
        while start < len(members) and not begins_note(members[start]):
            start += 1
        if 0 < start < len(members) and members[start].y > lowest.get(members[start].page, 0.0):
            notes.update(id(line) for line in members[start:])
    return [line for line in lines if id(line) not in notes], [line for line in lines if id(line) in notes]


def _is_named(text: str) -> bool:
    """Tell whether a line names a part of a paper, or opens its abstract: footnotes begin below it."""
    return bool(KNOWN.match(text)) or opens_abstract(text)


def begins_note(line: PdfLine) -> bool:
    """Tell whether a line begins with a footnote's mark: a symbol, or a raised number."""
    first = line.runs[0]
    raised = first.size < 0.85 * line.size and first.y < line.y - 0.1 * line.size
    return first.text[:1] in _NOTE_SYMBOLS or (raised and first.text.strip().isdigit())
