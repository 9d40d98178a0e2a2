"""Compares two read documents at three levels and by their passages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.compare import passages
from engine.compare.base import (
    RECURRING,
    REFERENCES,
    SHORT,
    Carriers,
    Comparison,
    Exclusions,
    Flags,
    Grid,
    Matrix,
    Reading,
)
from engine.compare.cache import TrimmedDocument, cached_parts, cosines, matches, trimmed
from engine.compare.calibration import Calibration
from engine.compare.passages import Cells, Scores, as_matrix
from engine.compare.read_document import ReadDocument
from engine.documents import Chunk
from engine.errors import FingerprintError
from engine.threads import one_torch_thread

PASSAGE_SHARE = 0.6
"""The share of a chunk cell that its best pair of sentences makes; the rest is the chunks' cosine.

A copied paragraph is a fraction of its chunk and moves the chunk's vector little; its sentences give it away. `python
-m engine.research bench compare` measures how often.
"""


def compare(
    a: ReadDocument, b: ReadDocument, *, exclusions: Exclusions | None = None, calibration: Calibration | None = None
) -> Comparison:
    """Compare two documents that were read before.

    chunk cell = (1 - PASSAGE_SHARE) * cosine of the chunk vectors, not below 0
               + PASSAGE_SHARE * how well the cell's best pair of sentences matches.

    Section cells are cosines, and the document score is `document_score.document_score`. `compare(b, a)` is the
    transpose of `compare(a, b)` to the last digit: two documents are always computed in one order.

    Raises FingerprintError where different encoders read them, or ConfigError where the mix in the encoder's card is
    invalid.
    """
    if a.encoder.card.fingerprint != b.encoder.card.fingerprint:
        raise FingerprintError(
            f"Expected two documents read by one encoder; got {a.encoder.card.fingerprint} and "
            f"{b.encoder.card.fingerprint}. Read one of them again."
        )
    chosen, known = exclusions or Exclusions(), calibration or Calibration()
    with (
        one_torch_thread()
    ):  # products of a few dozen chunks: with other exclusions 50 ms on one thread, 75 to 160 on two
        if b.key < a.key:
            return _compare(b, a, chosen, known).transposed()
        return _compare(a, b, chosen, known)


def _compare(a: ReadDocument, b: ReadDocument, exclusions: Exclusions, calibration: Calibration) -> Comparison:
    ours, theirs = trimmed(a, exclusions), trimmed(b, exclusions)
    scores, telling, short = _pairs(ours, theirs, exclusions.min_words)
    cells = _cells(telling, ours, theirs)
    common = cached_parts(a, b, exclusions)
    left_out = {
        reason: (ours.kept.left_out[reason], theirs.kept.left_out[reason]) for reason in (REFERENCES, RECURRING)
    }
    return Comparison(
        a=a.document,
        b=b.document,
        score=common.document.score,
        reading=_reading(ours, theirs, common.document.score, calibration),
        sections=common.sections,
        chunks=_chunks(ours, theirs, cells, exclusions.min_words),
        chunks_a=a.long.chunks,
        chunks_b=b.long.chunks,
        section_of_a=a.long.section_of,
        section_of_b=b.long.section_of,
        kept_a=ours.kept.chunks,
        kept_b=theirs.kept.chunks,
        attention=common.attention,
        attention_back=common.attention_back,
        carriers=Carriers(a.sentences.chunks, b.sentences.chunks, cells.pairs, as_matrix(cells.scores)),
        passages=passages.passages(scores, telling, (a.document, a.sentences.chunks), (b.document, b.sentences.chunks)),
        claims=common.claims,
        left_out={**left_out, SHORT: short},
        exclusions=exclusions,
        words=a.words.source,
        mixed=common.document.mixed,
    )


def _pairs(a: TrimmedDocument, b: TrimmedDocument, min_words: int) -> tuple[Scores, Scores, tuple[int, int]]:
    """How well each sentence of one matches each of the other: (s_a, s_b), 0 where either is left out.

    The second also has 0 where either says too little to be shown alone, or the match is too short; last comes how many
    sentences of each went because all their matches are too short.
    """
    ours, theirs = a.read.sentences, b.read.sentences
    scores = matches(ours, theirs)
    scores[~a.kept.sentences] = 0
    scores[:, ~b.kept.sentences] = 0
    telling = scores * a.read.telling[:, None] * b.read.telling
    if min_words <= 0:
        return scores, telling, (0, 0)
    neighbours = _neighbours(ours.chunks), _neighbours(theirs.chunks)
    enough = telling * passages.long_enough(scores, (ours.counts, theirs.counts), neighbours, min_words)
    return scores, enough, passages.too_short(telling, enough)


def _neighbours(sentences: Sequence[Chunk]) -> Flags:
    """Which sentences follow the one before in the same part: (s,)."""
    parts = np.asarray([-1, *(sentence.part for sentence in sentences)])
    return np.asarray(parts[1:] == parts[:-1])


def _cells(scores: Scores, a: TrimmedDocument, b: TrimmedDocument) -> Cells:
    size = len(a.read.long.chunks), len(b.read.long.chunks)
    return passages.cells(scores, a.read.chunk_of, b.read.chunk_of, size)


def _chunks(a: TrimmedDocument, b: TrimmedDocument, cells: Cells, min_words: int) -> Grid:
    within = [_cells(_pairs(one, one, min_words)[1], one, one) for one in (a, b)]
    return Grid(
        _chunk_names(a.read),
        _chunk_names(b.read),
        across=_lifted(a, b, cells),
        within_a=_lifted(a, a, within[0]),
        within_b=_lifted(b, b, within[1]),
    )


def _lifted(a: TrimmedDocument, b: TrimmedDocument, cells: Cells) -> Matrix:
    """Cosines of chunks mixed with how well their best pair of sentences matches: (c_a, c_b)."""
    near = np.clip(cosines(a.levels.chunks, b.levels.chunks), 0, 1)
    return as_matrix((1 - PASSAGE_SHARE) * near + PASSAGE_SHARE * cells.scores)


def _chunk_names(read: ReadDocument) -> tuple[str, ...]:
    """Chunks by their section, numbered where it has several: "Method 2/5"."""
    sections = read.long.section_of
    counts = np.bincount(sections, minlength=len(read.long.sections))
    seen = [0] * len(counts)
    names = []
    for section in sections.tolist():
        seen[section] += 1
        number = f" {seen[section]}/{counts[section]}" if counts[section] > 1 else ""
        names.append(f"{read.long.sections[section]}{number}")
    return tuple(names)


def _reading(a: TrimmedDocument, b: TrimmedDocument, score: float, calibration: Calibration) -> Reading:
    for one in (a, b):
        if not one.kept.chunks.any():
            return Reading(None, f"Nothing of {one.read.document.name!r} is left to compare: all of it is left out.")
    return calibration.read(score, (a.read.document.kind, b.read.document.kind))
