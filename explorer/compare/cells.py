"""The cells of a comparison's heatmaps: their numbers, and what each opens in two texts.

The browser gets the cells of all shown heatmaps in one table, so that a cell opens without asking the server: of two
documents, of three, and of one against the library, where each cell may open two other texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import compare
from engine.core.rows import Flags, Positions
from engine.documents import Chunk
from engine.documents.markup import Markup, element
from explorer.compare.side_by_side import LABELS, ShownCell, ShownTexts, text_place, texts_message
from explorer.shared.heatmap import Axis, HeatmapValues, packed
from explorer.shared.markup import shortened
from explorer.state.visit import HeatmapLevel, MatrixName

MOST_SHOWN = 80
"""The most sections or chunks of a document shown at once; of more, those around the chosen cell."""

_ALONE = "this document"
_LABEL_ROOM = 0.045  # of an axis, which a label takes
SAID = "{a} × {b}: {number}"
"""How a cell is said."""
NAME_CHARACTERS = 40
HINT = "Click a cell, or go through them with the arrow keys, to see its passages."


def section_heatmap(comparison: compare.Comparison, chosen: tuple[int, int] | None = None) -> HeatmapValues:
    """Return the section grid, or the stretch of it around a cell; only chunks have attention."""
    values = comparison.sections.across
    up, left = _windows(values, chosen)
    shown = _without(values, (up, _kept_sections(comparison, "a")), (left, _kept_sections(comparison, "b")))
    return HeatmapValues("section", shown, _section_axis(comparison, "a", up), _section_axis(comparison, "b", left))


def chunk_heatmap(comparison: compare.Comparison, matrix: MatrixName, chosen: tuple[int, int] | None) -> HeatmapValues:
    """Return the chunk grid, or the stretch of it around a cell: how near chunks are, or how they attend to each other.

    "attention_back" shows how much the columns attend to the rows.
    """
    values = shown_chunks(comparison, matrix)
    up, left = _windows(values, chosen)
    what = "attention" if matrix in ("attention", "attention_back") else "similarity"
    shown = _without(values, (up, comparison.kept_a), (left, comparison.kept_b))
    return HeatmapValues("chunk", shown, _chunk_axis(comparison, "a", up), _chunk_axis(comparison, "b", left), what)


def shown_chunks(comparison: compare.Comparison, matrix: MatrixName) -> compare.Matrix:
    """Return the numbers (c_a, c_b) that the chunk grid shows."""
    if matrix == "attention":
        return comparison.attention
    return comparison.attention_back.T if matrix == "attention_back" else comparison.chunks.across


def heatmap_head(heat: HeatmapValues, axes: str, *, look: str = "") -> Markup:
    """Return what a heatmap shows, and which documents are on its axes."""
    name = f"{heat.name.capitalize()}s" + (", by attention" if heat.what == "attention" else "")
    return element("div", element("h2", name, class_="ps-title"), element("p", axes, class_="ps-quiet"), class_=look)


def title(comparison: compare.Comparison, side: str) -> str:
    """Return the name of an axis: one of two documents, or the only one."""
    return _ALONE if comparison.is_within else LABELS[side].lower()


def _windows(values: compare.Matrix, chosen: tuple[int, int] | None) -> tuple[range, range]:
    """Return the rows and the columns of a grid that are shown."""
    row, column = chosen or (0, 0)
    return window(values.shape[0], row), window(values.shape[1], column)


def window(count: int, chosen: int) -> range:
    """Return the parts that are shown: all, or those around the chosen one; the view moves in steps."""
    if count <= MOST_SHOWN:
        return range(count)
    step = MOST_SHOWN // 2
    first = min(max(0, (chosen // step) * step - step // 2), count - MOST_SHOWN)
    return range(first, first + MOST_SHOWN)


def around(shape: tuple[int, ...], chosen: tuple[int, int], before: tuple[int, int]) -> tuple[int, int]:
    """Return the cell around which a grid is shown: the one `before` as far as the chosen one is in its stretch.

    So the cells stay where they are under the hand that chooses one of them.
    """
    rows, columns = (
        old if new in window(count, old) else new for count, new, old in zip(shape, chosen, before, strict=True)
    )
    return rows, columns


def chunks_of_section(comparison: compare.Comparison, side: str, section: int) -> list[Chunk]:
    """Return the chunks of one section, in reading order."""
    chunks, sections, _ = _side(comparison, side)
    return [chunks[int(number)] for number in np.flatnonzero(sections == section)]


def best_chunks(comparison: compare.Comparison, row: int, column: int) -> tuple[int, int] | None:
    """Return the highest chunk cell of a section cell; None where either section is left out."""
    rows, columns = (
        np.flatnonzero((sections == number) & kept)
        for (_, sections, kept), number in ((_side(comparison, "a"), row), (_side(comparison, "b"), column))
    )
    if not len(rows) or not len(columns):
        return None
    best = int(comparison.chunks.across[np.ix_(rows, columns)].argmax())
    return int(rows[best // len(columns)]), int(columns[best % len(columns)])


def _side(comparison: compare.Comparison, side: str) -> tuple[tuple[Chunk, ...], Positions, Flags]:
    if side == "a":
        return comparison.chunks_a, comparison.section_of_a, comparison.kept_a
    return comparison.chunks_b, comparison.section_of_b, comparison.kept_b


def _kept_sections(comparison: compare.Comparison, side: str) -> Flags:
    _, sections, kept = _side(comparison, side)
    names = comparison.sections.a if side == "a" else comparison.sections.b
    return np.bincount(sections[kept], minlength=len(names)) > 0


def _without(values: compare.Matrix, rows: tuple[range, Flags], columns: tuple[range, Flags]) -> compare.Matrix:
    """Return the shown part of a grid, by the rows and columns shown and which of all are kept; NaN elsewhere."""
    (up, ours), (left, theirs) = rows, columns
    kept = ours[up.start : up.stop, None] & theirs[left.start : left.stop]
    return np.where(kept, values[up.start : up.stop, left.start : left.stop], np.nan)


def _section_axis(comparison: compare.Comparison, side: str, shown: range) -> Axis:
    chunks, sections, _ = _side(comparison, side)
    names = comparison.sections.a if side == "a" else comparison.sections.b
    first = {int(section): chunk for section, chunk in reversed(list(zip(sections, chunks, strict=True)))}
    openings = [_opening(names[number], first[number]) if number in first else names[number] for number in shown]
    return Axis(
        title(comparison, side), openings, [(number, names[number] or "Untitled") for number in shown], shown.start
    )


def _opening(name: str, chunk: Chunk) -> str:
    return f"{replace(chunk, section=name).place}: {chunk.text}"


def _chunk_axis(comparison: compare.Comparison, side: str, shown: range) -> Axis:
    chunks, sections, _ = _side(comparison, side)
    names = comparison.chunks.a if side == "a" else comparison.chunks.b
    titles = comparison.sections.a if side == "a" else comparison.sections.b
    openings = [_opening(names[number], chunks[number]) for number in shown]
    own = [titles[int(sections[number])] or "Untitled" for number in shown]
    starts = [n for n in range(1, len(own)) if sections[shown[n]] != sections[shown[n - 1]]]
    return bounded_axis(title(comparison, side), openings, own, shown.start, starts)


def bounded_axis(
    title: str, openings: Sequence[str], sections: Sequence[str], first: int = 0, starts: Sequence[int] | None = None
) -> Axis:
    """Return an axis of n chunks from the number `first`, with the names of their `sections` (n,) where they have room.

    `starts` are the places where a section begins, but for the first; by default where the name changes.
    """
    if starts is None:
        starts = [n for n in range(1, len(sections)) if sections[n] != sections[n - 1]]
    labels, taken = [], -1.0
    for start, stop in zip([0, *starts], [*starts, len(sections)], strict=True):
        middle = first + (start + stop - 1) / 2
        if middle - taken >= _LABEL_ROOM * len(sections) or taken < 0:
            labels.append((middle, sections[start]))
            taken = middle
    return Axis(title, openings, labels, first, [first + start for start in starts])


@dataclass(frozen=True, slots=True)
class AxisPart:
    """A row or a column: its name, and the stretches of text that it covers; None where each cell has its own.

    `owner` is the document it belongs to, where the rows or columns are of several.
    """

    name: str
    stretches: Sequence[Chunk] | None
    owner: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class CellWords:
    """The numbers of the cells in words: each wording once, and its place among them for each of the (n, m) cells."""

    told: Sequence[str]
    places: Positions

    @classmethod
    def of(cls, heat: HeatmapValues) -> CellWords:
        """Put a heatmap's numbers into words; most of its cells share theirs with others."""
        numbers, places = np.unique(heat.values, return_inverse=True)
        words = cls.each([heat.said(number) for number in numbers.tolist()])
        return cls(words.told, words.places[places].reshape(heat.values.shape))

    @classmethod
    def each(cls, words: Sequence[str]) -> CellWords:
        """Take the words of cells (n,)."""
        told: dict[str, int] = {}
        places = np.asarray([told.setdefault(one, len(told)) for one in words], np.int64)
        return cls(list(told), places)


@dataclass(frozen=True, slots=True, eq=False)
class HeatmapCells:
    """What the shown n rows and m columns of a heatmap open.

    `carriers` are the sentences that carry each of the (n, m) cells, `matches` (n, m) the place of the match that holds
    these among the matches of its two texts, -1 for none, and `words` each cell's number in words.
    """

    a: Sequence[AxisPart]
    b: Sequence[AxisPart]
    carriers: compare.Carriers
    matches: Positions
    words: CellWords
    first: tuple[int, int] = (0, 0)

    def said(self, cell: tuple[int, int]) -> str:
        """Say a cell that is shown: its two parts and its number."""
        row, column = cell[0] - self.first[0], cell[1] - self.first[1]
        number = self.words.told[self.words.places[row, column]]
        return SAID.format(a=self.a[row].name, b=self.b[column].name, number=number)


@dataclass(frozen=True, slots=True)
class Opened:
    """The cells of the shown heatmaps by the names of these.

    `pairs` are the texts that cells open, each named by the owners of its cells' row and column, as `pair_of` does;
    where it is empty, all cells open the texts that are shown.
    """

    grids: Mapping[str, HeatmapCells]
    pairs: Sequence[ShownTexts] = ()

    def table(self) -> dict[str, Any]:
        """As the browser reads it.

        What cells are made of stands in lists, and for each cell its places in these, -1 for none, and its score in
        units of 10**-digits: all packed, for a heatmap can have 200,000 cells.
        """
        grids = {name: _grid(cells) for name, cells in self.grids.items()}
        pairs = {texts.pair: texts_message(texts) for texts in self.pairs}
        return {"said": SAID, "scoreDigits": compare.Carriers.digits, "grids": grids, "pairs": pairs}


def pair_name(row_owner: object, column_owner: object) -> str:
    """Return the name of the two texts that a cell opens, by the documents that own its row and its column."""
    return f"{row_owner}-{column_owner}"


def _grid(cells: HeatmapCells) -> dict[str, Any]:
    carriers = cells.carriers
    (ours, a), (theirs, b) = (
        _used(sentences, carriers.pairs[..., side]) for side, sentences in enumerate((carriers.a, carriers.b))
    )
    scores = np.rint(np.asarray(carriers.scores, np.float64) * 10**carriers.digits).astype(np.int64)
    numbers = {"scores": scores, "ours": ours, "theirs": theirs, "matches": cells.matches, "words": cells.words.places}
    return {
        "first": list(cells.first),
        "a": [_part(one) for one in cells.a],
        "b": [_part(one) for one in cells.b],
        "sentences": {"a": a, "b": b},
        "told": list(cells.words.told),
        **{name: packed(held) for name, held in numbers.items()},
    }


def _used(sentences: Sequence[Chunk], places: NDArray[np.integer[Any]]) -> tuple[Positions, list[list[int]]]:
    """Of each cell the place of its sentence among those that carry any, and where these stand in their text."""
    used, among = np.unique(places, return_inverse=True)
    told: dict[tuple[int, ...], int] = {}
    held = [-1 if n < 0 else told.setdefault(tuple(text_place(sentences[n])), len(told)) for n in used.tolist()]
    return np.asarray(held, np.int64)[among].reshape(places.shape), [list(one) for one in told]


def _part(part: AxisPart) -> list[Any]:
    stretches = None if part.stretches is None else [text_place(chunk) for chunk in part.stretches]
    return [part.name, stretches, part.owner]


# The cells of two documents ---------------------------------------------------------------------


def cells(comparison: compare.Comparison, level: HeatmapLevel, heat: HeatmapValues) -> HeatmapCells:
    """Return what the cells of a comparison's heatmap open."""
    (n, m), (row, column) = heat.values.shape, (heat.rows.first, heat.columns.first)
    rows, columns = range(row, row + n), range(column, column + m)
    carriers, matches = _carried(comparison, level, rows, columns)
    grid = comparison.sections if level == "section" else comparison.chunks

    def parts(side: str, names: Sequence[str], shown: range) -> list[AxisPart]:
        held = _stretches(comparison, level, side, shown)
        return [AxisPart(shortened(names[at], NAME_CHARACTERS), one) for at, one in zip(shown, held, strict=True)]

    a, b = parts("a", grid.a, rows), parts("b", grid.b, columns)
    return HeatmapCells(a, b, carriers, matches, CellWords.of(heat), (row, column))


def opened(
    comparison: compare.Comparison, level: HeatmapLevel, cell: tuple[int, int], picked: int | None = None
) -> ShownCell:
    """Return what one cell shows in the texts; `picked` is the match that the visitor pressed there, if any."""
    row, column = (range(number, number + 1) for number in cell)
    carriers, matches = _carried(comparison, level, row, column)
    a, b = _stretches(comparison, level, "a", row)[0], _stretches(comparison, level, "b", column)[0]
    match = int(matches[0, 0]) if picked is None else picked
    evidence = carriers.passage(0, 0) if picked is None else None
    return ShownCell(a, b, None if match < 0 else match, evidence, (f"{level}-heatmap", *cell))


def overlap(one: Chunk, other: Chunk) -> bool:
    """Tell whether two stretches of a document have text in common."""
    return one.part == other.part and one.start < other.stop and other.start < one.stop


def _carried(
    comparison: compare.Comparison, level: HeatmapLevel, rows: range, columns: range
) -> tuple[compare.Carriers, Positions]:
    """Return the sentences behind some cells (n, m), and the match that holds each pair, or -1."""
    carried = comparison.carried(level)
    some = slice(rows.start, rows.stop), slice(columns.start, columns.stop)
    carriers = replace(carried, pairs=carried.pairs[some], scores=carried.scores[some])
    return carriers, _matches(comparison.passages, carriers)


def _stretches(comparison: compare.Comparison, level: HeatmapLevel, side: str, places: range) -> list[list[Chunk]]:
    if level == "section":
        return [chunks_of_section(comparison, side, number) for number in places]
    return [[_side(comparison, side)[0][number]] for number in places]


def _matches(passages: Sequence[compare.Passage], carriers: compare.Carriers) -> Positions:
    """Return the place of the first match that holds both sentences of each pair (n, m), or -1."""
    found = np.full(carriers.scores.shape, -1, np.int64)
    none = np.full((1, 3), -1, np.int64)  # at the end, where the place -1 finds it
    ours, theirs = (
        np.concatenate([np.asarray([text_place(one) for one in sentences], np.int64).reshape(-1, 3), none])
        for sentences in (carriers.a, carriers.b)
    )
    for number, match in reversed(list(enumerate(passages))):
        a, b = _overlapping(match.a, ours), _overlapping(match.b, theirs)
        found[a[carriers.pairs[..., 0]] & b[carriers.pairs[..., 1]]] = number
    return found


def _overlapping(one: Chunk, places: Positions) -> Flags:
    """Tell which of the places (n, 3) have text in common with a stretch of their document."""
    part, start, stop = places.T
    shared: Flags = (part == one.part) & (one.start < stop) & (start < one.stop)
    return shared
