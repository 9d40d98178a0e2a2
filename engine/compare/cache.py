"""Keeps the parts of recent comparisons that do not depend on what is left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from engine.compare.base import ClaimElement, Exclusions, Grid, Matrix
from engine.compare.claim_chart import claim_chart
from engine.compare.document_score import DocumentScore, KeptDocument, document_score
from engine.compare.passages import Scores, as_matrix
from engine.compare.read_document import Kept, ReadDocument
from engine.compare.stretches import Stretches, similarities
from engine.encoders.colde.levels import Levels
from engine.rows import DenseRows

_MOST_PAIRS = 2_000_000  # of sentences whose matches are kept, 8 MB: two documents of 28,000 words each


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
    return _cached_parts(a, b, exclusions.references, exclusions.recurring)


def matches(ours: Stretches, theirs: Stretches) -> Scores:
    """`stretches.similarities` (s_a, s_b), computed or taken from a recent comparison; may be changed."""
    if len(ours) * len(theirs) > _MOST_PAIRS:
        return similarities(ours, theirs)
    return _matches(ours, theirs).copy()


def cosines(ours: DenseRows, theirs: DenseRows) -> Matrix:
    """Inner products of rows at unit length: (n_a, n_b)."""
    return as_matrix(np.asarray(ours, np.float64) @ np.asarray(theirs, np.float64).T)


@lru_cache(maxsize=6)  # two comparisons: each document with itself and with the other
def _matches(ours: Stretches, theirs: Stretches) -> Scores:
    return similarities(ours, theirs)


@lru_cache(maxsize=8)  # two documents with each choice of what is left out
def _trimmed(read: ReadDocument, references: bool, recurring: bool) -> TrimmedDocument:
    kept = read.kept(Exclusions(references, recurring))
    return TrimmedDocument(read, kept, KeptDocument.of(read, kept))


@lru_cache(maxsize=4)
def _cached_parts(a: ReadDocument, b: ReadDocument, references: bool, recurring: bool) -> CachedParts:
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
    found = np.zeros((len(a.kept.chunks), len(b.kept.chunks)))
    if a.kept.chunks.any() and b.kept.chunks.any():
        ours, theirs = (one.read.of_chunks(one.kept.chunks) for one in (a, b))
        found[np.ix_(a.kept.chunks, b.kept.chunks)] = a.read.encoder.attends(ours, theirs)
    return as_matrix(found)


def _claim_chart(a: TrimmedDocument, b: TrimmedDocument) -> tuple[ClaimElement, ...]:
    """The elements of one document's claims against the other's sentences."""
    return claim_chart(a.read.elements, a.read.claim_of, b.read.sentences, b.kept.sentences)
