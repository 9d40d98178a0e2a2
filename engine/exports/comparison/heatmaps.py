"""The grids of a comparison as they are drawn: numbers, colours, names, and which of their cells are links.

An outline says which parts of a comparison are drawn, and by which names they are linked; a grid too large for numbers
becomes a picture of squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from engine.compare import Carriers, Comparison, Grid, Matrix, darkest
from engine.core.rows import Flags, Positions
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

HeatCell = tuple[int, int]
Band = tuple[str, int, int]
"""A section's name with its first row and the row after its last."""


@dataclass(frozen=True, slots=True)
class Half:
    """One of the two documents: its letter, which parts were compared, and the names of its places in the file."""

    letter: str
    document: Document
    sections: tuple[str, ...]
    chunks: tuple[Chunk, ...]
    names: tuple[str, ...]
    section_of: Positions
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

    @property
    def chunk_bands(self) -> list[Band]:
        """The section of each chunk."""
        return _bands(self.section_of.tolist(), self.sections)

    def chunks_of(self, passage: Chunk) -> list[int]:
        """Return the chunks that a passage lies in; it may run over the end of one."""
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
        """Return the id of the pair of chunks that a passage of the list begins in; empty if no chunk holds it."""
        rows, columns = self.passage_cells[passage]
        return f"c-{rows[0]}-{columns[0]}" if rows and columns else ""

    @cached_property
    def marked_cells(self) -> frozenset[HeatCell]:
        """The cells of the chunk grid that hold a passage of the list."""
        return frozenset((rows[0], columns[0]) for rows, columns in self.passage_cells if rows and columns)

    @cached_property
    def marked_sections(self) -> frozenset[HeatCell]:
        """The cells of the section grid that hold a passage of the list."""
        a, b = (half.section_of for half in self.halves)
        return frozenset((int(a[row]), int(b[column])) for row, column in self.marked_cells)

    @cached_property
    def chunk_cells(self) -> list[HeatCell]:
        """The cells of the chunk grid that open their two chunks."""
        if max(self.comparison.chunks.across.shape) > MAX_LINKED:
            return sorted(self.marked_cells)
        return list(_kept_cells(*(half.kept for half in self.halves)))

    @cached_property
    def section_cells(self) -> list[HeatCell]:
        """The cells of the section grid that open their two sections."""
        if max(self.comparison.sections.across.shape) > MAX_LINKED:
            return sorted(self.marked_sections)
        return list(_kept_cells(*(half.kept_sections for half in self.halves)))

    @cached_property
    def section_carriers(self) -> Carriers:
        """Which pair of sentences carries each cell of the section grid."""
        return self.comparison.carried("section")

    def carried(self, cell: HeatCell) -> HeatCell | None:
        """Return the numbers of the two sentences that carry a cell of the chunk grid; None if no pair matches."""
        ours, theirs = self.comparison.carriers.pairs[cell].tolist()
        return (ours, theirs) if ours >= 0 else None

    @cached_property
    def framed(self) -> tuple[set[int], set[int]]:
        """The sentences of A and of B that carry a cell which can be chosen."""
        pairs = [pair for pair in map(self.carried, self.chunk_cells) if pair]
        return {ours for ours, _ in pairs}, {theirs for _, theirs in pairs}


def number(value: float) -> str:
    """Return a similarity as the report shows it: two decimals, and no minus before a zero."""
    return f"{value:z.2f}"


def _kept_cells(rows: Flags, columns: Flags) -> Iterator[HeatCell]:
    return ((int(row), int(column)) for row in np.flatnonzero(rows) for column in np.flatnonzero(columns))


STEPS = 8


@dataclass(frozen=True, slots=True)
class ColourScale:
    """The similarities that the lightest and the darkest colour stand for: even steps, as on the screen."""

    low: float
    high: float
    count: int = STEPS

    @classmethod
    def of(cls, values: Matrix, rows: Flags, columns: Flags) -> ColourScale:
        """Return the scale from 0 to near, or to a grid's highest value if more, without parts that were left out."""
        return cls(0.0, darkest(values[np.ix_(rows, columns)]))

    def steps(self, values: Matrix) -> NDArray[np.int64]:
        """Return the step of each value, from 0 to 7."""
        shares = (values - self.low) / (self.high - self.low)
        return np.clip((shares * STEPS).astype(np.int64), 0, STEPS - 1)


@dataclass(frozen=True, slots=True)
class HeatGrid:
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
    linked: frozenset[HeatCell] = frozenset()
    marked: frozenset[HeatCell] = frozenset()
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
    def scale(self) -> ColourScale:
        """What its colours mean; one that is given goes before what the grid holds."""
        if self.darkest is not None:
            return ColourScale(0.0, self.darkest)
        return ColourScale.of(self.values, *self.kept)

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

    def is_kept(self, cell: HeatCell) -> bool:
        """Return whether neither part of a cell was left out."""
        return bool(self.kept[0][cell[0]] and self.kept[1][cell[1]])

    def place(self, cell: HeatCell) -> str:
        """Return the id of the pair that a cell opens; the cell's own has "at-" before it."""
        return f"{self.unit}-{cell[0]}-{cell[1]}"

    def said(self, cell: HeatCell) -> str:
        """Return the cell in words."""
        return f"{number(self.values[cell])}: {self.of(0, cell[0])} with {self.of(1, cell[1])}"

    def of(self, axis: int, place: int) -> str:
        """Return a part with its document, where the axis holds one document: "Method (A)"."""
        letter = {"A ↓ B →": "AB", "B ↓ A →": "BA"}.get(self.corner)
        return f"{self.names[axis][place]} ({letter[axis]})" if letter else self.names[axis][place]


def section_heat(outline: Outline) -> HeatGrid:
    """Return how near each section of A is to each of B."""
    a, b = outline.halves
    bands = _bands(range(len(a.sections)), a.sections), _bands(range(len(b.sections)), b.sections)
    kept, linked = (a.kept_sections, b.kept_sections), frozenset(outline.section_cells)
    return _heat("section", outline.comparison.sections, kept, bands, linked, outline.marked_sections)


def chunk_heat(outline: Outline) -> HeatGrid:
    """Return how near each chunk of A is to each of B."""
    a, b = outline.halves
    kept, linked = (a.kept, b.kept), frozenset(outline.chunk_cells)
    return _heat("chunk", outline.comparison.chunks, kept, (a.chunk_bands, b.chunk_bands), linked, outline.marked_cells)


def _heat(
    level: str,
    grid: Grid,
    kept: tuple[Flags, Flags],
    bands: tuple[list[Band], list[Band]],
    linked: frozenset[HeatCell],
    marked: frozenset[HeatCell],
) -> HeatGrid:
    label = f"{level.capitalize()}s of A against {level}s of B"
    return HeatGrid(level[0], label, grid.across, (grid.a, grid.b), kept, bands, linked, marked)


def heats_within(outline: Outline) -> list[tuple[Half, HeatGrid]]:
    """Return how near the sections of one document are to each other; of documents with a few, but not too many."""
    grid, found = outline.comparison.sections, []
    for half, values in zip(outline.halves, (grid.within_a, grid.within_b), strict=True):
        if 1 < len(half.sections) <= MAX_NUMBERED:
            label = f"The sections of {half.letter} against each other"
            names, kept = (half.sections, half.sections), (half.kept_sections, half.kept_sections)
            found.append((half, HeatGrid("", label, values, names, kept, ([], []))))
    return found


def attention_heats(outline: Outline) -> list[HeatGrid]:
    """Return how much the chunks of each document attend to those of the other; once for a document against itself."""
    comparison, (a, b) = outline.comparison, outline.halves
    both = [(a, b, comparison.attention), (b, a, comparison.attention_back)]
    found = []
    for ours, theirs, values in both[:1] if comparison.is_within else both:
        label = f"Attention of the chunks of {ours.letter} to those of {theirs.letter}"
        if comparison.is_within:
            label = "Attention of the chunks to each other"
        heat = HeatGrid(
            "",
            label,
            values,
            (ours.names, theirs.names),
            (ours.kept, theirs.kept),
            (ours.chunk_bands, theirs.chunk_bands),
            corner=f"{ours.letter} ↓ {theirs.letter} →",
            darkest=float(values.max(initial=0.0)) or 1.0,
        )
        found.append(heat)
    return found


def _bands(section_of: Iterable[int], names: Sequence[str]) -> list[Band]:
    """Return neighbouring rows of one section as one band."""
    found: list[Band] = []
    for section, rows in groupby(section_of):
        start = found[-1][2] if found else 0
        found.append((names[section], start, start + len(list(rows))))
    return found


_LETTERS, _LETTER, _CAPITAL, _CORNER, _ROOM = 28, 6.2, 8.2, 50, 720
_SMALLEST, _LARGEST, _LINE, _APART, _TARGET = 10, 26, 12, 12, 7


class HeatPicture:
    """The grid, A downwards and B to the right, with the names of its sections and the lines between them.

    A cell is `size` pixels high and wide; `square` is the size of a linked one in cells. `names_down` and
    `names_across` are names with their middles in pixels.
    """

    def __init__(self, heat: HeatGrid) -> None:
        """Find room for it."""
        self._heat, longer = heat, heat.longer
        self.rows, self.columns = heat.values.shape
        self.size = _ROOM / longer if longer > MAX_LINKED else min(max(_ROOM // longer, _SMALLEST), _LARGEST)
        self.square = max(1.0, _TARGET / self.size)  # larger than its place if that is too small for a pointer
        self.names_down, self.names_across = (_readable(bands, self.size) for bands in heat.bands)
        self.left, self.top = _margin(self.names_down), _margin(self.names_across)
        self.width = round(self.left + self.columns * self.size + _LINE)
        self.height = round(self.top + self.rows * self.size + 2)

    def corner(self, cell: HeatCell) -> tuple[str, str]:
        """Return a linked square's left and upper edge, in cells."""
        row, column = (f"{place + (1 - self.square) / 2:.4g}" for place in cell)
        return column, row

    def frame(self, cell: HeatCell) -> str:
        """Return a path around a linked square."""
        return f"M{' '.join(self.corner(cell))}h{self.square:.4g}v{self.square:.4g}h-{self.square:.4g}z"

    @property
    def shapes(self) -> list[tuple[int, str]]:
        """All squares of one colour as one path, which keeps a long comparison small; none if each is a link."""
        heat = self._heat
        if heat.longer <= MAX_LINKED and heat.linked:
            return []
        steps = np.where(np.outer(*heat.kept), heat.scale.steps(heat.values), -1)
        factor = -(-heat.longer // MAX_DRAWN)
        paths: list[list[str]] = [[] for _ in range(STEPS)]
        for row, line in enumerate(_merged(steps, factor)):
            edges = [0, *(np.flatnonzero(np.diff(line)) + 1).tolist(), len(line)]
            for start, stop in pairwise(edges):
                if line[start] >= 0:
                    width = (stop - start) * factor
                    paths[line[start]].append(f"M{start * factor} {row * factor}h{width}v{factor}h-{width}z")
        return [(step, "".join(path)) for step, path in enumerate(paths) if path]

    @property
    def lines(self) -> str:
        """Where one section ends and the next begins; none if sections are so short that lines would hide them."""
        bands = self._heat.bands
        down, across = (one[1:] if self.size * one[-1][2] >= _APART * len(one) else [] for one in bands)
        horizontal = "".join(f"M0 {start}h{self.columns}" for _, start, _ in down)
        return horizontal + "".join(f"M{start} 0v{self.rows}" for _, start, _ in across)


def _merged(steps: NDArray[np.int64], factor: int) -> NDArray[np.int64]:
    """Return the highest of each block of `factor` by `factor` cells."""
    rows, columns = (np.arange(0, count, factor) for count in steps.shape)
    merged: NDArray[np.int64] = np.maximum.reduceat(np.maximum.reduceat(steps, rows, axis=0), columns, axis=1)
    return merged


def _margin(names: list[tuple[str, float]]) -> int:
    """Return the pixels for the longest name: capitals are wider."""
    widths = [sum(_CAPITAL if letter.isupper() else _LETTER for letter in name) for name, _ in names]
    return round(max([_CORNER, *widths]) + 12)


def _readable(bands: list[Band], size: float) -> list[tuple[str, float]]:
    """Return the names that have room, cut to their room, each with the middle of its section in pixels."""
    found, free = [], 0.0
    for name, start, stop in bands:
        middle = (start + stop) / 2 * size
        if middle >= free:
            found.append((name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1].rstrip()}…", middle))
            free = middle + _LINE
    return found
