"""Finds the headings among a PDF's lines, and tells top-level sections from subsections."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.reading.heading_names import ABSTRACT, APPENDIX, BACK_MATTER, CAPTION, KNOWN, PATENT_PART, REFERENCES
from engine.reading.limits import Budget
from engine.reading.pdf.byline import is_prose
from engine.reading.pdf.furniture import Body, begins_note
from engine.reading.pdf.lines import Hyphens
from engine.reading.pdf.page import PdfLine, key_of

_LABEL = (
    r"(?:(?P<label>appendix|annex|chapter|section|part|anhang|kapitel|annexe|chapitre|apéndice|capítulo|capitolo|глава)"
    r"\s+)?"
)
_NUMBER = re.compile(
    rf"^(?:§\s?)?{_LABEL}(?P<number>\d{{1,2}}(?:\.\d{{1,2}}){{0,4}}|[IVX]{{1,5}}(?=[.:)\s])|[A-Z](?:\.\d{{1,2}}){{0,3}}(?=[.:)\s]|$))"
    r"(?P<mark>[.:)]?)(?:\s++[-–—|]?\s*+|$)(?P<title>.*)$",
    re.IGNORECASE,
)
_LABEL_ALONE = re.compile(
    r"^(?:chapter|kapitel|chapitre|cap[íi]tulo|capitolo|глава)\s+(?:\d{1,2}|[IVX]{1,5})[.:]?$", re.IGNORECASE
)
"""The line above a chapter's title, in books and theses."""
_FORMULA = re.compile(r"<-|[{}~\\=\u2211\u222b\u2264\u2265\u2208\u221a\u2202\u2032\u221e]")
_LONG_WORD = re.compile(r"[^\W\d_]{3,}|[\u3040-\u9fff]{2}|^[A-Z]{1,2}$")
_LONGEST = 200
_ROMAN = {"I": 1, "V": 5, "X": 10}


@dataclass(frozen=True, slots=True)
class PdfHeading:
    """Lines [start, stop) that are one heading; `number` as printed, `title` without it."""

    start: int
    stop: int
    number: str
    title: str
    style: tuple[float, bool, bool, bool]
    text: str
    top: bool = False

    @property
    def depth(self) -> int:
        """How many parts the number has; 0 without a number."""
        return self.number.count(".") + 1 if self.number else 0


def find_headings(
    lines: Sequence[PdfLine],
    body: Body,
    hyphens: Hyphens,
    budget: Budget,
    outline: Sequence[tuple[int, str]] = (),
    barred: Set[int] = frozenset(),
) -> list[PdfHeading]:
    """Return every heading, in order; `top` marks those of top-level sections.

    `outline` holds the file's bookmarks as (level, title): evidence if there are any. `barred` are lines, by identity,
    that head nothing. Raises as `Budget.check`.
    """
    levels = _outline_levels(outline)
    found: list[PdfHeading] = []
    index = page = 0
    while index < len(lines):
        if lines[index].page != page:
            page = lines[index].page
            budget.delivered(0)
        heading = index + 1 if id(lines[index]) in barred else _heading_at(lines, index, body, levels, hyphens)
        if isinstance(heading, int):
            index = heading
            continue
        if found and found[-1].stop == index and _LABEL_ALONE.match(found[-1].text) and not heading.number:
            above = found.pop()
            heading = replace(heading, start=above.start, number=above.number, text=f"{above.text} {heading.text}")
        found.append(heading)
        index = heading.stop
    return _rank(found, levels, body, lines)


def _outline_levels(outline: Sequence[tuple[int, str]]) -> dict[str, int]:
    """Return each bookmark's level, from 0, by its normalised title; a single root above all others does not count."""
    roots = [title for level, title in outline if level == 0]
    lift = 1 if len(roots) == 1 and len(outline) > 3 else 0
    levels: dict[str, int] = {}
    for level, title in outline:
        match = _NUMBER.match(title)
        for text in {key_of(title), key_of(match["title"] if match else title)}:
            levels[text] = min(level - lift, levels.get(text, level))
    levels.pop("", None)
    return levels


def split_number(line: PdfLine, text: str) -> tuple[str, str]:
    """Return a heading's number and the rest; a lone letter counts only with a mark or set off by a gap.

    A raised number is a note's.
    """
    match = _NUMBER.match(text)
    if match is None or begins_note(line):
        return "", text
    number, rest = match["number"], match["title"]
    if number[0].isalpha() and not match["label"]:
        set_off = line.runs[0].text.strip(" .") == number
        if not number.isupper() and not number[0].isupper():
            return "", text
        if not match["mark"] and not set_off:
            return "", text
    if match["label"]:
        return number, text
    return (number, rest) if any(letter.isalpha() for letter in rest) else ("", text)


def _heading_at(
    lines: Sequence[PdfLine], index: int, body: Body, levels: dict[str, int], hyphens: Hyphens
) -> PdfHeading | int:
    """Return the heading that begins at a line, with the lines that continue it; else where to look on.

    A stretch that looks like a heading but goes on is a paragraph: none of its lines is a heading.
    """
    line = lines[index]
    number, title = split_number(line, line.text)
    if not _may_head(lines, index, body, number, title, levels):
        return index + 1
    stop = index + 1
    while stop < len(lines) and stop < index + 4 and _continues(lines[stop - 1], lines[stop], line, body):
        stop += 1
    if index + 3 < stop < len(lines) and _continues(lines[stop - 1], lines[stop], line, body):
        return _end_of_stretch(lines, index, body)
    text = hyphens.joined(one.text for one in lines[index:stop])
    if len(text) > _LONGEST:
        return stop
    number, title = split_number(line, text)
    return PdfHeading(index, stop, number, title.strip().rstrip(":"), line.style, text)


def _end_of_stretch(lines: Sequence[PdfLine], index: int, body: Body) -> int:
    """Return where the lines end that go on from a line in its look."""
    stop = index + 1
    while stop < len(lines) and _continues(lines[stop - 1], lines[stop], lines[index], body):
        stop += 1
    return stop


def _continues(above: PdfLine, line: PdfLine, first: PdfLine, body: Body) -> bool:
    """Tell whether a heading that begins at `first` goes on from `above` to `line`."""
    alike = line.style[1:] == first.style[1:] or (above.full and line.size > 1.06 * body.size)
    same = line.region == above.region and alike and abs(line.size - first.size) < 0.3
    if not same or line.gap > 1.7 * line.size or (_NUMBER.match(line.text) and split_number(line, line.text)[0]):
        return False
    if above.text.endswith("-") or (line.text[:1].islower() and is_prose(above.text)):
        return True
    return above.x1 > above.right - 0.25 * (above.right - above.left) or above.centred or line.x0 > first.x0 + 4


def _may_head(
    lines: Sequence[PdfLine], index: int, body: Body, number: str, title: str, levels: dict[str, int]
) -> bool:
    """Tell whether a line looks like a heading: emphasised and set apart, or a known name on its own."""
    line = lines[index]
    letters = sum(1 for letter in title if letter.isalpha())
    if letters < 2 or letters < 0.6 * len(title.replace(" ", "")) or line.mono or CAPTION.match(line.text):
        return False
    if _FORMULA.search(title) or title[0] in "([,;" or not _LONG_WORD.search(title):
        return False
    apart = line.gap == 0 or line.gap > 1.12 * body.leading * max(1.0, line.size / body.size)
    below = lines[index + 1] if index + 1 < len(lines) else None
    if key_of(title) in levels and (apart or line.bold):
        return True
    if line.caps and PATENT_PART.match(title):
        return True
    if KNOWN.match(title) or BACK_MATTER.match(title):
        return apart or line.bold or line.caps or line.size > body.size * 1.05
    if title.endswith((",", ";")) or (title.endswith(".") and not number and len(title.split()) > 4):
        return False
    if line.size > 1.06 * body.size:
        return apart or line.bold or bool(number)
    if line.size < 0.85 * body.size:
        return False
    if line.bold:
        above = lines[index - 1] if index else None
        ended = above is None or not above.full or above.text.endswith((".", ":"))
        return apart or (ended and (bool(number) or (below is not None and below.gap > 1.12 * body.leading)))
    return apart and (line.caps or (line.italic and (bool(number) or not line.full)))


def _rank(
    found: Sequence[PdfHeading], levels: dict[str, int], body: Body, lines: Sequence[PdfLine]
) -> list[PdfHeading]:
    """Return the headings with `top` set: by bookmarks, else by number, and by the look that those have.

    A patent's have names of their own in capitals; recognised text has no look that says more.
    """
    if sum(heading.style[3] and bool(PATENT_PART.match(heading.title)) for heading in found) > 1:
        named = (PATENT_PART, KNOWN)
        return [replace(one, top=one.style[3] and any(name.match(one.title) for name in named)) for one in found]
    chosen = {heading.start for heading in found if levels.get(key_of(heading.title), 9) == 0}
    numbered = _numbered_tops(found)
    deeper = {heading.start for heading in found if levels.get(key_of(heading.title), 0) > 0}
    tops = (chosen | {heading.start for heading in numbered}) - deeper if levels else {h.start for h in numbered}
    styles = {heading.style for heading in found if heading.start in tops}
    if not styles:
        styles = _style_of_tops(found, body)
    styles |= _style_before(found, [h for h in found if h.start in tops or _also_top(h, styles, deeper)], body)
    first = min(tops, default=0)
    return [
        replace(
            heading,
            top=heading.start in tops or (_also_top(heading, styles, deeper) and _may_stand(heading, first, lines)),
        )
        for heading in found
    ]


def _may_stand(heading: PdfHeading, first: int, lines: Sequence[PdfLine]) -> bool:
    """Tell whether an unnumbered heading may stand where it does: before the first number, only right above prose."""
    below = lines[heading.stop : heading.stop + 1]
    prose = any(len(line.text) > 50 and not line.centred for line in below)
    return heading.start > first or prose or bool(KNOWN.match(heading.title))


def _also_top(heading: PdfHeading, styles: Iterable[tuple[float, bool, bool, bool]], deeper: set[int]) -> bool:
    """Tell whether an unnumbered heading is at the top: a name that always is, or the look of those that are."""
    if heading.start in deeper or heading.depth > 1:
        return False
    if any(pattern.match(heading.title) for pattern in (REFERENCES, ABSTRACT, BACK_MATTER, APPENDIX)):
        return True
    alike = any(abs(style[0] - heading.style[0]) < 0.6 and style[1:] == heading.style[1:] for style in styles)
    return alike and not heading.number


def _numbered_tops(found: Sequence[PdfHeading]) -> list[PdfHeading]:
    """Find the longest run of headings numbered 1, 2, 3 ... (or I, II ...) in one look, and lettered ones after it."""
    groups: dict[tuple[bool, tuple[float, bool, bool, bool]], list[PdfHeading]] = defaultdict(list)
    for heading in found:
        if heading.depth == 1 and _value(heading.number) is not None and not APPENDIX.match(heading.title):
            groups[heading.number[0].isdigit(), heading.style].append(heading)
    best: list[PdfHeading] = []
    for members in groups.values():
        run = _ascending_run(members)
        if len(run) > len(best) or (len(run) == len(best) and run and run[0].style > best[0].style):
            best = run
    if not best:
        return []
    return sorted([*best, *_fill_gaps(found, best), *_find_lettered(found, best)], key=lambda heading: heading.start)


def _value(number: str) -> int | None:
    """Return what a section's number counts: arabic, or roman as 1, 2, 3; None for other letters."""
    if number.isdigit():
        return int(number)
    if not number or any(letter not in _ROMAN for letter in number):
        return None
    values = [_ROMAN[letter] for letter in number]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def _ascending_run(members: Sequence[PdfHeading]) -> list[PdfHeading]:
    """Return headings whose numbers go up by one (one may be missing), from 0, 1 or 2."""
    run: list[PdfHeading] = []
    last = 0
    for heading in members:
        value = _value(heading.number)
        if value is not None and last < value + (not run) and value <= last + 2:
            run.append(heading)
            last = value
    return run


def _fill_gaps(found: Sequence[PdfHeading], run: Sequence[PdfHeading]) -> list[PdfHeading]:
    """Return headings of another look that have exactly a number that the run lacks, at its place."""
    first = run[0]
    ones = [h for h in found if h.start < first.start and h.depth == 1 and h.style[0] == first.style[0]]
    filled = [h for h in ones if _value(h.number) == 1][-1:] if _value(first.number) == 2 else []
    for before, after in pairwise(run):
        low, high = _value(before.number) or 0, _value(after.number) or 0
        filled += [
            heading
            for heading in found
            if before.start < heading.start < after.start
            and heading.depth == 1
            and low < (_value(heading.number) or 0) < high
        ][: high - low - 1]
    return filled


def _find_lettered(found: Sequence[PdfHeading], run: Sequence[PdfHeading]) -> list[PdfHeading]:
    """Return appendices A, B, C ... in the look of the numbered sections, after the last of those."""
    expected = "A"
    lettered = []
    for heading in found:
        if heading.start > run[-1].start and heading.number == expected and heading.style == run[-1].style:
            lettered.append(heading)
            expected = chr(ord(expected) + 1)
    return lettered


def _style_before(
    found: Sequence[PdfHeading], tops: Sequence[PdfHeading], body: Body
) -> set[tuple[float, bool, bool, bool]]:
    """Return the look of the headings that divide a text whose first top-level heading stands near its end.

    Papers of questions and answers, and cards, set their sections as a level below "References".
    """
    content = [heading for heading in tops if not ABSTRACT.match(heading.title)]
    first = content[0].start if content else found[-1].stop if found else 0
    begin = max(
        (heading.stop for heading in tops if ABSTRACT.match(heading.title) and heading.start < first), default=0
    )
    if not found or first - begin < 0.5 * (found[-1].stop - begin):
        return set()
    return _style_of_tops([heading for heading in found if begin <= heading.start < first], body)


def _style_of_tops(found: Sequence[PdfHeading], body: Body) -> set[tuple[float, bool, bool, bool]]:
    """Return the look of well-known names, else the largest look that two headings share."""
    known = {heading.style for heading in found if KNOWN.match(heading.title) and not ABSTRACT.match(heading.title)}
    if known:
        largest = max(style[0] for style in known)
        return {style for style in known if style[0] > largest - 0.6}
    counts: dict[tuple[float, bool, bool, bool], int] = defaultdict(int)
    for heading in found:
        counts[heading.style] += 1
    shared = [style for style, count in counts.items() if count > 1 and style[0] >= body.size - 0.3]
    return {max(shared)} if shared else set()
