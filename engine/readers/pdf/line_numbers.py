"""Takes out of a PDF's pages the numbers of the lines that manuscripts for review carry in their margins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from engine.readers.pdf.runs import Page, Run

_MIN_NUMBERS = 8
_ASCENDING = 0.8
"""From this share of steps by one on, numbers in a margin count lines."""


def without_line_numbers(pages: Sequence[Page]) -> list[Page]:
    """The pages without their line numbers, where at least half of the pages have them."""
    margins = [_in_margins(page) for page in pages]
    numbered = sum(any(_counts_lines(side, page) for side in sides) for sides, page in zip(margins, pages, strict=True))
    if numbered < max(1, 0.5 * len(pages)):
        return list(pages)
    kept = []
    for page, sides in zip(pages, margins, strict=True):
        dropped = {id(run) for side in sides for run in side}
        kept.append(replace(page, runs=[run for run in page.runs if id(run) not in dropped]))
    return kept


def _in_margins(page: Page) -> tuple[list[Run], list[Run]]:
    """The runs that are a number and stand left of the page's text, and those right of it, from the top down."""
    worded = [run for run in page.runs if any(map(str.isalpha, run.text))]
    if not worded:
        return [], []
    aside = len(worded) // 20
    left, right = sorted(run.x0 for run in worded)[aside], sorted(run.x1 for run in worded)[-1 - aside]
    numbers = sorted((run for run in page.runs if run.text.strip().isdecimal()), key=lambda run: run.y)
    return [run for run in numbers if run.x1 < left], [run for run in numbers if run.x0 > right]


def _counts_lines(numbers: Sequence[Run], page: Page) -> bool:
    """Whether numbers go up by one, and are about as many as the page has lines."""
    if len(numbers) < _MIN_NUMBERS:
        return False
    values = [int(run.text) for run in numbers]
    steps = sum(after - before == 1 for before, after in pairwise(values))
    lines = {round(run.y / 4) for run in page.runs if len(run.text) > 20}
    return steps >= _ASCENDING * (len(values) - 1) and len(numbers) >= 0.7 * len(lines)
