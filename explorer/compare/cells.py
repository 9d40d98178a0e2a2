"""What the cells of heatmaps open: stretches of two texts, and the two sentences that carry each.

The browser gets the cells of all shown heatmaps in one table, so that a cell opens without asking the server: of two
documents, of three, and of one against the library, where each cell may open two other texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.compare import DIGITS
from engine.documents import Chunk
from explorer.compare import heat as comparison_heat
from explorer.compare.side_by_side import ShownCell, Texts, place, settings
from explorer.shared.heatmap import Heat, shortened
from explorer.shared.packed import packed
from explorer.state.pair import Level

if TYPE_CHECKING:
    from engine.compare import Carriers, Comparison, Flags, Numbers, Passage

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
class Words:
    """The numbers of the cells in words: each wording once, and its place among them for each of the (n, m) cells."""

    told: Sequence[str]
    places: Numbers

    @classmethod
    def of(cls, heat: Heat) -> Words:
        """The words for a heatmap's numbers; most of its cells share theirs with others."""
        numbers, places = np.unique(heat.values, return_inverse=True)
        words = cls.each([heat.said(number) for number in numbers.tolist()])
        return cls(words.told, words.places[places].reshape(heat.values.shape))

    @classmethod
    def each(cls, words: Sequence[str]) -> Words:
        """The words of cells (n,)."""
        told: dict[str, int] = {}
        places = np.asarray([told.setdefault(one, len(told)) for one in words], np.int64)
        return cls(list(told), places)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """What the shown n rows and m columns of a heatmap open.

    `carriers` are the sentences that carry each of the (n, m) cells, `matches` (n, m) the place of the match that holds
    these among the matches of its two texts, -1 for none, and `words` each cell's number in words.
    """

    a: Sequence[Part]
    b: Sequence[Part]
    carriers: Carriers
    matches: Numbers
    words: Words
    first: tuple[int, int] = (0, 0)

    def said(self, cell: tuple[int, int]) -> str:
        """A cell that is shown, in words: its two parts and its number."""
        row, column = cell[0] - self.first[0], cell[1] - self.first[1]
        number = self.words.told[self.words.places[row, column]]
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

        What cells are made of stands in lists, and for each cell its places in these, -1 for none, and its score in
        units of 10**-DIGITS: all packed, for a heatmap can have 200,000 cells.
        """
        grids = {name: _grid(cells) for name, cells in self.grids.items()}
        pairs = {texts.pair: settings(texts) for texts in self.pairs}
        return {"said": SAID, "scoreDigits": DIGITS, "grids": grids, "pairs": pairs}


def pair_of(row_owner: object, column_owner: object) -> str:
    """The name of the two texts that a cell opens, by the documents that own its row and its column."""
    return f"{row_owner}-{column_owner}"


def _grid(cells: Cells) -> dict[str, Any]:
    carriers = cells.carriers
    (ours, a), (theirs, b) = (
        _used(sentences, carriers.pairs[..., side]) for side, sentences in enumerate((carriers.a, carriers.b))
    )
    scores = np.rint(np.asarray(carriers.scores, np.float64) * 10**DIGITS).astype(np.int64)
    numbers = {"scores": scores, "ours": ours, "theirs": theirs, "matches": cells.matches, "words": cells.words.places}
    return {
        "first": list(cells.first),
        "a": [_part(one) for one in cells.a],
        "b": [_part(one) for one in cells.b],
        "sentences": {"a": a, "b": b},
        "told": list(cells.words.told),
        **{name: packed(held) for name, held in numbers.items()},
    }


def _used(sentences: Sequence[Chunk], places: Numbers) -> tuple[Numbers, list[list[int]]]:
    """Of each cell the place of its sentence among those that carry any, and where these stand in their text."""
    used, among = np.unique(places, return_inverse=True)
    told: dict[tuple[int, ...], int] = {}
    held = [-1 if n < 0 else told.setdefault(tuple(place(sentences[n])), len(told)) for n in used.tolist()]
    return np.asarray(held, np.int64)[among].reshape(places.shape), [list(one) for one in told]


def _part(part: Part) -> list[Any]:
    stretches = None if part.stretches is None else [place(chunk) for chunk in part.stretches]
    return [part.name, stretches, part.owner]


# The cells of two documents ---------------------------------------------------------------------


def cells(comparison: Comparison, level: Level, heat: Heat) -> Cells:
    """What the cells of a comparison's heatmap open."""
    (n, m), (row, column) = heat.values.shape, (heat.rows.first, heat.columns.first)
    rows, columns = range(row, row + n), range(column, column + m)
    carriers, matches = _carried(comparison, level, rows, columns)
    grid = comparison.sections if level == "section" else comparison.chunks
    a = [
        Part(_short(grid.a[one]), held)
        for one, held in zip(rows, _stretches(comparison, level, "a", rows), strict=True)
    ]
    b = [
        Part(_short(grid.b[one]), held)
        for one, held in zip(columns, _stretches(comparison, level, "b", columns), strict=True)
    ]
    return Cells(a, b, carriers, matches, Words.of(heat), (row, column))


def opened(comparison: Comparison, level: Level, cell: tuple[int, int], picked: int | None = None) -> ShownCell:
    """What one cell shows in the texts; `picked` is the match that the visitor pressed there, if any."""
    row, column = (range(number, number + 1) for number in cell)
    carriers, matches = _carried(comparison, level, row, column)
    a, b = _stretches(comparison, level, "a", row)[0], _stretches(comparison, level, "b", column)[0]
    match = int(matches[0, 0]) if picked is None else picked
    evidence = carriers.passage(0, 0) if picked is None else None
    return ShownCell(a, b, None if match < 0 else match, evidence, (f"{level}-heatmap", *cell))


def overlap(one: Chunk, other: Chunk) -> bool:
    """Whether two stretches of a document have text in common."""
    return one.part == other.part and one.start < other.stop and other.start < one.stop


def _short(name: str) -> str:
    return shortened(name, _NAME_CHARACTERS)


def _carried(comparison: Comparison, level: Level, rows: range, columns: range) -> tuple[Carriers, Numbers]:
    """The sentences behind some cells (n, m), and the match that holds each pair, or -1."""
    carried = comparison.carried(level)
    some = slice(rows.start, rows.stop), slice(columns.start, columns.stop)
    carriers = replace(carried, pairs=carried.pairs[some], scores=carried.scores[some])
    return carriers, _matches(comparison.passages, carriers)


def _stretches(comparison: Comparison, level: Level, side: str, places: range) -> list[list[Chunk]]:
    if level == "section":
        return [comparison_heat.chunks_of_section(comparison, side, number) for number in places]
    chunks = comparison.chunks_a if side == "a" else comparison.chunks_b
    return [[chunks[number]] for number in places]


def _matches(passages: Sequence[Passage], carriers: Carriers) -> Numbers:
    """The place of the first match that holds both sentences of each pair (n, m), or -1."""
    found = np.full(carriers.scores.shape, -1, np.int64)
    none = np.full((1, 3), -1, np.int64)  # at the end, where the place -1 finds it
    ours, theirs = (
        np.concatenate([np.asarray([place(one) for one in sentences], np.int64).reshape(-1, 3), none])
        for sentences in (carriers.a, carriers.b)
    )
    for number, match in reversed(list(enumerate(passages))):
        a, b = _overlapping(match.a, ours), _overlapping(match.b, theirs)
        found[a[carriers.pairs[..., 0]] & b[carriers.pairs[..., 1]]] = number
    return found


def _overlapping(one: Chunk, places: Numbers) -> Flags:
    """Which of the places (n, 3) have text in common with a stretch of their document."""
    part, start, stop = places.T
    return (part == one.part) & (one.start < stop) & (start < one.stop)
