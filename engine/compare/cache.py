"""Keeps the parts of recent comparisons that do not depend on what is left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from engine.compare.base import ClaimElement, Exclusions, Grid, Matrix, rounded
from engine.compare.claim_chart import claim_chart
from engine.compare.document_score import DocumentScore, KeptDocument, document_score
from engine.compare.pairs import Scores, Table
from engine.compare.read_document import Kept, ReadDocument
from engine.compare.stretches import Similarities, Stretches
from engine.core.rows import DenseRows
from engine.encoders.colde import Levels

_MOST_PAIRS = 2_000_000  # of sentences whose matches are kept, 8 MB: two documents of 28,000 words each
_MOST_CELLS = 1_000_000  # of chunks whose common parts are kept, 8 MB and more: two documents of 170,000 words each


@dataclass(frozen=True, slots=True, eq=False)
class TrimmedDocument:
    """A read document, which of its sentences and chunks are kept, and what is scored."""

    read: ReadDocument
    kept: Kept
    scored: KeptDocument

    @property
    def levels(self) -> Levels:
        """The vectors of what is kept."""
        return self.scored.levels


@dataclass(frozen=True, slots=True, eq=False)
class CachedParts:
    """What two documents have in common, including the shortest matches; arrays as in `Comparison`."""

    document: DocumentScore
    sections: Grid
    attention: Matrix
    attention_back: Matrix
    claims: tuple[ClaimElement, ...]


def trimmed(read: ReadDocument, exclusions: Exclusions) -> TrimmedDocument:
    """What some exclusions leave of a document, before short matches are dropped."""
    return _trimmed(read, exclusions.references, exclusions.recurring)


def cached_parts(a: ReadDocument, b: ReadDocument, exclusions: Exclusions) -> CachedParts:
    """What two documents have in common, computed or taken from a recent comparison."""
    if len(a.long.chunks) * len(b.long.chunks) > _MOST_CELLS:
        return _parts(a, b, exclusions.references, exclusions.recurring)
    return _cached_parts(a, b, exclusions.references, exclusions.recurring)


def matches(ours: Stretches, theirs: Stretches) -> Table:
    """How well each sentence of one document matches each of the other: (s_a, s_b); short documents' are kept."""
    if len(ours) * len(theirs) > _MOST_PAIRS:
        return Similarities(ours, theirs)
    return KeptTable(_matches(ours, theirs))


@dataclass(frozen=True, slots=True, eq=False)
class KeptTable:
    """A table that is held whole: `scores` (s_a, s_b)."""

    scores: Scores

    @property
    def shape(self) -> tuple[int, int]:
        """(s_a, s_b)."""
        return self.scores.shape[0], self.scores.shape[1]

    def rows(self, start: int, stop: int) -> Scores:
        """A copy of some rows."""
        return self.scores[start:stop].copy()


def cosines(ours: DenseRows, theirs: DenseRows) -> Matrix:
    """Inner products of rows at unit length: (n_a, n_b)."""
    columns = np.asarray(theirs, np.float64).T
    return rounded((len(ours), len(theirs)), lambda some: np.asarray(ours[some], np.float64) @ columns)


@lru_cache(maxsize=6)  # two comparisons: each document with itself and with the other
def _matches(ours: Stretches, theirs: Stretches) -> Scores:
    return Similarities(ours, theirs).rows(0, len(ours))


@lru_cache(maxsize=8)  # two documents with each choice of what is left out
def _trimmed(read: ReadDocument, references: bool, recurring: bool) -> TrimmedDocument:
    kept = read.kept(Exclusions(references, recurring))
    return TrimmedDocument(read, kept, KeptDocument.of(read, kept))


@lru_cache(maxsize=4)
def _cached_parts(a: ReadDocument, b: ReadDocument, references: bool, recurring: bool) -> CachedParts:
    return _parts(a, b, references, recurring)


def _parts(a: ReadDocument, b: ReadDocument, references: bool, recurring: bool) -> CachedParts:
    ours, theirs = _trimmed(a, references, recurring), _trimmed(b, references, recurring)
    claims = (*_claim_chart(ours, theirs), *(element.transposed() for element in _claim_chart(theirs, ours)))
    found = CachedParts(
        document_score(a.encoder, ours.scored, theirs.scored),
        _sections(ours, theirs),
        _attention(ours, theirs),
        _attention(theirs, ours),
        claims,
    )
    grid = found.sections
    for shared in (grid.across, grid.within_a, grid.within_b, found.attention, found.attention_back):
        shared.setflags(write=False)  # several comparisons hold them
    return found


def _sections(a: TrimmedDocument, b: TrimmedDocument) -> Grid:
    ours, theirs = a.levels.sections, b.levels.sections
    return Grid(
        a.read.long.sections,
        b.read.long.sections,
        across=cosines(ours, theirs),
        within_a=cosines(ours, ours),
        within_b=cosines(theirs, theirs),
    )


def _attention(a: TrimmedDocument, b: TrimmedDocument) -> Matrix:
    """How much each kept chunk of a attends to the chunks of b: (c_a, c_b)."""
    found = np.zeros((len(a.kept.chunks), len(b.kept.chunks)), np.float32)
    if a.kept.chunks.any() and b.kept.chunks.any():
        ours, theirs = (one.read.of_chunks(one.kept.chunks) for one in (a, b))
        found[np.ix_(a.kept.chunks, b.kept.chunks)] = a.read.encoder.attends(ours, theirs)
    return rounded((found.shape[0], found.shape[1]), lambda some: found[some])


def _claim_chart(a: TrimmedDocument, b: TrimmedDocument) -> tuple[ClaimElement, ...]:
    """The elements of one document's claims against the other's sentences."""
    return claim_chart(a.read.elements, a.read.claim_of, b.read.sentences, b.kept.sentences)
