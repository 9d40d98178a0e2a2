"""Reads a PDF's reference list: its entries, and where it begins when no heading says so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.reading.pdf.baselines import entry_number
from engine.reading.pdf.furniture import Body
from engine.reading.pdf.hyphens import Hyphens
from engine.reading.pdf.lines import Line
from engine.reading.pdf.paragraphs import HAS_WORD, Block

_ENTRY = re.compile(r"^(?:\[[\w+,. ’'-]{1,30}\]|\d{1,3}\.|\(\d{1,3}\))\s")
_YEAR = re.compile(r"\b(?:1[89]|20)\d{2}[a-z]?\b|\bin press\b|\bdoi\b|\barxiv\b", re.IGNORECASE)
_AUTHOR = re.compile(r"\b[A-Z]\.(?:[- ]?[A-Z]\.){0,4},? [A-Z]\w|\b[A-Z][\w'’-]{1,30},? [A-Z]{1,3}\b|\bet al\b")
_LONGEST = 1_500
"""No entry is longer; a numbered paragraph of the text may be."""
_DATED = 0.6
"""From this share of dated entries on, a numbered list is one of references."""
_MOST_TRIED = 40
"""This many of the last paragraphs numbered 1 may begin the list."""


def reference_entries(lines: Sequence[Line], hyphens: Hyphens, body: Body) -> list[str]:
    """The lines of a reference list as entries: by their labels, their hanging indent, or the gaps between."""
    labelled = sum(1 for line in lines if _ENTRY.match(line.text)) >= max(2, 0.15 * len(lines))
    edges = _left_edges(lines)
    hanging = sum(1 for line in lines if line.x0 > edges[line.region] + 0.5 * body.size) >= 0.25 * len(lines)
    entries: list[list[str]] = []
    above: Line | None = None
    for line in lines:
        outdented = line.x0 < edges[line.region] + 0.4 * body.size
        if labelled:
            begins = bool(_ENTRY.match(line.text))
        elif hanging:
            begins = outdented
        else:
            begins = above is None or line.gap > 1.15 * body.leading * line.size / body.size
        if begins or not entries:
            entries.append([line.text])
        else:
            entries[-1].append(line.text)
        above = line
    return [entry for entry in map(hyphens.joined, entries) if HAS_WORD.search(entry)]


def _left_edges(lines: Sequence[Line]) -> dict[int, float]:
    """The left-most start of the lines in each region."""
    edges: dict[int, float] = {}
    for line in lines:
        edges[line.region] = min(edges.get(line.region, line.x0), line.x0)
    return edges


def unnamed_list(blocks: Sequence[Block]) -> range:
    """The blocks of a reference list that stands under no heading: numbered from 1, most of them with a year.

    The last such list of the blocks, up to the next heading; an empty range where they hold none.
    """
    ones = [place for place, one in enumerate(blocks) if one.kind == "text" and entry_number(one.lines[0].text) == 1]
    for start in reversed(ones[-_MOST_TRIED:]):
        stop = next((place for place in range(start, len(blocks)) if blocks[place].heading), len(blocks))
        if _is_dated_list([line for block in blocks[start:stop] for line in block.lines]):
            return range(start, stop)
    return range(0)


def _is_dated_list(lines: Sequence[Line]) -> bool:
    """Whether lines are entries numbered 1, 2, 3 ... that go on to the end, most with a year."""
    listed: list[list[str]] = []
    for line in lines:
        if entry_number(line.text) == len(listed) + 1:
            listed.append([line.text])
        elif listed:
            listed[-1].append(line.text)
    entries = [" ".join(texts) for texts in listed]
    dated = sum(bool(_YEAR.search(entry) and _AUTHOR.search(entry)) for entry in entries)
    longest = max((len(entry) for entry in entries), default=0)
    return len(entries) >= 2 and dated >= _DATED * len(entries) and longest < _LONGEST
