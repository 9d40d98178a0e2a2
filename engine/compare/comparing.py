"""Compares two read documents at three levels and by their passages, or one document with itself.

One within itself is drawn by CoLDE's paper (section 4.3, figure 4). It is a comparison whose two documents are the same
one, so that screen and report draw it with what they have for two; what a sentence has with itself does not count.

Parts of recent comparisons that do not depend on what is left out are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.compare import pairs
from engine.compare.claim_chart import claim_chart
from engine.compare.differences import Text, differences
from engine.compare.document_score import Calibration, DocumentScore, KeptDocument, Mix, document_score
from engine.compare.model import (
    DIGITS,
    RECURRING,
    REFERENCES,
    SHORT,
    Carriers,
    ClaimElement,
    Comparison,
    Exclusions,
    Grid,
    Matrix,
    Passage,
    Percentile,
    Uncovered,
    rounded,
)
from engine.compare.pairs import CellPairs, Cosines, Matches, NearestSentences, SentenceFacts, Table, match
from engine.compare.read_document import KeptParts, LongEncoder, ReadDocument
from engine.compare.stretches import Similarities, Stretches
from engine.compare.versions import Versions, versions
from engine.core.errors import FingerprintError
from engine.core.processes import one_torch_thread
from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows
from engine.documents import Chunk
from engine.encoders.colde import Levels
from engine.search import PairReader, is_much_shorter, read_passages, read_two

_MOST_READ = 400  # passages of a document that nothing covers, the longest, whose words are read
_MOST_PARTS = 8  # of a long document that are read with a short one, those that match best
_MOST_PAIRS = 2_000_000  # of sentences whose matches are kept, 8 MB: two documents of 28,000 words each
_MOST_CELLS = 1_000_000  # of chunks whose common parts are kept, 8 MB and more: two documents of 170,000 words each
PASSAGE_SHARE = 0.6
"""The share of a chunk cell that its best pair of sentences makes; the rest is the chunks' cosine.

A copied paragraph is a fraction of its chunk and moves the chunk's vector little; its sentences give it away. `python
-m engine.research bench compare` measures how often.
"""


def warm_comparison(encoder: LongEncoder) -> None:
    """Load what the first comparison needs beside the encoder and the words."""
    mix = Mix.from_facts(encoder.facts)
    if mix is not None and mix.second is not None:
        mix.second.open()
    PairReader.warm()
    read_passages([("", "")])


def compare(
    a: ReadDocument,
    b: ReadDocument,
    *,
    exclusions: Exclusions | None = None,
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
    chosen = exclusions or Exclusions()
    with one_torch_thread():  # of a few dozen chunks: with other exclusions 50 ms on one thread, 75 to 160 on two
        first, second = (b, a) if b.key < a.key else (a, b)
        found = _compare(first, second, chosen, report)
    found = _of_like_length(_in_words(found), first, second)
    return found if first is a else found.transposed()


def _compare(a: ReadDocument, b: ReadDocument, exclusions: Exclusions, report: Report) -> Comparison:
    ours, theirs = trim(a, exclusions), trim(b, exclusions)
    times = 2 if exclusions.min_words > 0 else 1
    meter = Meter("compare sentences", times * (2 * len(a.sentences) + len(b.sentences)), report)
    nearest = NearestSentences.none(*(one.text.follows for one in (ours, theirs)), keep=True)
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
        reading=_reading(ours, theirs, common.document.score),
        nearness=read_two(a.document, b.document, rows=(a.row, b.row)),
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
        passages=pairs.passages(
            matched, (a.document, a.sentences.chunks), (b.document, b.sentences.chunks), nearest.same
        ),
        claims=common.claims,
        left_out={**left_out, SHORT: matched.short},
        differences=differences(ours.text, theirs.text, nearest),
        exclusions=exclusions,
        words=a.words.source,
        mixed=common.document.mixed,
    )


def _in_words(found: Comparison) -> Comparison:
    """Return a comparison in which every pair that is listed has its word: matches, nearest misses, elements of claims.

    A missed passage is read by its sentence that is nearest: a reading compares texts of like length.
    """
    sides = found.differences.a, found.differences.b
    missed = [one for side in sides for one in sorted(side.passages, key=lambda one: -one.words)[:_MOST_READ]]
    listed = [*found.passages, *(passage for element in found.claims for passage in element.passages)]
    texts = [(one.a.text, one.b.text) for one in listed] + [pair for one in missed if (pair := one.pair)]
    readings = read_passages(texts) if texts else None
    if readings is None:
        return found
    words = dict(zip(texts, readings, strict=True))

    def read(passages: Sequence[Passage]) -> tuple[Passage, ...]:
        return tuple(replace(one, reading=words[one.a.text, one.b.text]) for one in passages)

    def told(side: Uncovered) -> Uncovered:
        pairs = ((one, one.pair) for one in side.passages)
        return replace(
            side, passages=tuple(replace(one, reading=words.get(pair) if pair else None) for one, pair in pairs)
        )

    a, b = map(told, sides)
    ordered = (sorted(read(one.passages), key=lambda passage: passage.nearness, reverse=True) for one in found.claims)
    claims = tuple(replace(one, passages=tuple(held)) for one, held in zip(found.claims, ordered, strict=True))
    differences = replace(found.differences, a=a, b=b)
    return replace(found, passages=read(found.passages), claims=claims, differences=differences)


def _of_like_length(found: Comparison, a: ReadDocument, b: ReadDocument) -> Comparison:
    """Return a comparison whose word is of texts of like length: of a short one with the nearest part of the other."""
    if is_much_shorter(a.document, b.document):
        short, long, matched = a.document, b, [one.b for one in found.passages[:_MOST_PARTS]]
    elif is_much_shorter(b.document, a.document):
        short, long, matched = b.document, a, [one.a for one in found.passages[:_MOST_PARTS]]
    else:
        return found
    parts = list(dict.fromkeys(_part_around(one, long, len(short.text.split())) for one in matched))
    readings = read_passages([(short.text, one.text) for one in parts]) if parts else None
    if readings is None:
        return found
    best = max(range(len(parts)), key=lambda place: (-readings[place].rank, readings[place].cosine))
    return replace(found, nearness=readings[best], near_part=parts[best])


def _part_around(match: Chunk, long: ReadDocument, words: int) -> Chunk:
    """Return whole sentences around a match, in its part of a document, of about as many words as another text."""
    own = [one for one in long.sentences.chunks if one.part == match.part]
    inside = [place for place, one in enumerate(own) if one.start < match.stop and match.start < one.stop]
    first, last, lengths = inside[0], inside[-1], [len(one.text.split()) for one in own]
    while first or last + 1 < len(own):
        onward = last + 1 < len(own)
        held, more = sum(lengths[first : last + 1]), lengths[last + 1 if onward else first - 1]
        if held + more / 2 > words:
            break
        first, last = (first, last + 1) if onward else (first - 1, last)
    while first < last and sum(lengths[first:last]) + lengths[last] / 2 > words:
        last -= 1
    part = long.document.parts[match.part]
    return part.chunk(long.document.id, match.part, own[first].start, own[last].stop)


def compare_versions(old: ReadDocument, new: ReadDocument, exclusions: Exclusions | None = None) -> Versions:
    """Return what a second version changes of the first; leaves out what a comparison does, but for short matches."""
    ours, theirs = (trim(one, exclusions or Exclusions()).text for one in (old, new))
    with one_torch_thread():
        return versions(ours, theirs, matches(old.sentences, new.sentences))


def _matched(
    a: TrimmedDocument, b: TrimmedDocument, min_words: int, meter: Meter, nearest: NearestSentences | None = None
) -> Matches:
    """Return what a comparison shows of the pairs of sentences of two documents, or of one and itself."""
    table = matches(a.read.sentences, b.read.sentences)
    return match(table, a.facts, b.facts, min_words, meter.add, nearest)


def carriers_of(a: ReadDocument, b: ReadDocument, cells: CellPairs) -> Carriers:
    """Return the sentences of two documents with the best pair of each cell."""
    scores = rounded((len(a.long.chunks), len(b.long.chunks)), lambda some: cells.scores[some])
    return Carriers(a.sentences.chunks, b.sentences.chunks, cells.pairs, scores)


def _lifted(a: TrimmedDocument, b: TrimmedDocument, best: Cosines) -> Matrix:
    """Mix the cosines of chunks with how well their best pair of sentences matches: (c_a, c_b)."""
    rows, columns = a.levels.chunks, np.asarray(b.levels.chunks, np.float64).T

    def lifted(some: slice) -> Matrix:
        near = np.clip((np.asarray(rows[some], np.float64) @ columns).round(DIGITS), 0, 1)
        return np.asarray((1 - PASSAGE_SHARE) * near + PASSAGE_SHARE * best[some], np.float64)

    return rounded((len(rows), columns.shape[1]), lifted)


def _chunk_names(read: ReadDocument) -> tuple[str, ...]:
    """Name chunks by their section, numbered where it has several: "Method 2/5"."""
    sections = read.long.section_of
    counts = np.bincount(sections, minlength=len(read.long.sections))
    seen = [0] * len(counts)
    names = []
    for section in sections.tolist():
        seen[section] += 1
        number = f" {seen[section]}/{counts[section]}" if counts[section] > 1 else ""
        names.append(f"{read.long.sections[section]}{number}")
    return tuple(names)


def _reading(a: TrimmedDocument, b: TrimmedDocument, score: float) -> Percentile:
    for one in (a, b):
        if not one.kept.chunks.any():
            return Percentile(None, f"Nothing of {one.read.document.name!r} is left to compare: all of it is left out.")
    return Calibration.from_facts(a.read.encoder.facts).read(score, (a.read.document.kind, b.read.document.kind))


# One document within itself -------------------------------------------------------------------


class Above:
    """The matches of a document's sentences with those after them: (s, s), 0 elsewhere."""

    def __init__(self, table: Table) -> None:
        """Take the matches of all with all."""
        self._table = table

    @property
    def shape(self) -> tuple[int, int]:
        """(s, s)."""
        return self._table.shape

    def rows(self, start: int, stop: int) -> Cosines:
        """Return the rows from `start` to before `stop`: (stop - start, s)."""
        return np.triu(self._table.rows(start, stop), start + 1)


def compare_within(
    document: ReadDocument, *, exclusions: Exclusions | None = None, report: Report = silent
) -> Comparison:
    """Compare a document's sections and chunks with each other, and find its passages that repeat each other.

    `across`, `within_a` and `within_b` are the same matrices; `attention` (c, c) is how much each chunk attends to each
    of them, and `attention_back` the same matrix. Raises what `compare` does.
    """
    chosen = exclusions or Exclusions()
    with one_torch_thread():
        whole = _compare(document, document, chosen, report)
    one, sentences = trim(document, chosen), document.sentences
    meter = Meter("compare sentences", len(sentences) * (2 if chosen.min_words > 0 else 1), report)
    found = match(Above(matches(sentences, sentences)), one.facts, one.facts, chosen.min_words, meter.add)
    meter.finish()
    both = (document.document, sentences.chunks)
    return _in_words(
        replace(
            whole,
            carriers=carriers_of(document, document, _mirrored(found.cells)),
            passages=pairs.passages(found, both, both),
            claims=(),
            is_within=True,
        )
    )


def _mirrored(cells: CellPairs) -> CellPairs:
    """Return the best pairs of sentences of all cells, from those of one half."""
    back: NDArray[np.int32] = cells.pairs.transpose(1, 0, 2)[..., ::-1]
    better = cells.scores.T > cells.scores
    return CellPairs(np.maximum(cells.scores, cells.scores.T), np.where(better[..., None], back, cells.pairs))


# Kept parts -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class TrimmedDocument:
    """A read document, which of its sentences and chunks are kept, what is scored, and what matching reads of it."""

    read: ReadDocument
    kept: KeptParts
    scored: KeptDocument
    text: Text
    facts: SentenceFacts

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


@dataclass(frozen=True, slots=True, eq=False)
class KeptTable:
    """A table that is held whole: `scores` (s_a, s_b)."""

    scores: Cosines

    @property
    def shape(self) -> tuple[int, int]:
        """(s_a, s_b)."""
        return self.scores.shape[0], self.scores.shape[1]

    def rows(self, start: int, stop: int) -> Cosines:
        """Return a copy of some rows."""
        return self.scores[start:stop].copy()


def trim(read: ReadDocument, exclusions: Exclusions) -> TrimmedDocument:
    """Return what some exclusions leave of a document, before short matches are dropped."""
    return _trimmed(read, exclusions.references, exclusions.recurring)


@lru_cache(maxsize=8)  # two documents with each choice of what is left out
def _trimmed(read: ReadDocument, references: bool, recurring: bool) -> TrimmedDocument:
    kept = read.kept(Exclusions(references, recurring))
    text = Text(read.document, read.sentences, kept.sentences, read.telling)
    counts, chunks = read.sentences.counts, len(read.long.chunks)
    facts = SentenceFacts(kept.sentences, read.telling, counts, text.follows, read.chunk_of, chunks)
    return TrimmedDocument(read, kept, KeptDocument.of(read, kept), text, facts)


def matches(ours: Stretches, theirs: Stretches) -> Table:
    """Return how well each sentence of a document matches each of another: (s_a, s_b); short documents' are kept."""
    if len(ours) * len(theirs) > _MOST_PAIRS:
        return Similarities(ours, theirs)
    return KeptTable(_matches(ours, theirs))


@lru_cache(maxsize=6)  # two comparisons: each document with itself and with the other
def _matches(ours: Stretches, theirs: Stretches) -> Cosines:
    return Similarities(ours, theirs).rows(0, len(ours))


def cached_parts(a: ReadDocument, b: ReadDocument, exclusions: Exclusions) -> CachedParts:
    """Return what two documents have in common, computed or taken from a recent comparison."""
    compute = _parts if len(a.long.chunks) * len(b.long.chunks) > _MOST_CELLS else _cached_parts
    return compute(a, b, exclusions.references, exclusions.recurring)


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


_cached_parts = lru_cache(maxsize=4)(_parts)


def _sections(a: TrimmedDocument, b: TrimmedDocument) -> Grid:
    ours, theirs = a.levels.sections, b.levels.sections
    return Grid(
        a.read.long.sections,
        b.read.long.sections,
        across=cosines(ours, theirs),
        within_a=cosines(ours, ours),
        within_b=cosines(theirs, theirs),
    )


def cosines(ours: DenseRows, theirs: DenseRows) -> Matrix:
    """Return the inner products of rows at unit length: (n_a, n_b)."""
    columns = np.asarray(theirs, np.float64).T
    return rounded((len(ours), len(theirs)), lambda some: np.asarray(ours[some], np.float64) @ columns)


def _attention(a: TrimmedDocument, b: TrimmedDocument) -> Matrix:
    """Return how much each kept chunk of a attends to the chunks of b: (c_a, c_b)."""
    found = np.zeros((len(a.kept.chunks), len(b.kept.chunks)), np.float32)
    if a.kept.chunks.any() and b.kept.chunks.any():
        ours, theirs = (one.read.of_chunks(one.kept.chunks) for one in (a, b))
        found[np.ix_(a.kept.chunks, b.kept.chunks)] = a.read.encoder.attends(ours, theirs)
    return rounded((found.shape[0], found.shape[1]), lambda some: found[some])


def _claim_chart(a: TrimmedDocument, b: TrimmedDocument) -> tuple[ClaimElement, ...]:
    """Return the elements of one document's claims against the other's sentences."""
    return claim_chart(a.read.elements, a.read.claim_of, b.read.sentences, b.kept.sentences)
