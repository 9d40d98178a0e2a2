"""One grid of a comparison as it is drawn: numbers, names, and which of its cells are links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from engine.compare.base import Flags, Matrix
from engine.exports.comparison.outline import Cell, number

Band = tuple[str, int, int]
"""A section's name with its first row and the row after its last."""


@dataclass(frozen=True, slots=True)
class Heat:
    """Similarities of the parts of A (n_a) to those of B (n_b).

    `unit` begins the ids of the pairs: "s" for sections, "c" for chunks. `names`, `kept` and `bands` are those of A
    and of B. `linked` cells open their two parts, `marked` ones hold a passage of the list.
    """

    unit: Literal["s", "c"]
    label: str
    values: Matrix
    names: tuple[tuple[str, ...], tuple[str, ...]]
    kept: tuple[Flags, Flags]
    bands: tuple[list[Band], list[Band]]
    linked: frozenset[Cell]
    marked: frozenset[Cell]

    @property
    def side(self) -> int:
        """The parts of the document that has more of them."""
        return max(len(names) for names in self.names)

    def place(self, cell: Cell) -> str:
        """The id of the pair that a cell opens; the cell's own has "at-" before it."""
        return f"{self.unit}-{cell[0]}-{cell[1]}"

    def shown(self, cell: Cell) -> str:
        """The cell's number."""
        return number(float(self.values[cell]))

    def said(self, cell: Cell) -> str:
        """The cell in words."""
        return f"{self.shown(cell)}: {self.names[0][cell[0]]} (A) with {self.names[1][cell[1]]} (B)"


def bands(section_of: Iterable[int], names: Sequence[str]) -> list[Band]:
    """Neighbouring rows of one section as one band."""
    found: list[Band] = []
    for section, rows in groupby(section_of):
        start = found[-1][2] if found else 0
        found.append((names[section], start, start + len(list(rows))))
    return found
