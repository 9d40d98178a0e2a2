"""Compares two read documents at three levels and by their passages."""

from __future__ import annotations

import numpy as np

from engine.compare import passages
from engine.compare.base import (
    DIGITS,
    RECURRING,
    REFERENCES,
    SHORT,
    Carriers,
    Comparison,
    Exclusions,
    Grid,
    Matrix,
    Reading,
    rounded,
)
from engine.compare.cache import TrimmedDocument, cached_parts, matches, trimmed
from engine.compare.calibration import Calibration
from engine.compare.differences import Text, differences
from engine.compare.pairs import Cells, Matches, Nearest, Scores, Side, match
from engine.compare.read_document import ReadDocument
from engine.compare.versions import Versions, versions
from engine.core.errors import FingerprintError
from engine.core.progress import Meter, Report, silent
from engine.core.threads import one_torch_thread
from engine.search import document_pair, read_pair

PASSAGE_SHARE = 0.6
"""The share of a chunk cell that its best pair of sentences makes; the rest is the chunks' cosine.

A copied paragraph is a fraction of its chunk and moves the chunk's vector little; its sentences give it away. `python
-m engine.research bench compare` measures how often.
"""


def compare(
    a: ReadDocument,
    b: ReadDocument,
    *,
    exclusions: Exclusions | None = None,
    calibration: Calibration | None = None,
    report: Report = silent,
) -> Comparison:
    """Compare two documents that were read before.

    chunk cell = (1 - PASSAGE_SHARE) * cosine of the chunk vectors, not below 0
               + PASSAGE_SHARE * how well the cell's best pair of sentences matches.

    Section cells are cosines, and the document score is `document_score.document_score`. `compare(b, a)` is the
    transpose of `compare(a, b)` to the last digit: two documents are always computed in one order. `report` hears of
    the sentences that are done, and may raise to stop.

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
            return _compare(b, a, chosen, known, report).transposed()
        return _compare(a, b, chosen, known, report)


def _compare(
    a: ReadDocument, b: ReadDocument, exclusions: Exclusions, calibration: Calibration, report: Report
) -> Comparison:
    ours, theirs = trimmed(a, exclusions), trimmed(b, exclusions)
    times = 2 if exclusions.min_words > 0 else 1
    meter = Meter("compare sentences", times * (2 * len(a.sentences) + len(b.sentences)), report)
    nearest = Nearest.none(*(text_of(one).follows for one in (ours, theirs)))
    matched = _matched(ours, theirs, exclusions.min_words, meter, nearest)
    within_a, within_b = (_matched(one, one, exclusions.min_words, meter).cells.scores for one in (ours, theirs))
    meter.finish()
    common = cached_parts(a, b, exclusions)
    left_out = {
        reason: (ours.kept.left_out[reason], theirs.kept.left_out[reason]) for reason in (REFERENCES, RECURRING)
    }
    return Comparison(
        a=a.document,
        b=b.document,
        score=common.document.score,
        reading=_reading(ours, theirs, common.document.score, calibration),
        nearness=read_pair(document_pair(a.document, b.document, rows=(a.row, b.row))),
        sections=common.sections,
        chunks=Grid(
            _chunk_names(a),
            _chunk_names(b),
            across=_lifted(ours, theirs, matched.cells.scores),
            within_a=_lifted(ours, ours, within_a),
            within_b=_lifted(theirs, theirs, within_b),
        ),
        chunks_a=a.long.chunks,
        chunks_b=b.long.chunks,
        section_of_a=a.long.section_of,
        section_of_b=b.long.section_of,
        kept_a=ours.kept.chunks,
        kept_b=theirs.kept.chunks,
        attention=common.attention,
        attention_back=common.attention_back,
        carriers=carriers_of(a, b, matched.cells),
        passages=passages.passages(matched, (a.document, a.sentences.chunks), (b.document, b.sentences.chunks)),
        claims=common.claims,
        left_out={**left_out, SHORT: matched.short},
        differences=differences(text_of(ours), text_of(theirs), nearest),
        exclusions=exclusions,
        words=a.words.source,
        mixed=common.document.mixed,
    )


def text_of(one: TrimmedDocument) -> Text:
    """The sentences that are kept of a document."""
    return Text(one.read.document, one.read.sentences, one.kept.sentences, one.read.telling)


def compare_versions(old: ReadDocument, new: ReadDocument, exclusions: Exclusions | None = None) -> Versions:
    """What a second version changes of the first. Sentences are left out as in a comparison, but for short matches."""
    ours, theirs = (text_of(trimmed(one, exclusions or Exclusions())) for one in (old, new))
    with one_torch_thread():
        return versions(ours, theirs, matches(old.sentences, new.sentences))


def _matched(
    a: TrimmedDocument, b: TrimmedDocument, min_words: int, meter: Meter, nearest: Nearest | None = None
) -> Matches:
    """What a comparison shows of the pairs of sentences of two documents, or of one and itself."""
    table = matches(a.read.sentences, b.read.sentences)
    return match(table, side_of(a), side_of(b), min_words, meter.add, nearest)


def side_of(one: TrimmedDocument) -> Side:
    """What matching needs to know of the sentences of a document."""
    sentences = one.read.sentences
    return Side(
        one.kept.sentences,
        one.read.telling,
        sentences.counts,
        text_of(one).follows,
        one.read.chunk_of,
        len(one.read.long.chunks),
    )


def carriers_of(a: ReadDocument, b: ReadDocument, cells: Cells) -> Carriers:
    """The sentences of two documents with the best pair of each cell."""
    scores = rounded((len(a.long.chunks), len(b.long.chunks)), lambda some: cells.scores[some])
    return Carriers(a.sentences.chunks, b.sentences.chunks, cells.pairs, scores)


def _lifted(a: TrimmedDocument, b: TrimmedDocument, best: Scores) -> Matrix:
    """Cosines of chunks mixed with how well their best pair of sentences matches: (c_a, c_b)."""
    rows, columns = a.levels.chunks, np.asarray(b.levels.chunks, np.float64).T

    def lifted(some: slice) -> Matrix:
        near = np.clip((np.asarray(rows[some], np.float64) @ columns).round(DIGITS), 0, 1)
        return np.asarray((1 - PASSAGE_SHARE) * near + PASSAGE_SHARE * best[some], np.float64)

    return rounded((len(rows), columns.shape[1]), lifted)


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
