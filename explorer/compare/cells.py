"""What the cells of heatmaps open: stretches of two texts, and the two sentences that carry each.

The browser gets the cells of all shown heatmaps in one table, so that a cell opens without asking the server: of two
documents, of three, and of one against the library, where each cell may open two other texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.documents import Chunk
from explorer.compare import heat as comparison_heat
from explorer.compare.side_by_side import ShownCell, Texts, place, settings
from explorer.shared.heatmap import Heat, shortened
from explorer.state.pair import Level

if TYPE_CHECKING:
    from engine.compare.base import Comparison, Flags, Numbers, Passage

SAID = "{a} × {b}: {number}"
"""How a cell is said."""

_NAME_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class Part:
    """A row or a column: its name, and the stretches of text that it covers; None where each cell has its own.

    `owner` is the document it belongs to, where the rows or columns are of several.
    """

    name: str
    stretches: Sequence[Chunk] | None
    owner: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """What the shown n rows and m columns of a heatmap open.

    `evidence` are the sentences that carry each of the n * m cells, row by row, `matches` (n * m,) the place of the
    match that holds these among the matches of its two texts, -1 for none, and `words` each cell's number in words.
    """

    a: Sequence[Part]
    b: Sequence[Part]
    evidence: Sequence[Passage | None]
    matches: Numbers
    words: Sequence[str]
    first: tuple[int, int] = (0, 0)

    def said(self, cell: tuple[int, int]) -> str:
        """A cell that is shown, in words: its two parts and its number."""
        row, column = cell[0] - self.first[0], cell[1] - self.first[1]
        number = self.words[row * len(self.b) + column]
        return SAID.format(a=self.a[row].name, b=self.b[column].name, number=number)


@dataclass(frozen=True, slots=True)
class Opened:
    """The cells of the shown heatmaps by the names of these.

    `pairs` are the texts that cells open, each named by the owners of its cells' row and column, as `pair_of` does;
    where it is empty, all cells open the texts that are shown.
    """

    grids: Mapping[str, Cells]
    pairs: Sequence[Texts] = ()

    def table(self) -> dict[str, Any]:
        """As the browser reads it.

        A cell is [score, place of its sentence in a, in b, match, number in words], all but the score as places in
        lists, or -1 for none.
        """
        sentences: dict[tuple[int, ...], int] = {}
        words: dict[str, int] = {}
        grids = {name: _grid(cells, sentences, words) for name, cells in self.grids.items()}
        pairs = {texts.pair: settings(texts) for texts in self.pairs}
        return {"said": SAID, "sentences": list(sentences), "words": list(words), "grids": grids, "pairs": pairs}


def pair_of(row_owner: object, column_owner: object) -> str:
    """The name of the two texts that a cell opens, by the documents that own its row and its column."""
    return f"{row_owner}-{column_owner}"


def _grid(cells: Cells, sentences: dict[tuple[int, ...], int], words: dict[str, int]) -> dict[str, Any]:
    told = []
    for one, match, number in zip(cells.evidence, cells.matches.tolist(), cells.words, strict=True):
        carried = [0.0, -1, -1]
        if one is not None:
            both = (sentences.setdefault(tuple(place(held)), len(sentences)) for held in (one.a, one.b))
            carried = [one.score, *both]
        told.append([*carried, match, words.setdefault(number, len(words))])
    a, b = ([_part(one) for one in parts] for parts in (cells.a, cells.b))
    return {"first": list(cells.first), "a": a, "b": b, "cells": told}


def _part(part: Part) -> list[Any]:
    stretches = None if part.stretches is None else [place(chunk) for chunk in part.stretches]
    return [part.name, stretches, part.owner]


# The cells of two documents ---------------------------------------------------------------------


def cells(comparison: Comparison, level: Level, heat: Heat) -> Cells:
    """What the cells of a comparison's heatmap open."""
    (n, m), (row, column) = heat.values.shape, (heat.rows.first, heat.columns.first)
    rows, columns = range(row, row + n), range(column, column + m)
    evidence, matches = _carried(comparison, level, rows, columns)
    grid = comparison.sections if level == "section" else comparison.chunks
    a = [
        Part(_short(grid.a[one]), held)
        for one, held in zip(rows, _stretches(comparison, level, "a", rows), strict=True)
    ]
    b = [
        Part(_short(grid.b[one]), held)
        for one, held in zip(columns, _stretches(comparison, level, "b", columns), strict=True)
    ]
    return Cells(a, b, evidence, matches, [heat.said(value) for value in heat.values.ravel().tolist()], (row, column))


def opened(comparison: Comparison, level: Level, cell: tuple[int, int], picked: int | None = None) -> ShownCell:
    """What one cell shows in the texts; `picked` is the match that the visitor pressed there, if any."""
    row, column = (range(number, number + 1) for number in cell)
    evidence, matches = _carried(comparison, level, row, column)
    a, b = _stretches(comparison, level, "a", row)[0], _stretches(comparison, level, "b", column)[0]
    match = int(matches[0]) if picked is None else picked
    return ShownCell(
        a, b, None if match < 0 else match, evidence[0] if picked is None else None, (f"{level}-heatmap", *cell)
    )


def overlap(one: Chunk, other: Chunk) -> bool:
    """Whether two stretches of a document have text in common."""
    return one.part == other.part and one.start < other.stop and other.start < one.stop


def _short(name: str) -> str:
    return shortened(name, _NAME_CHARACTERS)


def _carried(comparison: Comparison, level: Level, rows: range, columns: range) -> tuple[list[Passage | None], Numbers]:
    """The sentences behind some cells, row by row, and the match that holds each pair, or -1."""
    carried = comparison.section_evidence if level == "section" else comparison.chunk_evidence
    evidence = [carried(row, column) for row in rows for column in columns]
    return evidence, _matches(comparison.passages, evidence)


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
