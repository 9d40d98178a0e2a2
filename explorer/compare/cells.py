"""What the cells of a comparison's heatmaps open: stretches of both texts, and the two sentences that carry each.

The browser gets the cells of all shown heatmaps in one table, so that a cell opens without asking the server.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.documents import Chunk
from explorer.compare import heat as comparison_heat
from explorer.compare.side_by_side import ShownCell, place
from explorer.shared.heatmap import Heat, shortened
from explorer.state.pair import Level

if TYPE_CHECKING:
    from engine.compare.base import Comparison, Flags, Numbers, Passage

_SAID = "{a} × {b}: {number}"
_NAME_CHARACTERS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """What n rows and m columns of a level's grid open.

    `a` (n,) and `b` (m,) are the stretches of text of each row and column, `evidence` the sentences that carry each of
    the n * m cells, row by row, and `matches` (n * m,) the place of the match that holds these; -1 is none.
    """

    a: Sequence[Sequence[Chunk]]
    b: Sequence[Sequence[Chunk]]
    evidence: Sequence[Passage | None]
    matches: Numbers


def target(level: Level) -> str:
    """The key of the container where the heatmap of a level stands."""
    return f"{level}-heatmap"


def cells(comparison: Comparison, level: Level, rows: range, columns: range) -> Cells:
    """What the cells of some rows and columns of a level's grid open."""
    carried = comparison.section_evidence if level == "section" else comparison.chunk_evidence
    evidence = [carried(row, column) for row in rows for column in columns]
    a, b = _stretches(comparison, level, "a", rows), _stretches(comparison, level, "b", columns)
    return Cells(a, b, evidence, _matches(comparison.passages, evidence))


def opened(comparison: Comparison, level: Level, cell: tuple[int, int], picked: int | None = None) -> ShownCell:
    """What one cell shows in the texts; `picked` is the match that the visitor pressed there, if any."""
    row, column = cell
    found = cells(comparison, level, range(row, row + 1), range(column, column + 1))
    match = int(found.matches[0]) if picked is None else picked
    evidence = found.evidence[0] if picked is None else None
    return ShownCell(found.a[0], found.b[0], None if match < 0 else match, evidence, (target(level), row, column))


def table(comparison: Comparison, heats: Mapping[Level, Heat]) -> dict[str, Any]:
    """What the cells of the shown heatmaps open and its words, as the browser reads it.

    A cell is [score, place of its sentence in a, in b, match, number in words], all but the score as places in lists,
    or -1 for none.
    """
    sentences: dict[tuple[int, ...], int] = {}
    numbers: dict[str, int] = {}
    grids = {}
    for level, heat in heats.items():
        (n, m), (row, column) = heat.values.shape, (heat.rows.first, heat.columns.first)
        found = cells(comparison, level, range(row, row + n), range(column, column + m))
        told = []
        for one, match, value in zip(found.evidence, found.matches.tolist(), heat.values.ravel().tolist(), strict=True):
            carried = [0, -1, -1]
            if one is not None:
                both = (sentences.setdefault(tuple(place(held)), len(sentences)) for held in (one.a, one.b))
                carried = [one.score, *both]
            told.append([*carried, match, numbers.setdefault(heat.said(value), len(numbers))])
        a, b = _names(comparison, level)
        grids[target(level)] = {
            "first": [row, column],
            "a": [[_short(a[row + i]), [place(chunk) for chunk in held]] for i, held in enumerate(found.a)],
            "b": [[_short(b[column + j]), [place(chunk) for chunk in held]] for j, held in enumerate(found.b)],
            "cells": told,
        }
    return {"said": _SAID, "sentences": list(sentences), "numbers": list(numbers), "grids": grids}


def said(comparison: Comparison, level: Level, heat: Heat, cell: tuple[int, int]) -> str:
    """A cell that is shown, in words: its two parts and its number."""
    (a, b), (row, column) = _names(comparison, level), cell
    number = heat.said(heat.values[row - heat.rows.first, column - heat.columns.first])
    return _SAID.format(a=_short(a[row]), b=_short(b[column]), number=number)


def overlap(one: Chunk, other: Chunk) -> bool:
    """Whether two stretches of a document have text in common."""
    return one.part == other.part and one.start < other.stop and other.start < one.stop


def _names(comparison: Comparison, level: Level) -> tuple[Sequence[str], Sequence[str]]:
    grid = comparison.sections if level == "section" else comparison.chunks
    return grid.a, grid.b


def _short(name: str) -> str:
    return shortened(name, _NAME_CHARACTERS)


def _stretches(comparison: Comparison, level: Level, side: str, places: range) -> list[list[Chunk]]:
    if level == "section":
        return [comparison_heat.chunks_of_section(comparison, side, number) for number in places]
    chunks = comparison.chunks_a if side == "a" else comparison.chunks_b
    return [[chunks[number]] for number in places]


def _matches(passages: Sequence[Passage], evidence: Sequence[Passage | None]) -> Numbers:
    """The place of the first match that holds both sentences of each pair (n,), or -1."""
    found = np.full(len(evidence), -1, np.int64)
    places = np.asarray([place(one.a) + place(one.b) if one else [-1] * 6 for one in evidence], np.int64).reshape(-1, 6)
    for number, match in reversed(list(enumerate(passages))):
        found[_overlapping(match.a, places[:, :3]) & _overlapping(match.b, places[:, 3:])] = number
    return found


def _overlapping(one: Chunk, places: Numbers) -> Flags:
    """Which of the places (n, 3) have text in common with a stretch of their document."""
    part, start, stop = places.T
    return (part == one.part) & (one.start < stop) & (start < one.stop)
