"""A comparison on the page: its score, its heatmaps, and the two texts that each cell opens."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from engine.documents.markup import Markup, element
from explorer.compare import cells, differences
from explorer.compare import heat as comparison_heat
from explorer.compare.cells import Cells, Opened
from explorer.compare.side_by_side import Alone, ShownCell, Texts, claim_chart, side_by_side
from explorer.shared import notices, salience_handles
from explorer.shared.both_cite import both_cite
from explorer.shared.group_names import name_groups
from explorer.shared.heatmap import LARGE, STRIP, Heat, Walk, heatmap
from explorer.shared.markup import show
from explorer.shared.page_view import OnPage, page_view
from explorer.shared.ruler import reading_line
from explorer.shared.salient import Marked, strongest
from explorer.state import session
from explorer.state.encoder_names import short
from explorer.state.pair import LEVELS, Cell, Level

if TYPE_CHECKING:
    from engine.compare import Comparison, Grid, Versions

LABELS = {"a": "First document", "b": "Second document"}
_TWICE = {"a": "This document, down", "b": "This document, across"}
_HINT = "Click a cell, or go through them with the arrow keys, to see its passages."
_PICKED, _LARGE, _AROUND = "picked_match", "large_heatmap", "heatmaps_around"
_MIX_HELP = (
    "CoLDE reads both texts whole. Shared words: how many of the telling words of each document stand in the other, "
    "rare ones counting most. CTPE, where a patent is compared, reads a paper's title and abstract and a patent's "
    "abstract and first claim. The shares were learned on pairs of related and unrelated documents, by kind."
)


def score_panel(comparison: Comparison) -> Markup:
    """The document score, and how to read it."""
    score = element("span", f"{comparison.score:.2f}", class_="ps-number-large")
    label = element("span", "document similarity", class_="ps-quiet")
    number = element("div", score, label, class_="ps-compare-number")
    lines = [reading_line(comparison.nearness), element("p", comparison.reading.sentence)]
    if (mixed := comparison.mixed) is not None:
        lines.append(element("p", mixed.sentence(short), class_="ps-quiet", title=_MIX_HELP))
    lines.append(both_cite(comparison.shared_references))
    return element("div", number, element("div", *lines), class_="ps-compare-score", role="status")


def within_panel(comparison: Comparison) -> Markup:
    """What stands above one document against itself."""
    told = "Which of its passages come near one another." if comparison.passages else "No passage comes near another."
    heading = element("h2", "Within this document", class_="ps-title")
    return element("div", heading, element("p", told, class_="ps-quiet"), role="status")


def comparison_view(comparison: Comparison, versions: Versions | None = None) -> None:
    """Heatmaps in a strip, the texts under it, in one screen; a cell chosen in one opens in the other.

    With `versions`, what the second document changes stands in place of what nothing in the other covers.
    """
    _desk(comparison, versions)
    texts = _texts(comparison)
    if versions is not None:
        differences.versions_view(texts, versions)
    claim_chart(texts, comparison.claims, key="claims")
    if versions is None and not comparison.is_within:
        differences.differences_view(texts, comparison)


@st.fragment
def _desk(comparison: Comparison, versions: Versions | None) -> None:
    """Heatmaps and texts, which a chosen cell draws again alone."""
    cell, salient, heats = _shown_cell(comparison), _salient(comparison), _heats(comparison)
    texts = dataclasses.replace(_texts(comparison), cell=cell, salient=salient, alone=_marked(comparison, versions))
    opened = cells.Opened({heat.target: cells.cells(comparison, level, heat) for level, heat in heats.items()})
    texts = dataclasses.replace(texts, cells=opened.table())
    with st.container(key="compare-desk"):
        _heatmaps(comparison, heats, opened)
        side_by_side(texts, key="texts", on_pick=lambda number: _pick(comparison, number))
        _pages(comparison, cell, texts.labels)
    session.write_link()


def _texts(comparison: Comparison) -> Texts:
    """The two texts with their matches, without a chosen cell."""
    labels = _TWICE if comparison.is_within else LABELS
    return Texts(
        comparison.a,
        comparison.b,
        labels,
        comparison.passages,
        chains=comparison.chains,
        acknowledged=comparison.acknowledged,
    )


def _pages(comparison: Comparison, cell: ShownCell | None, labels: Mapping[str, str]) -> None:
    """The pages of the match that is chosen, or of the chosen chunks where they hold none."""
    if cell is None:
        return
    match = cell.evidence if cell.match is None else comparison.passages[cell.match]
    stretches = [match.a, match.b] if match else [*cell.a[:1], *cell.b[:1]]
    documents = (comparison.a, comparison.b)
    shown = [OnPage(labels[side], one, found) for side, one, found in zip("ab", documents, stretches, strict=False)]
    page_view(shown, key="compare")


def _marked(comparison: Comparison, versions: Versions | None) -> Alone | None:
    """What the texts mark of differences, if anything."""
    if comparison.is_within or not session.current().pair.alone:
        return None
    return differences.alone(comparison) if versions is None else differences.changed(versions)


def _salient(comparison: Comparison) -> dict[str, Marked] | None:
    """The salient sentences of both texts; None where they are not to be marked or cannot be read."""
    if not (session.current().pair.salient and salience_handles.is_there()):
        return None
    marked: dict[str, Marked] | None = None
    with notices.shown_errors():
        found = salience_handles.salience([comparison.a, comparison.b])
        marked = {side: strongest(one) for side, one in zip("ab", found, strict=True)}
    return marked


def _heats(comparison: Comparison) -> dict[Level, Heat]:
    """The numbers of both heatmaps, or of the one that was opened large."""
    large: Level | None = st.session_state.get(_LARGE)
    return {level: _heat(comparison, level) for level in LEVELS if large in (None, level)}


def _heat(comparison: Comparison, level: Level) -> Heat:
    if level == "section":
        cell = _around(comparison, level, _chosen(comparison, level) or _chosen_section(comparison))
        return comparison_heat.section_heat(comparison, cell)
    cell = _around(comparison, level, _chosen(comparison, level) or _hidden_cell(comparison))
    return comparison_heat.chunk_heat(comparison, session.current().pair.matrix, cell)


def _around(comparison: Comparison, level: Level, cell: tuple[int, int] | None) -> tuple[int, int] | None:
    """The cell around which a heatmap is shown, if any is chosen: the former one while that shows the chosen one."""
    held = st.session_state.setdefault(_AROUND, {})
    pair = comparison.a.id, comparison.b.id
    of, before = held.pop(level, (None, None))
    if cell is not None and of == pair:
        cell = comparison_heat.around(_grid(comparison, level).across.shape, cell, before)
    if cell is not None:
        held[level] = (pair, cell)
    return cell


def _heatmaps(comparison: Comparison, heats: Mapping[Level, Heat], opened: Opened) -> None:
    """Both beside each other, or the one that was opened large."""
    for column, (level, heat) in zip(st.columns(len(heats), gap="medium"), heats.items(), strict=True):
        with column:
            _level_head(level, heat, is_large=len(heats) == 1)
            _heatmap(comparison, heat, level, opened.grids[heat.target], height=LARGE if len(heats) == 1 else STRIP)
    name_groups("heatmaps", {f"head-{level}": f"Heatmap of {level}s" for level in heats})


def _level_head(level: Level, heat: Heat, *, is_large: bool) -> None:
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key=f"head-{level}"
    ):
        _heading(level, heat)
        st.button(
            "Show both" if is_large else "Open large",
            icon=":material/close_fullscreen:" if is_large else ":material/open_in_full:",
            key=f"large-{level}",
            type="tertiary",
            help=f"The heatmap of {level}s over the whole width, with longer names",
            on_click=_open_large,
            args=(None if is_large else level,),
        )


def _open_large(level: Level | None) -> None:
    st.session_state[_LARGE] = level


def _heading(level: Level, heat: Heat) -> None:
    """What the heatmap shows, and which document is on which axis."""
    name = f"{level.capitalize()}s" + (", by attention" if heat.what == "attention" else "")
    ours, theirs = heat.rows.title, heat.columns.title
    axes = f"Down and across: {ours}" if ours == theirs else f"Down: {ours} · across: {theirs}"
    show(
        element(
            "div", element("h2", name, class_="ps-title"), element("p", axes, class_="ps-quiet"), class_="ps-heat-head"
        )
    )


def _heatmap(comparison: Comparison, heat: Heat, level: Level, opened: Cells, *, height: int) -> None:
    """One heatmap, the chosen cell in words, and which stretch is shown."""
    chosen = _chosen(comparison, level)
    heatmap(
        heat,
        _walk(comparison, level, heat, chosen),
        said=_HINT if chosen is None else opened.said(chosen),
        on_choose=lambda row, column: _choose(Cell(level, row, column)),
        height=height,
    )
    _partly(comparison, heat, level)


def _walk(comparison: Comparison, level: Level, heat: Heat, chosen: tuple[int, int] | None) -> Walk:
    """Arrow keys start at the highest cell that is shown: the browser opens it without asking the server."""
    rows, columns = _grid(comparison, level).across.shape
    shown = np.nan_to_num(heat.values, nan=-np.inf)
    row, column = np.unravel_index(int(shown.argmax()), shown.shape) if shown.size else (0, 0)
    return Walk(rows, columns, chosen, (heat.rows.first + int(row), heat.columns.first + int(column)))


def _partly(comparison: Comparison, heat: Heat, level: Level) -> None:
    """Say which stretch is shown, if not all."""
    grid = _grid(comparison, level)
    pieces = []
    for axis, shown, count, name in zip(
        (heat.rows, heat.columns), heat.values.shape, grid.across.shape, ("first", "second"), strict=True
    ):
        if shown < count:
            whose = ("down" if name == "first" else "across") if comparison.is_within else f"of the {name}"
            pieces.append(f"{level}s {axis.first + 1:,} to {axis.first + shown:,} of {count:,} {whose}")
    if pieces:
        how = "Choose a cell of the sections" if level == "chunk" else "Go on with the arrow keys"
        text = f"Shown: {' and '.join(pieces)}. {how} to see others."
        show(element("p", text, class_="ps-quiet"))


def _shown_cell(comparison: Comparison) -> ShownCell | None:
    """The chosen cell's stretches of both texts, and the match behind it."""
    cell = session.current().pair.cell
    if cell is None or (place := _chosen(comparison, cell.level)) is None:
        return None
    picked, picked_cell = st.session_state.get(_PICKED, (None, None))
    is_picked = picked_cell == cell and picked is not None and picked < len(comparison.passages)
    return cells.opened(comparison, cell.level, place, picked if is_picked else None)


def _grid(comparison: Comparison, level: Level) -> Grid:
    return comparison.sections if level == "section" else comparison.chunks


def _chosen(comparison: Comparison, level: Level) -> tuple[int, int] | None:
    """The chosen cell of this heatmap; None if it belongs to the other, or a link names a missing one."""
    cell = session.current().pair.cell
    grid = _grid(comparison, level)
    rows, columns = grid.across.shape
    if cell is None or cell.level != level or cell.row >= rows or cell.column >= columns:
        return None
    return cell.row, cell.column


def _hidden_cell(comparison: Comparison) -> tuple[int, int] | None:
    """The chunks of the chosen section cell, for the chunk heatmap to show."""
    section = _chosen(comparison, "section")
    return None if section is None else comparison_heat.best_chunks(comparison, *section)


def _chosen_section(comparison: Comparison) -> tuple[int, int] | None:
    """The sections of the chosen chunk cell, for the section heatmap to show."""
    chunks = _chosen(comparison, "chunk")
    return chunks and (int(comparison.section_of_a[chunks[0]]), int(comparison.section_of_b[chunks[1]]))


def _choose(cell: Cell) -> None:
    st.session_state.pop(_PICKED, None)
    _change(cell=cell)


def _pick(comparison: Comparison, number: int) -> None:
    """Choose the cell of a match that was pressed in the texts."""
    match = comparison.passages[number]
    rows = [n for n, chunk in enumerate(comparison.chunks_a) if cells.overlap(chunk, match.a)]
    columns = [n for n, chunk in enumerate(comparison.chunks_b) if cells.overlap(chunk, match.b)]
    if rows and columns:
        cell = Cell("chunk", rows[0], columns[0])
        st.session_state[_PICKED] = (number, cell)
        _change(cell=cell)


def _change(**changes: object) -> None:
    pair = session.current().pair
    session.update(pair=dataclasses.replace(pair, **changes))  # type: ignore[arg-type]
