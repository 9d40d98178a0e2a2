"""Joins runs to lines of text, with the look of each line and its place in its column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from engine.reading.limits import Budget
from engine.reading.pdf.baselines import rows
from engine.reading.pdf.layout import Region, reading_order
from engine.reading.pdf.runs import Font, Page, Run, is_from_right

_SUPERSCRIPT_MARK = re.compile(r"[\d,;*\u2217†‡§¶‖ ]+$")
_HAS_SIGN = re.compile(r"[^\W_]")
_TYPEWRITTEN = 0.8
_MIN_PAIRS = 20
_POWER = re.compile(r"[-−–]?\d")
_MOST_DROP_CAPS = 40
_SPACED_LETTERS = re.compile(r"^(?:[^\W\d_] ){3,}[^\W\d_]$")


@dataclass(slots=True)
class Line:
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
    runs: list[Run] = field(default_factory=list)

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


def page_lines(pages: Sequence[Page], budget: Budget) -> list[list[Line]]:
    """The lines of each page in reading order. Raises as `Budget.check`."""
    result: list[list[Line]] = []
    number = 0
    for page, regions in budget.passing(zip(pages, reading_order(pages, budget), strict=True)):
        lines: list[Line] = []
        for region in regions:
            lines += _region_lines(region, page.number, number)
            number += 1
        result.append(lines)
    every = [line for lines in result for line in lines]
    _unset_mono(every)
    _level_sizes(every)
    return result


def _unset_mono(lines: Sequence[Line]) -> None:
    """Where nearly all text is of one width, as typewriters' and recognised text is, that says nothing about code."""
    letters = sum(len(line.text) for line in lines)
    if sum(len(line.text) for line in lines if line.mono) > _TYPEWRITTEN * letters:
        for line in lines:
            line.mono = False


def _level_sizes(lines: Sequence[Line]) -> None:
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


def _region_lines(region: Region, page: int, number: int) -> list[Line]:
    """A region's lines from top to bottom."""
    groups = [row.members for row in rows(_without_drop_caps(region.runs))]
    edges = _edges(groups, region)
    lines = [_line(group, page, number, edges) for group in groups]
    lines = sorted((line for line in lines if _HAS_SIGN.search(line.text)), key=lambda line: line.y)
    for line in lines:
        line.aside, line.edge = region.aside, region.edge
    for above, line in pairwise(lines):
        line.gap = line.y - above.y
    return lines


def _edges(groups: Sequence[Sequence[Run]], region: Region) -> tuple[float, float]:
    """A column's edges as its lines have them: where at least a tenth of them begin and end."""
    if len(groups) < 4:
        return region.x0, region.x1
    starts = sorted(min(run.x0 for run in group) for group in groups)
    ends = sorted(max(run.x1 for run in group) for group in groups)
    tenth = len(groups) // 10
    return max(starts[tenth] - 2, region.x0), min(ends[-1 - tenth] + 2, max(region.x1, ends[-1 - tenth]))


def _without_drop_caps(runs: list[Run]) -> list[Run]:
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


def _line(group: list[Run], page: int, region: int, edges: tuple[float, float]) -> Line:
    """One line from its runs: text from left to right, and the look of most of its letters."""
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
    return Line(
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


def _text(group: Sequence[Run], base: Run) -> str:
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


def _text_from_right(group: Sequence[Run]) -> str:
    """Join the runs of a line that is written from right to left; words of other scripts in it keep their order."""
    ordered: list[list[Run]] = []
    for run in reversed(group):
        foreign = not is_from_right(run.text) and any(map(str.isalnum, run.text))
        if foreign and ordered and not is_from_right(ordered[-1][0].text):
            ordered[-1].insert(0, run)
        else:
            ordered.append([run])
    text = ""
    before: Run | None = None
    for run in (run for stretch in ordered for run in stretch):
        if before is not None:
            gap = max(run.x0 - before.x1, before.x0 - run.x1)
            text += " " if gap > (0.04 if run.spaced else 0.3) * run.size else ""
        text, before = text + run.text, run
    return re.sub(r" (?=[\u064b-\u0652])", "", re.sub(r"\s+", " ", text)).strip()


def _joint(text: str, run: Run, base: Run, gap: float) -> str:
    """What stands between a line's text so far and its next run: nothing, a space, or a power's sign."""
    if gap > (0.04 if run.spaced else 0.14) * max(min(run.size, base.size), 0.6 * base.size):
        return " "
    raised = _is_raised(run, base)
    if raised and _POWER.match(run.text) and (text[-1].isdigit() or (text[-1].isalpha() and not text[-2:].isalpha())):
        return "^"
    if raised and text[-1].isalpha() and _SUPERSCRIPT_MARK.match(run.text):
        return " "
    return ""


def _is_raised(run: Run, base: Run) -> bool:
    """Whether a run is small and stands above its line's baseline: a power, or a note's mark."""
    return run.size < 0.85 * base.size and base.y - run.y > 0.15 * base.size
