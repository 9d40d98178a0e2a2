"""Which parts of a comparison the report draws, and the names by which it links them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.compare import Carriers, Comparison, Flags, Numbers
from engine.documents import Chunk, Document
from engine.encoders import EncoderCard
from engine.encoders.keyvec import Salience

MAX_NUMBERED = 24
"""A grid with more parts than this on a side is drawn as squares, without a number in each."""
MAX_LINKED = 80
"""A grid with more parts than this on a side links only the squares that hold a passage."""
MAX_DRAWN = 200
"""A picture with more than this on a side shows several parts as one square, in the colour of the most alike."""
MAX_PASSAGES = 200
MAX_ELEMENTS = 300
MAX_LISTED = 60
"""Passages of one kind that are listed of differences, the longest."""

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Half:
    """One of the two documents: its letter, which parts were compared, and the names of its places in the file."""

    letter: str
    document: Document
    sections: tuple[str, ...]
    chunks: tuple[Chunk, ...]
    names: tuple[str, ...]
    section_of: Numbers
    kept: Flags
    sentences: tuple[Chunk, ...]

    @property
    def key(self) -> str:
        """The letter that this document's classes and ids begin with."""
        return self.letter.lower()

    @property
    def kept_sections(self) -> Flags:
        """Which sections hold a chunk that was not left out: (s,)."""
        kept: NDArray[np.bool_] = np.zeros(len(self.sections), dtype=np.bool_)
        kept[self.section_of[self.kept]] = True
        return kept

    def chunks_of(self, passage: Chunk) -> list[int]:
        """The chunks that a passage lies in; it may run over the end of one."""
        return [
            number
            for number, chunk in enumerate(self.chunks)
            if chunk.part == passage.part and chunk.start < passage.stop and passage.start < chunk.stop
        ]


@dataclass(frozen=True, slots=True)
class SalientTexts:
    """An encoder's salience of the sentences of A and of B; the strongest sentences are underlined."""

    a: Salience
    b: Salience
    encoder: EncoderCard


@dataclass(frozen=True)
class Outline:
    """A comparison with what follows from the bounds above, worked out once for all parts of the report."""

    comparison: Comparison
    salient: SalientTexts | None = None

    @cached_property
    def halves(self) -> tuple[Half, Half]:
        """Both documents."""
        one = self.comparison
        return (
            Half("A", one.a, one.sections.a, one.chunks_a, one.chunks.a, one.section_of_a, one.kept_a, one.carriers.a),
            Half("B", one.b, one.sections.b, one.chunks_b, one.chunks.b, one.section_of_b, one.kept_b, one.carriers.b),
        )

    @cached_property
    def passage_cells(self) -> list[tuple[list[int], list[int]]]:
        """The chunks of A and of B that each passage of the list lies in."""
        a, b = self.halves
        return [(a.chunks_of(one.a), b.chunks_of(one.b)) for one in self.comparison.passages[:MAX_PASSAGES]]

    @property
    def listed(self) -> int:
        """How many passages the list has."""
        return len(self.passage_cells)

    def passage_place(self, passage: int) -> str:
        """The id of the pair of chunks that a passage of the list begins in; empty if no chunk holds it."""
        rows, columns = self.passage_cells[passage]
        return f"c-{rows[0]}-{columns[0]}" if rows and columns else ""

    @cached_property
    def marked_cells(self) -> frozenset[Cell]:
        """The cells of the chunk grid that hold a passage of the list."""
        return frozenset((rows[0], columns[0]) for rows, columns in self.passage_cells if rows and columns)

    @cached_property
    def marked_sections(self) -> frozenset[Cell]:
        """The cells of the section grid that hold a passage of the list."""
        a, b = (half.section_of for half in self.halves)
        return frozenset((int(a[row]), int(b[column])) for row, column in self.marked_cells)

    @cached_property
    def chunk_cells(self) -> list[Cell]:
        """The cells of the chunk grid that open their two chunks."""
        if max(self.comparison.chunks.across.shape) > MAX_LINKED:
            return sorted(self.marked_cells)
        return list(_kept_cells(*(half.kept for half in self.halves)))

    @cached_property
    def section_cells(self) -> list[Cell]:
        """The cells of the section grid that open their two sections."""
        if max(self.comparison.sections.across.shape) > MAX_LINKED:
            return sorted(self.marked_sections)
        return list(_kept_cells(*(half.kept_sections for half in self.halves)))

    @cached_property
    def section_carriers(self) -> Carriers:
        """Which pair of sentences carries each cell of the section grid."""
        return self.comparison.carried("section")

    def carried(self, cell: Cell) -> Cell | None:
        """The numbers of the two sentences that carry a cell of the chunk grid; None if no pair of them matches."""
        ours, theirs = self.comparison.carriers.pairs[cell].tolist()
        return (ours, theirs) if ours >= 0 else None

    @cached_property
    def framed(self) -> tuple[set[int], set[int]]:
        """The sentences of A and of B that carry a cell which can be chosen."""
        pairs = [pair for pair in map(self.carried, self.chunk_cells) if pair]
        return {ours for ours, _ in pairs}, {theirs for _, theirs in pairs}


def number(value: float) -> str:
    """A similarity as the report shows it: two decimals, and no minus before a zero."""
    return f"{value:z.2f}"


def _kept_cells(rows: Flags, columns: Flags) -> Iterator[Cell]:
    return ((int(row), int(column)) for row in np.flatnonzero(rows) for column in np.flatnonzero(columns))
