"""Three documents on one page: one question and two candidates at CoLDE's three levels, on one scale of colours."""

from __future__ import annotations

import dataclasses

import numpy as np
import streamlit as st

from engine import compare
from engine.core.rows import Flags
from engine.documents import Chunk
from engine.documents.markup import Markup, element
from explorer.compare import cells
from explorer.compare.side_by_side import ShownCell, ShownTexts, keep_texts, side_by_side
from explorer.shared.heatmap import Axis, HeatmapValues, Walk, heatmap
from explorer.shared.markup import shortened, show
from explorer.state import session
from explorer.state.visit import LEVELS, CellPlace, HeatmapLevel

MOST_TOLD = 250_000
"""Cells of a heatmap of three documents that the browser opens by itself; of more, the server opens the chosen one.

They come to some 4 MB, with the numbers and colours of the heatmap; three books would come to 100 MB.
"""

LETTERS = compare.Together.letters
_TITLE = "all three"
_MANY = (
    "With {cells:,} cells, this heatmap is too large to send with all its passages: a cell opens after a moment, once "
    "the server has looked it up. Up to {most:,} cells open at once."
)


def three_panel(found: compare.Together) -> Markup:
    """Return the three documents, and how near every two are."""
    named = [
        element("p", element("b", letter), f" {one.name}") for letter, one in zip(LETTERS, found.documents, strict=True)
    ]
    near = [
        element(
            "p",
            f"{ours} and {theirs}: ",
            element("strong", one.nearness.with_p),
            f", {one.read_part(ours, theirs)}",
            class_="ps-quiet",
        )
        for ours, theirs, one in found.pairs
    ]
    title = element("h2", "Three documents on one scale", class_="ps-title")
    told = element("p", element("strong", found.nearer))
    return element("div", title, told, *named, *near, class_="ps-three", role="status")


def three_view(found: compare.Together) -> None:
    """Heatmaps of all three on the left, on the right the two texts of the chosen cell."""
    _desk(found)
    keep_texts(found.documents, key="texts-ahead")


@st.fragment
def _desk(found: compare.Together) -> None:
    """Heatmaps and texts, which a chosen cell draws again alone."""
    heats = {level: _heat(found, level) for level in LEVELS}
    pairs = [_two(found, (a, b), None) for a in range(len(LETTERS)) for b in range(len(LETTERS))]
    told = {level: heat for level, heat in heats.items() if heat.values.size <= MOST_TOLD}
    opened = cells.Opened({heat.target: _cells(found, level, heat) for level, heat in told.items()}, pairs)
    left, right = st.columns([1, 1.8], gap="medium")
    with left:
        for level, heat in heats.items():
            _level(found, level, heat)
    with right, st.container(key="compare-texts"):
        texts = dataclasses.replace(_texts(found), cells=opened.table())
        side_by_side(texts, key="texts", on_pick=lambda _: None)
    session.write_link()


def _level(found: compare.Together, level: HeatmapLevel, heat: HeatmapValues) -> None:
    """Draw one heatmap with the chosen cell in words under it."""
    grid, chosen = _grid(found, level), _chosen(found, level)
    show(cells.heatmap_head(heat, "Down and across: A, B and C"))
    heatmap(
        heat,
        Walk(len(grid.names), len(grid.names), chosen, _best(grid)),
        said=cells.HINT if chosen is None else _said(grid, heat, chosen),
        on_choose=lambda row, column: session.change("pair", cell=CellPlace(level, row, column)),
    )
    if heat.values.size > MOST_TOLD:
        show(element("p", _MANY.format(cells=heat.values.size, most=MOST_TOLD), class_="ps-quiet"))


def _said(grid: compare.LevelGrid, heat: HeatmapValues, cell: tuple[int, int]) -> str:
    ours, theirs = (shortened(grid.names[place], cells.NAME_CHARACTERS) for place in cell)
    return cells.SAID.format(a=ours, b=theirs, number=heat.said(heat.values[cell]))


def _cells(found: compare.Together, level: HeatmapLevel, heat: HeatmapValues) -> cells.HeatmapCells:
    """Return what the cells of a level open: the sentences that carry each, whether they are a match or not."""
    grid = _grid(found, level)
    parts = [
        cells.AxisPart(shortened(name, cells.NAME_CHARACTERS), _stretches(found, level, number), str(owner))
        for number, (name, owner) in enumerate(zip(grid.names, grid.owners, strict=True))
    ]
    carriers = found.carried(level)
    return cells.HeatmapCells(parts, parts, carriers, np.full(carriers.scores.shape, -1), cells.CellWords.of(heat))


def _stretches(found: compare.Together, level: HeatmapLevel, number: int) -> list[Chunk]:
    return found.chunks_of(number) if level == "section" else [found.chunk(number)]


def _texts(found: compare.Together) -> ShownTexts:
    """Return the two documents of the chosen cell, or the first two."""
    cell = session.current().pair.cell
    chosen = None if cell is None else _chosen(found, cell.level)
    if cell is None or chosen is None:
        return _two(found, (0, 1), None)
    grid = _grid(found, cell.level)
    ours, theirs = (_stretches(found, cell.level, number) for number in chosen)
    shown = ShownCell(
        ours, theirs, None, found.carried(cell.level).passage(*chosen), (f"{cell.level}-heatmap", *chosen)
    )
    return _two(found, (grid.owners[chosen[0]], grid.owners[chosen[1]]), shown)


def _two(found: compare.Together, owners: tuple[int, int], cell: ShownCell | None) -> ShownTexts:
    a, b = (found.documents[owner] for owner in owners)
    labels = {side: f"Document {LETTERS[owner]}" for side, owner in zip("ab", owners, strict=True)}
    passages = found.compared[owners].passages if owners in found.compared else ()
    if owners[0] == owners[1]:
        passages = found.alone[owners[0]].passages
    elif owners[::-1] in found.compared:
        passages = tuple(one.transposed() for one in found.compared[owners[::-1]].passages)
    return ShownTexts(a, b, labels, passages, cell, pair=cells.pair_name(*owners))


def _heat(found: compare.Together, level: HeatmapLevel) -> HeatmapValues:
    grid = _grid(found, level)
    is_attention = level == "chunk" and session.current().pair.matrix.startswith("attention")
    values = found.attention if is_attention else grid.values
    kept = found.kept_sections if level == "section" else found.kept_chunks
    rows = _axis(found, level, grid)
    columns = dataclasses.replace(rows, labels=_names(found, grid))  # three lists of names have no room side by side
    return HeatmapValues(level, _without(values, kept), rows, columns, "attention" if is_attention else "similarity")


def _names(found: compare.Together, grid: compare.LevelGrid) -> list[tuple[float, str]]:
    """Return each document's letter and name in the middle of its parts."""
    places = [np.flatnonzero(np.asarray(grid.owners) == owner) for owner in range(len(LETTERS))]
    named = zip(places, LETTERS, found.documents, strict=True)
    return [(float(held.mean()), f"{letter} {one.name}") for held, letter, one in named if len(held)]


def _without(values: compare.Matrix, kept: Flags) -> compare.Matrix:
    return np.where(kept[:, None] & kept, values, np.nan)


def _axis(found: compare.Together, level: HeatmapLevel, grid: compare.LevelGrid) -> Axis:
    count = len(grid.names)
    firsts = [_stretches(found, level, place)[:1] for place in range(count)]
    openings = [f"{name}: {held[0].text}" if held else name for name, held in zip(grid.names, firsts, strict=True)]
    borders = [place for place in range(1, count) if grid.owners[place] != grid.owners[place - 1]]
    if level == "section":
        return Axis(_TITLE, openings, list(enumerate(grid.names)), borders=borders)
    alone = zip(LETTERS, found.alone, strict=True)
    names = [f"{letter} {one.sections.a[int(section)]}" for letter, one in alone for section in one.section_of_a]
    return dataclasses.replace(cells.bounded_axis(_TITLE, openings, names), borders=borders)


def _grid(found: compare.Together, level: str) -> compare.LevelGrid:
    return found.sections if level == "section" else found.chunks


def _best(grid: compare.LevelGrid) -> tuple[int, int]:
    """Return the highest cell of two documents: arrow keys start there."""
    owners = np.asarray(grid.owners)
    across = np.where(owners[:, None] == owners, -1.0, grid.values)
    best = int(across.argmax())
    return best // len(owners), best % len(owners)


def _chosen(found: compare.Together, level: HeatmapLevel) -> tuple[int, int] | None:
    cell, count = session.current().pair.cell, len(_grid(found, level).names)
    if cell is None or cell.level != level or max(cell.row, cell.column) >= count:
        return None
    return cell.row, cell.column
