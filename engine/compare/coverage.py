"""One document against many: which of its parts stand in others already, and which may be new.

`engine.compare.covering` computes it. A passage is covered where the probability p that a document says what it says
reaches `COVERED`; one that is not may be new. A row of several passages goes by the share of its words that are in
covered ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import SearchError
from engine.core.rows import Flags
from engine.documents import Chunk, Document
from engine.documents.text import how_many
from engine.search import cut_paragraphs, cut_passages, cut_text

if TYPE_CHECKING:
    from engine.search import Reading

RowKind = Literal["sections", "claims", "paragraphs", "passages"]
"""What the rows of a coverage are."""

RowOrder = Literal["text", "coverage"]
"""Rows as they stand in the text, or those that are covered least first."""

ColumnOrder = Literal["coverage", "year"]
"""Columns by how many words they cover, the most first, or by year, the earliest first."""

COVERED = 0.3
"""From this probability on, a passage is covered."""

MOST_OF_ROW = 0.5
"""A row is covered where at least this share of its words is."""

MOST_IN_SET = 5

_PERCENT = re.compile(r"(\d)%")


@dataclass(frozen=True, slots=True)
class Row:
    """A part of the question: its title, where it stands, and which of the question's passages are in it."""

    title: str
    chunk: Chunk
    passages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CoverageCell:
    """The best match of a row and a document: two passages, and how near they are.

    `reading` depends on the two alone; p is the probability that the document covers the passage.
    """

    query: Chunk
    document: Chunk
    reading: Reading
    p: float

    @property
    def is_covered(self) -> bool:
        """Whether the document covers the passage."""
        return self.p >= COVERED


class Member(NamedTuple):
    """A document of the set that covers most: its column, its share of the words, and what it alone covers of them."""

    column: int
    share: float
    alone: float


@dataclass(frozen=True, eq=False)
class Coverage:
    """The n rows of a question against m documents: `cells` are n rows of m.

    `words` (q,) are the words of the question's passages, and `p` (q, m) says how probably each document covers them.
    `copies` are the ids of documents that are the question itself, and were left out.
    """

    covered_from: ClassVar[float] = COVERED
    """From this probability on, a passage is covered."""

    question: Document
    kind: RowKind
    rows: tuple[Row, ...]
    columns: tuple[Document, ...]
    cells: tuple[tuple[CoverageCell, ...], ...]
    words: NDArray[np.int64]
    p: NDArray[np.float64]
    copies: tuple[str, ...] = ()

    @property
    def covered(self) -> Flags:
        """Which passages (q, m) each document covers."""
        return self.p >= COVERED

    @property
    def share(self) -> float:
        """The share of the question's words that any of the documents covers."""
        return _share(self.words, self.covered.any(axis=1))

    def row_share(self, row: int) -> float:
        """Return the share of a row's words that any of the documents covers."""
        own = list(self.rows[row].passages)
        return _share(self.words[own], self.covered[own].any(axis=1))

    def row_best(self, row: int) -> CoverageCell | None:
        """Return the cell of a row with the best match of all; None without columns."""
        return max(self.cells[row], key=lambda cell: cell.p, default=None)

    def row_p(self, row: int) -> float:
        """Return the probability of a row's best match of all; 0 without columns."""
        best = self.row_best(row)
        return 0.0 if best is None else best.p

    def is_covered(self, row: int) -> bool:
        """Tell whether most of a row's words are covered; a row that is not may be new."""
        return self.row_share(row) >= MOST_OF_ROW

    def new(self) -> list[int]:
        """Return the rows that no document covers, as they stand."""
        return [row for row in range(len(self.rows)) if not self.is_covered(row)]

    def column_share(self, column: int) -> float:
        """Return the share of the question's words that one document covers."""
        return _share(self.words, self.covered[:, column])

    def chosen(self) -> tuple[Member, ...]:
        """Return at most five documents that together cover most, the one that adds the most words first."""
        covered, found = self.covered, list[int]()
        left = np.ones(len(self.words), bool)
        while len(found) < MOST_IN_SET and len(self.columns):
            gains = (covered & left[:, None]).T @ self.words  # (m,)
            best = int(gains.argmax())
            if not gains[best]:
                break
            found.append(best)
            left &= ~covered[:, best]
        times = covered[:, found].sum(axis=1)
        return tuple(
            Member(one, self.column_share(one), _share(self.words, covered[:, one] & (times == 1))) for one in found
        )

    def chosen_share(self) -> float:
        """Return the share of the question's words that the chosen documents cover together."""
        return _share(self.words, self.covered[:, [one.column for one in self.chosen()]].any(axis=1))

    def summary(self) -> str:
        """Say how much is covered, and how many rows may be new, in a sentence or two."""
        new, rows, count = len(self.new()), len(self.rows), len(self.columns)
        columns = f"{how_many(count, 'document')} {'covers' if count == 1 else 'cover'}"
        which = self.kind if rows != 1 else self.kind[:-1]
        if not self.covered.any():
            part = f"none of its {rows:,} {which}" if rows > 1 else "none of it"
            return f"All of it may be new: {columns} {part}."
        told = f"{new:,} may be new" if new else "none seems to be new"
        return _spaced(f"Of {rows:,} {which}, {told}. {columns} {self.share:.0%} of the words.")

    def chosen_sentence(self) -> str:
        """Return the documents that together cover most, in a sentence; empty where none covers anything."""
        chosen = self.chosen()
        if not chosen:
            return ""
        names = [self.columns[one.column].name for one in chosen]
        if len(chosen) == 1:
            return _spaced(f"One document covers {self.chosen_share():.0%} of the words: {names[0]}.")
        shares = [(f"{one.share:.0%}", f"{one.alone:.0%}") for one in chosen]
        each = ", ".join(
            f"{name} ({share})" if alone == share else f"{name} ({share}; {alone} in none of the others)"
            for name, (share, alone) in zip(names, shares, strict=True)
        )
        return _spaced(f"{len(chosen)} documents together cover {self.chosen_share():.0%} of the words: {each}.")

    def arranged(self, rows: RowOrder = "text", columns: ColumnOrder = "coverage") -> Coverage:
        """Return the same with its rows and columns in another order; equal ones stay as they are."""
        down, across = range(len(self.rows)), range(len(self.columns))
        starts = [(one.chunk.part, one.chunk.start) for one in self.rows]
        order = sorted(down, key=lambda row: starts[row] if rows == "text" else (self.row_share(row), self.row_p(row)))
        years = [one.year for one in self.columns]
        means = self.p.mean(axis=0) if len(self.p) else np.zeros(len(self.columns))
        by_words = sorted(across, key=lambda column: (-self.column_share(column), -means[column]))
        if columns == "year":
            by_words.sort(key=lambda column: (years[column] is None, years[column] or 0))
        return replace(
            self,
            rows=tuple(self.rows[row] for row in order),
            columns=tuple(self.columns[column] for column in by_words),
            cells=tuple(tuple(self.cells[row][column] for column in by_words) for row in order),
            p=self.p[:, by_words],
        )


def cut_rows(document: Document, kind: RowKind) -> tuple[list[Row], list[Chunk]]:
    """Return the rows of a question and all of its passages, in reading order.

    Raises SearchError where the document has no such rows.
    """
    if kind in ("sections", "passages"):
        passages = cut_passages(document)
        rows = _by_part(document, passages) if kind == "sections" else _each(passages)
    else:
        chunks = list(_claims(document)) if kind == "claims" else cut_paragraphs(document)
        rows, passages = [], []
        for title, chunk in chunks:
            part, start = document.parts[chunk.part], chunk.start
            own = [
                part.chunk(document.id, chunk.part, start + one.start, start + one.stop) for one in cut_text(chunk.text)
            ]
            rows.append(Row(title, chunk, tuple(range(len(passages), len(passages) + len(own)))))
            passages += own
    if not rows:
        raise SearchError(
            f"Expected a document with {kind}; got {document.name!r}, which has none. Choose other rows: "
            f"{', '.join(other for other in get_args(RowKind) if other != kind)}."
        )
    return rows, passages


def _by_part(document: Document, passages: Sequence[Chunk]) -> list[Row]:
    parts, held = document.parts, dict[int, list[int]]()
    for number, one in enumerate(passages):
        held.setdefault(one.part, []).append(number)
    return [
        Row(parts[part].title or "Untitled", parts[part].chunk(document.id, part, 0, len(parts[part].text)), tuple(own))
        for part, own in held.items()
    ]


def _each(passages: Sequence[Chunk]) -> list[Row]:
    """Return a row for each passage, numbered within its section."""
    rows: list[Row] = []
    places: Counter[int] = Counter()
    for number, one in enumerate(passages):
        places[one.part] += 1
        rows.append(Row(f"{one.section or 'Untitled'}, passage {places[one.part]}", one, (number,)))
    return rows


def _claims(document: Document) -> Iterator[tuple[str, Chunk]]:
    for number, part in enumerate(document.parts):
        if part.role == "claim" and part.text.strip():
            yield part.title, part.chunk(document.id, number, 0, len(part.text))


def _share(words: NDArray[np.int64], which: Any) -> float:  # noqa: ANN401  flags (q,), which numpy types as one flag, too
    total = int(words.sum())
    return int(words[which].sum()) / total if total else 0.0


def _spaced(text: str) -> str:
    """Return a text with a space before the sign of each percentage."""
    return _PERCENT.sub(r"\1 %", text)
