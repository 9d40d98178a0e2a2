"""Several documents against each other and themselves at CoLDE's three levels, as its figures 4 and 5 draw three."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.compare.comparing import compare, compare_within
from engine.compare.model import DIGITS, LETTERS, Carriers, Comparison, Exclusions, Grid, Matrix, darkest
from engine.compare.read_document import ReadDocument
from engine.core.errors import InputError
from engine.core.progress import Report, silent
from engine.core.rows import Flags, Positions
from engine.documents import Chunk, Document

MOST = len(LETTERS)
"""Documents: one question and two candidates."""

Compared: TypeAlias = Mapping[tuple[int, int], Comparison]
"""The comparisons of documents by their places, the lower one first."""


@dataclass(frozen=True, slots=True, eq=False)
class LevelGrid:
    """Similarities (n, n) of the parts of several documents, by the parts' names; `owners` (n,) are the documents."""

    names: tuple[str, ...]
    owners: tuple[int, ...]
    values: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """Documents at three levels; `scores` (d, d) are the document scores, 1 for a document and itself.

    `sections` and `chunks` hold all parts of all documents, and `kept_sections` and `kept_chunks` say which were not
    left out. `attention` (c, c) is how much each chunk attends to each other; over the chunks of one document a row
    sums to 1, or to 0 for a chunk left out.
    """

    letters: ClassVar[str] = LETTERS
    """What documents go by, in the order in which they were given."""

    documents: tuple[Document, ...]
    compared: Compared
    alone: tuple[Comparison, ...]
    scores: Matrix
    sections: LevelGrid
    chunks: LevelGrid
    attention: Matrix
    kept_sections: Flags
    kept_chunks: Flags

    @property
    def pairs(self) -> list[tuple[str, str, Comparison]]:
        """The letters of every two documents, and how they compare."""
        return [(self.letters[a], self.letters[b], one) for (a, b), one in self.compared.items()]

    @property
    def nearer(self) -> str:
        """Which of the later documents is the nearest to the first, in a sentence; empty without two to choose from."""
        read = {b: one.nearness for (a, b), one in self.compared.items() if a == 0 and one.nearness.is_compared}
        near = {b: one.cosine for b, one in read.items()}
        if len(near) < 2 or len({one.level for one in read.values()}) > 1:
            return ""
        first, second = sorted(near, key=lambda place: -near[place])[:2]
        ours, best, other = (self.letters[place] for place in (0, first, second))
        high, low = f"{near[first]:.2f}", f"{near[second]:.2f}"
        if high == low:
            return f"{best} and {other} are equally near to {ours}: nearness {high}."
        return f"{best} is nearer to {ours} than {other} is: nearness {high} and {low}."

    @property
    def highest(self) -> float:
        """What the darkest colour stands for, one for all levels: 1, which a document has with itself."""
        return max(darkest(self.sections.values), darkest(self.chunks.values))

    def chunk(self, number: int) -> Chunk:
        """Return a chunk by its place in the grid."""
        owner = self.chunks.owners[number]
        return self.alone[owner].chunks_a[self._own(self.chunks, number)]

    def chunks_of(self, section: int) -> list[Chunk]:
        """Return the chunks of a section by its place in the grid, in reading order."""
        alone = self.alone[self.sections.owners[section]]
        own = self._own(self.sections, section)
        return [alone.chunks_a[int(one)] for one in np.flatnonzero(alone.section_of_a == own)]

    def carried(self, level: str) -> Carriers:
        """Return the sentences of all documents, and which pair carries each cell of a level, "section" or "chunk"."""
        sentences = [one.carriers.a for one in self.alone]
        starts = [0, *accumulate(len(own) for own in sentences)]
        pairs, scores = [], []
        for a in range(len(self.alone)):
            held = [self._between(a, b, level) for b in range(len(self.alone))]
            placed = [
                np.where(one.pairs < 0, -1, one.pairs + np.array([starts[a], starts[b]])) for b, one in enumerate(held)
            ]
            pairs.append(np.concatenate(placed, axis=1))
            scores.append(np.concatenate([one.scores for one in held], axis=1))
        everything = tuple(sentence for own in sentences for sentence in own)
        return Carriers(everything, everything, np.concatenate(pairs), np.concatenate(scores))

    def _between(self, a: int, b: int, level: str) -> Carriers:
        """Return what carries the cells of two documents, or of one within itself."""
        if a > b:
            return self._between(b, a, level).transposed()
        return (self.alone[a] if a == b else self.compared[a, b]).carried(level)

    @staticmethod
    def _own(grid: LevelGrid, number: int) -> int:
        """Return a part's place among those of its document."""
        return number - bisect_left(grid.owners, grid.owners[number])


def compare_together(
    read: Sequence[ReadDocument],
    *,
    exclusions: Exclusions | None = None,
    report: Report = silent,
) -> Together:
    """Compare every two of two or three documents, and each with itself.

    Raises InputError for another number of documents, or what `compare` does.
    """
    if not 2 <= len(read) <= MOST:
        raise InputError(f"Expected two or three documents to compare, got {len(read)}. Leave some out.")
    compared = {
        (a, b): compare(read[a], read[b], exclusions=exclusions, report=report)
        for a, b in combinations(range(len(read)), 2)
    }
    alone = tuple(compare_within(one, exclusions=exclusions, report=report) for one in read)

    def grid(level: Callable[[Comparison], Grid]) -> LevelGrid:
        places = [np.arange(len(level(one).a)) for one in alone]
        return LevelGrid(
            tuple(f"{LETTERS[n]} {name}" for n, one in enumerate(alone) for name in level(one).a),
            tuple(np.repeat(np.arange(len(alone)), [len(own) for own in places]).tolist()),
            join_blocks(compared, places, level),
        )

    return Together(
        documents=tuple(one.document for one in read),
        compared=compared,
        alone=alone,
        scores=scores_of(compared, lambda comparison: comparison.score),
        sections=grid(lambda one: one.sections),
        chunks=grid(lambda one: one.chunks),
        attention=_attention(compared, alone),
        kept_sections=np.concatenate([_kept_sections(one) for one in alone]),
        kept_chunks=np.concatenate([one.kept_a for one in alone]),
    )


def scores_of(compared: Compared, score: Callable[[Comparison], float]) -> NDArray[np.float64]:
    """Return a score of every two documents (d, d), 1 for a document and itself."""
    values = np.eye(max(b for _, b in compared) + 1)
    for (a, b), comparison in compared.items():
        values[a, b] = values[b, a] = score(comparison)
    return values


def join_blocks(
    compared: Compared, places: Sequence[Positions], level: Callable[[Comparison], Grid]
) -> NDArray[np.float64]:
    """Join the matrices of every two documents to one (n, n) over the parts of all, at the `places` of each."""
    found: list[list[Any]] = [[None] * len(places) for _ in places]
    for (a, b), comparison in compared.items():
        grid = level(comparison)
        found[a][b] = grid.across[np.ix_(places[a], places[b])]
        found[b][a] = found[a][b].T
        found[a][a] = grid.within_a[np.ix_(places[a], places[a])]
        found[b][b] = grid.within_b[np.ix_(places[b], places[b])]
    return np.asarray(np.block(found), np.float64)


def _attention(compared: Compared, alone: Sequence[Comparison]) -> Matrix:
    found: list[list[Any]] = [[None] * len(alone) for _ in alone]
    for number, one in enumerate(alone):
        found[number][number] = one.attention
    for (a, b), comparison in compared.items():
        found[a][b], found[b][a] = comparison.attention, comparison.attention_back
    return np.asarray(np.block(found), np.float64).round(DIGITS)


def _kept_sections(one: Comparison) -> Flags:
    """Return which sections of a document compared with itself hold a chunk that was not left out: (s,)."""
    return np.bincount(one.section_of_a[one.kept_a], minlength=len(one.sections.a)) > 0
