"""Compares two documents that were read, at three levels and by their passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.compare import passages
from engine.compare.base import (
    DIGITS,
    REASONS,
    Carriers,
    ClaimElement,
    Comparison,
    Exclusions,
    Flags,
    Grid,
    Matrix,
    Passage,
    Reading,
)
from engine.compare.calibration import Calibration
from engine.compare.passages import Cells, Scores, as_matrix
from engine.compare.side import Kept, Side
from engine.compare.stretches import similarities
from engine.compare.whole import Whole, document_score
from engine.documents import Chunk
from engine.encoders.colde.levels import Levels
from engine.errors import FingerprintError, InputTooLargeError
from engine.rows import DenseRows

PASSAGE_SHARE = 0.6
"""How much of a chunk cell is its best pair of sentences; the rest is the chunks' cosine.

A paragraph taken from elsewhere is a fraction of its chunk and moves the chunk's vector little; its sentences give it
away. `priorscope bench compare` measures how often.
"""

MOST_PAIRS = 64_000_000
"""Pairs of sentences that are held in memory at once, some 250 MB: two documents of 160,000 words each."""

_CLAIM_PASSAGES = 3


@dataclass(frozen=True, slots=True, eq=False)
class _Left:
    """A side, what is kept of it, and that as a whole."""

    side: Side
    kept: Kept
    whole: Whole

    @classmethod
    def of(cls, side: Side, exclusions: Exclusions) -> _Left:
        kept = side.kept(exclusions)
        return cls(side, kept, Whole.of(side, kept))

    @property
    def levels(self) -> Levels:
        return self.whole.levels


def compare(
    a: Side, b: Side, *, exclusions: Exclusions | None = None, calibration: Calibration | None = None
) -> Comparison:
    """Compare two documents; what was read of them is not read again.

    chunk cell = (1 - PASSAGE_SHARE) * cosine of the chunk vectors, not below 0
               + PASSAGE_SHARE * how well the cell's best pair of sentences matches.

    Section cells are cosines, and the document score is `whole.document_score`. `compare(b, a)` is the
    transposed of `compare(a, b)` to the last digit: two documents are always computed in one order.

    Raises FingerprintError where the sides were read by different encoders, InputTooLargeError where their sentences
    are too many, or ConfigError where the encoder's card has a mix that is none.
    """
    if a.encoder.card.fingerprint != b.encoder.card.fingerprint:
        raise FingerprintError(
            f"Expected two documents read by one encoder; got {a.encoder.card.fingerprint} and "
            f"{b.encoder.card.fingerprint}. Read one of them again."
        )
    if (pairs := max(len(a.sentences), len(b.sentences)) ** 2) > MOST_PAIRS:
        raise InputTooLargeError(
            f"Expected at most {int(MOST_PAIRS**0.5):,} sentences a document; got {int(pairs**0.5):,}. "
            "Compare a part of the longer one."
        )
    chosen, known = exclusions or Exclusions(), calibration or Calibration()
    if b.key < a.key:
        return _compare(b, a, chosen, known).transposed()
    return _compare(a, b, chosen, known)


def _compare(a: Side, b: Side, exclusions: Exclusions, calibration: Calibration) -> Comparison:
    left, right = _Left.of(a, exclusions), _Left.of(b, exclusions)
    scores, telling = _pairs(left, right, exclusions.min_words)
    cells = _cells(telling, left, right)
    whole = document_score(a.encoder, left.whole, right.whole)
    left_out = {reason: (left.kept.left_out[reason], right.kept.left_out[reason]) for reason in REASONS}
    return Comparison(
        a=a.document,
        b=b.document,
        score=whole.score,
        reading=_reading(left, right, whole.score, calibration),
        sections=_sections(left, right),
        chunks=_chunks(left, right, cells, exclusions.min_words),
        chunks_a=a.long.chunks,
        chunks_b=b.long.chunks,
        section_of_a=a.long.section_of,
        section_of_b=b.long.section_of,
        kept_a=left.kept.chunks,
        kept_b=right.kept.chunks,
        attention=_attention(left, right),
        attention_back=_attention(right, left),
        carriers=Carriers(a.sentences.chunks, b.sentences.chunks, cells.pairs, as_matrix(cells.scores)),
        passages=passages.passages(scores, telling, (a.document, a.sentences.chunks), (b.document, b.sentences.chunks)),
        claims=(*_claims(left, right), *(element.transposed() for element in _claims(right, left))),
        left_out=left_out,
        exclusions=exclusions,
        words=a.words.source,
        mixed=whole.mixed,
    )


def _pairs(left: _Left, right: _Left, min_words: int) -> tuple[Scores, Scores]:
    """How well each sentence of one matches each of the other: (s_a, s_b), 0 where either is left out.

    The second has 0 also where either does not tell enough to be shown by itself, or the match is too short.
    """
    ours, theirs = left.side.sentences, right.side.sentences
    scores = similarities(ours, theirs)
    scores[~left.kept.sentences] = 0
    scores[:, ~right.kept.sentences] = 0
    telling = scores * left.side.telling[:, None] * right.side.telling
    if min_words > 0:
        neighbours = _neighbours(ours.chunks), _neighbours(theirs.chunks)
        telling *= passages.long_enough(scores, (ours.counts, theirs.counts), neighbours, min_words)
    return scores, telling


def _neighbours(sentences: Sequence[Chunk]) -> Flags:
    """Which sentences follow the one before in the same part: (s,)."""
    parts = np.asarray([-1, *(sentence.part for sentence in sentences)])
    return np.asarray(parts[1:] == parts[:-1])


def _cells(scores: Scores, left: _Left, right: _Left) -> Cells:
    size = len(left.side.long.chunks), len(right.side.long.chunks)
    return passages.cells(scores, left.side.chunk_of, right.side.chunk_of, size)


def _sections(left: _Left, right: _Left) -> Grid:
    ours, theirs = left.levels.sections, right.levels.sections
    return Grid(
        left.side.long.sections,
        right.side.long.sections,
        across=_cosines(ours, theirs),
        within_a=_cosines(ours, ours),
        within_b=_cosines(theirs, theirs),
    )


def _chunks(left: _Left, right: _Left, cells: Cells, min_words: int) -> Grid:
    within = [_cells(_pairs(one, one, min_words)[1], one, one) for one in (left, right)]
    return Grid(
        _chunk_names(left.side),
        _chunk_names(right.side),
        across=_lifted(left, right, cells),
        within_a=_lifted(left, left, within[0]),
        within_b=_lifted(right, right, within[1]),
    )


def _lifted(left: _Left, right: _Left, cells: Cells) -> Matrix:
    """Cosines of chunks mixed with how well their best pair of sentences matches: (c_a, c_b)."""
    cosines = np.clip(_cosines(left.levels.chunks, right.levels.chunks), 0, 1)
    return as_matrix((1 - PASSAGE_SHARE) * cosines + PASSAGE_SHARE * cells.scores)


def _cosines(ours: DenseRows, theirs: DenseRows) -> Matrix:
    """Inner products of rows at unit length: (n_a, n_b)."""
    return as_matrix(np.asarray(ours, np.float64) @ np.asarray(theirs, np.float64).T)


def _chunk_names(side: Side) -> tuple[str, ...]:
    """Chunks by their section, numbered where it has several: "Method 2/5"."""
    sections = side.long.section_of
    counts = np.bincount(sections, minlength=len(side.long.sections))
    seen = [0] * len(counts)
    names = []
    for section in sections.tolist():
        seen[section] += 1
        number = f" {seen[section]}/{counts[section]}" if counts[section] > 1 else ""
        names.append(f"{side.long.sections[section]}{number}")
    return tuple(names)


def _attention(left: _Left, right: _Left) -> Matrix:
    """How much each kept chunk of one attends to the other's: (c_a, c_b)."""
    found = np.zeros((len(left.kept.chunks), len(right.kept.chunks)))
    if left.kept.chunks.any() and right.kept.chunks.any():
        ours, theirs = (one.side.of_chunks(one.kept.chunks) for one in (left, right))
        found[np.ix_(left.kept.chunks, right.kept.chunks)] = left.side.encoder.attends(ours, theirs)
    return as_matrix(found)


def _reading(left: _Left, right: _Left, score: float, calibration: Calibration) -> Reading:
    for one in (left, right):
        if not one.kept.chunks.any():
            return Reading(None, f"Nothing of {one.side.document.name!r} is left to compare: all of it is left out.")
    return calibration.read(score, (left.side.document.kind, right.side.document.kind))


def _claims(left: _Left, right: _Left) -> list[ClaimElement]:
    """The elements of the left side's claims against the right side's sentences."""
    side, sentences = left.side, right.side.sentences
    if not len(side.elements) or not len(sentences):
        return []
    scores = similarities(side.elements, sentences)  # (e, s)
    scores[:, ~right.kept.sentences] = 0
    found = []
    for number, element, row in zip(side.claim_of, side.elements.chunks, scores, strict=True):
        best = passages.best_of_row(row, _CLAIM_PASSAGES)
        matches = (Passage(round(float(row[n]), DIGITS), element, sentences.chunks[n]) for n in best)
        found.append(ClaimElement("a", number, element, tuple(matches)))
    return found
