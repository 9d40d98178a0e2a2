"""The numbers of a comparison as heatmaps: which rows and columns are shown, how they start, what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.documents import Chunk
from explorer.shared.heatmap import Axis, Heat
from explorer.state.pair import Matrix

if TYPE_CHECKING:
    from engine.compare import Comparison, Flags, Numbers
    from engine.compare import Matrix as Numbered

MOST_SHOWN = 80
"""The most sections or chunks of a document shown at once; of more, those around the chosen cell."""

TITLES = {"a": "first document", "b": "second document"}
_ALONE = "this document"
_LABEL_ROOM = 0.045  # of an axis, which a label takes


def section_heat(comparison: Comparison, chosen: tuple[int, int] | None = None) -> Heat:
    """The section grid, or the stretch of it around a cell; only chunks have attention: sections show similarity."""
    values = comparison.sections.across
    up, left = _windows(values, chosen)
    shown = _without(values, (up, _kept_sections(comparison, "a")), (left, _kept_sections(comparison, "b")))
    return Heat("section", shown, _section_axis(comparison, "a", up), _section_axis(comparison, "b", left))


def chunk_heat(comparison: Comparison, matrix: Matrix, chosen: tuple[int, int] | None) -> Heat:
    """The chunk grid, or the stretch of it around a cell: how near chunks are, or how much they attend to each other.

    "attention_back" shows how much the columns attend to the rows.
    """
    values = shown_chunks(comparison, matrix)
    up, left = _windows(values, chosen)
    what = "attention" if matrix in ("attention", "attention_back") else "similarity"
    shown = _without(values, (up, _kept(comparison, "a")), (left, _kept(comparison, "b")))
    return Heat("chunk", shown, _chunk_axis(comparison, "a", up), _chunk_axis(comparison, "b", left), what)


def shown_chunks(comparison: Comparison, matrix: Matrix) -> Numbered:
    """The numbers (c_a, c_b) that the chunk grid shows."""
    if matrix == "attention":
        return comparison.attention
    return comparison.attention_back.T if matrix == "attention_back" else comparison.chunks.across


def title(comparison: Comparison, side: str) -> str:
    """What an axis is called: one of two documents, or the only one."""
    return _ALONE if comparison.is_within else TITLES[side]


def _windows(values: Numbered, chosen: tuple[int, int] | None) -> tuple[range, range]:
    """The rows and the columns that are shown of a grid."""
    row, column = chosen or (0, 0)
    return window(values.shape[0], row), window(values.shape[1], column)


def window(count: int, chosen: int) -> range:
    """The parts that are shown: all, or those around the chosen one; the view moves in steps, not with each part."""
    if count <= MOST_SHOWN:
        return range(count)
    step = MOST_SHOWN // 2
    first = min(max(0, (chosen // step) * step - step // 2), count - MOST_SHOWN)
    return range(first, first + MOST_SHOWN)


def around(shape: tuple[int, ...], chosen: tuple[int, int], before: tuple[int, int]) -> tuple[int, int]:
    """The cell around which a grid is shown: the one `before` as far as the chosen one is in its stretch.

    So the cells stay where they are under the hand that chooses one of them.
    """
    rows, columns = (
        old if new in window(count, old) else new for count, new, old in zip(shape, chosen, before, strict=True)
    )
    return rows, columns


def chunks_of_section(comparison: Comparison, side: str, section: int) -> list[Chunk]:
    """The chunks of one section, in reading order."""
    chunks, sections, _ = _side(comparison, side)
    return [chunks[int(number)] for number in np.flatnonzero(sections == section)]


def best_chunks(comparison: Comparison, row: int, column: int) -> tuple[int, int] | None:
    """The chunk cell of a section cell that is highest; None where either section is left out."""
    rows, columns = (
        np.flatnonzero((sections == number) & kept)
        for (_, sections, kept), number in ((_side(comparison, "a"), row), (_side(comparison, "b"), column))
    )
    if not len(rows) or not len(columns):
        return None
    best = int(comparison.chunks.across[np.ix_(rows, columns)].argmax())
    return int(rows[best // len(columns)]), int(columns[best % len(columns)])


def _side(comparison: Comparison, side: str) -> tuple[tuple[Chunk, ...], Numbers, Flags]:
    if side == "a":
        return comparison.chunks_a, comparison.section_of_a, comparison.kept_a
    return comparison.chunks_b, comparison.section_of_b, comparison.kept_b


def _kept(comparison: Comparison, side: str) -> Flags:
    return _side(comparison, side)[2]


def _kept_sections(comparison: Comparison, side: str) -> Flags:
    _, sections, kept = _side(comparison, side)
    names = comparison.sections.a if side == "a" else comparison.sections.b
    return np.bincount(sections[kept], minlength=len(names)) > 0


def _without(values: Numbered, rows: tuple[range, Flags], columns: tuple[range, Flags]) -> Numbered:
    """What is shown of a grid, by the rows and columns shown and which of all are kept; the others are unknown."""
    (up, ours), (left, theirs) = rows, columns
    kept = ours[up.start : up.stop, None] & theirs[left.start : left.stop]
    return np.where(kept, values[up.start : up.stop, left.start : left.stop], np.nan)


def _section_axis(comparison: Comparison, side: str, shown: range) -> Axis:
    chunks, sections, _ = _side(comparison, side)
    names = comparison.sections.a if side == "a" else comparison.sections.b
    first = {int(section): chunk for section, chunk in reversed(list(zip(sections, chunks, strict=True)))}
    openings = [_opening(names[number], first[number]) if number in first else names[number] for number in shown]
    return Axis(
        title(comparison, side), openings, [(number, names[number] or "Untitled") for number in shown], shown.start
    )


def _opening(name: str, chunk: Chunk) -> str:
    return f"{replace(chunk, section=name).place}: {chunk.text}"


def _chunk_axis(comparison: Comparison, side: str, shown: range) -> Axis:
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
    """An axis of n chunks from the number `first`, with the names of their `sections` (n,) where they have room.

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
