"""The grids of a comparison as they are drawn: numbers, colours, names, and which of their cells are links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from engine.compare import NEAR, Flags, Matrix
from engine.exports.comparison.outline import MAX_LINKED, MAX_NUMBERED, Cell, Half, Outline, number

STEPS = 8

Band = tuple[str, int, int]
"""A section's name with its first row and the row after its last."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The similarities that the lightest and the darkest colour stand for: even steps, as on the screen."""

    low: float
    high: float
    count: int = STEPS

    @classmethod
    def of(cls, values: Matrix, rows: Flags, columns: Flags) -> Scale:
        """From 0 to near, or to the highest value of a grid if that is more; parts that were left out do not count."""
        return cls(0.0, float(values[np.ix_(rows, columns)].max(initial=NEAR)))

    def steps(self, values: Matrix) -> NDArray[np.int64]:
        """The step of each value, from 0 to 7."""
        shares = (values - self.low) / (self.high - self.low)
        return np.clip((shares * STEPS).astype(np.int64), 0, STEPS - 1)


@dataclass(frozen=True, slots=True)
class Heat:
    """Similarities of the parts of A (n_a) to those of B (n_b).

    `unit` begins the ids of the pairs: "s" for sections, "c" for chunks. `names`, `kept` and `bands` each hold A's
    and then B's. A `linked` cell opens its two parts; a `marked` cell holds a passage of the list. `corner` names the
    axes, `darkest` what the darkest colour stands for, where that does not follow from the grid.
    """

    unit: str
    label: str
    values: Matrix
    names: tuple[tuple[str, ...], tuple[str, ...]]
    kept: tuple[Flags, Flags]
    bands: tuple[list[Band], list[Band]]
    linked: frozenset[Cell]
    marked: frozenset[Cell]
    corner: str = "A ↓ B →"
    darkest: float | None = None

    @property
    def is_empty(self) -> bool:
        """Whether one of the documents has no part."""
        return self.values.size == 0

    @property
    def longer(self) -> int:
        """The parts of the document that has more of them."""
        return max(len(names) for names in self.names)

    @property
    def is_numbered(self) -> bool:
        """Whether each cell has room for its number."""
        return self.longer <= MAX_NUMBERED

    @property
    def scale(self) -> Scale:
        """What its colours mean; one that is given goes before what the grid holds."""
        if self.darkest is not None:
            return Scale(0.0, self.darkest)
        return Scale.of(self.values, *self.kept)

    @property
    def how_to_read(self) -> str:
        """Its size, and what can be chosen."""
        rows, columns = self.values.shape
        size = f"{rows} of A (rows) against {columns} of B (columns)."
        if self.is_numbered:
            return f"{size} Choose a number to read the two side by side."
        if self.longer <= MAX_LINKED:
            return f"{size} The squares have no room for numbers: choose one to see its number and read the two."
        return (
            f"{size} With more than {MAX_LINKED} on a side the squares carry no numbers, and only the framed ones, "
            "which hold a passage of the list below, can be chosen."
        )

    @property
    def note(self) -> str:
        """What its frames and its empty cells mean."""
        notes = ["Framed: one of the aligned passages is here."] if self.marked else []
        if not all(flags.all() for flags in self.kept):
            notes.append("Without a colour: left out of the comparison.")
        return " ".join(notes)

    @property
    def steps(self) -> list[list[int]]:
        """The colour of each cell."""
        found: list[list[int]] = self.scale.steps(self.values).tolist()
        return found

    def is_kept(self, cell: Cell) -> bool:
        """Whether neither part of a cell was left out."""
        return bool(self.kept[0][cell[0]] and self.kept[1][cell[1]])

    def place(self, cell: Cell) -> str:
        """The id of the pair that a cell opens; the cell's own has "at-" before it."""
        return f"{self.unit}-{cell[0]}-{cell[1]}"

    def said(self, cell: Cell) -> str:
        """The cell in words."""
        return f"{number(self.values[cell])}: {self.of(0, cell[0])} with {self.of(1, cell[1])}"

    def of(self, axis: int, place: int) -> str:
        """A part with its document, where the axis holds one document: "Method (A)"."""
        letter = {"A ↓ B →": "AB", "B ↓ A →": "BA"}.get(self.corner)
        return f"{self.names[axis][place]} ({letter[axis]})" if letter else self.names[axis][place]


def section_heat(outline: Outline) -> Heat:
    """How near each section of A is to each of B."""
    grid, (a, b) = outline.comparison.sections, outline.halves
    return Heat(
        "s",
        "Sections of A against sections of B",
        grid.across,
        (grid.a, grid.b),
        (a.kept_sections, b.kept_sections),
        (_bands(range(len(grid.a)), grid.a), _bands(range(len(grid.b)), grid.b)),
        frozenset(outline.section_cells),
        outline.marked_sections,
    )


def chunk_heat(outline: Outline) -> Heat:
    """How near each chunk of A is to each of B."""
    grid, (a, b) = outline.comparison.chunks, outline.halves
    return Heat(
        "c",
        "Chunks of A against chunks of B",
        grid.across,
        (grid.a, grid.b),
        (a.kept, b.kept),
        (_bands(a.section_of.tolist(), a.sections), _bands(b.section_of.tolist(), b.sections)),
        frozenset(outline.chunk_cells),
        outline.marked_cells,
    )


def heats_within(outline: Outline) -> list[tuple[Half, Heat]]:
    """How near the sections of one document are to each other, for each document that has a few, but not too many."""
    grid, found = outline.comparison.sections, []
    for half, values in zip(outline.halves, (grid.within_a, grid.within_b), strict=True):
        if 1 < len(half.sections) <= MAX_NUMBERED:
            label = f"The sections of {half.letter} against each other"
            names, kept = (half.sections, half.sections), (half.kept_sections, half.kept_sections)
            found.append((half, Heat("", label, values, names, kept, ([], []), frozenset(), frozenset())))
    return found


def attention_heats(outline: Outline) -> list[Heat]:
    """How much the chunks of each document attend to those of the other; once for a document against itself."""
    comparison, (a, b) = outline.comparison, outline.halves
    both = [(a, b, comparison.attention), (b, a, comparison.attention_back)]
    found = []
    for ours, theirs, values in both[:1] if comparison.is_within else both:
        label = f"Attention of the chunks of {ours.letter} to those of {theirs.letter}"
        if comparison.is_within:
            label = "Attention of the chunks to each other"
        bands = tuple(_bands(half.section_of.tolist(), half.sections) for half in (ours, theirs))
        heat = Heat(
            "",
            label,
            values,
            (ours.names, theirs.names),
            (ours.kept, theirs.kept),
            (bands[0], bands[1]),
            frozenset(),
            frozenset(),
            f"{ours.letter} ↓ {theirs.letter} →",
            float(values.max(initial=0.0)) or 1.0,
        )
        found.append(heat)
    return found


def _bands(section_of: Iterable[int], names: Sequence[str]) -> list[Band]:
    """Neighbouring rows of one section as one band."""
    found: list[Band] = []
    for section, rows in groupby(section_of):
        start = found[-1][2] if found else 0
        found.append((names[section], start, start + len(list(rows))))
    return found
