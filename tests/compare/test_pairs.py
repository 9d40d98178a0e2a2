"""Pairs of sentences, some rows at a time, beside a plain reckoning of all at once; passages are runs of them."""

from __future__ import annotations

import re

import numpy as np
import pytest

from engine.compare import pairs
from engine.compare.model import Passage
from engine.compare.pairs import (
    LEAST_SCORE,
    NEXT_SCORE,
    Bits,
    Candidates,
    CellPairs,
    Cosines,
    Matches,
    SentenceFacts,
    long_enough,
    match,
    passages,
)
from engine.core.rows import Flags, Positions, largest
from engine.documents import Chunk, Document, Section


class Whole:
    """A table that is held whole, and which rows of it were asked for."""

    def __init__(self, scores: Cosines) -> None:
        self.scores, self.asked = scores, list[tuple[int, int]]()

    @property
    def shape(self) -> tuple[int, int]:
        return self.scores.shape[0], self.scores.shape[1]

    def rows(self, start: int, stop: int) -> Cosines:
        self.asked.append((start, stop))
        return self.scores[start:stop].copy()


def side(size: int, drawn: np.random.Generator, *, chunks: int = 1) -> SentenceFacts:
    """Sentences of which some are left out, and some lie in no chunk."""
    chunk_of = np.sort(drawn.integers(0, chunks, size))
    chunk_of[drawn.random(size) < 0.1] = -1
    kept, telling, follows = (drawn.random(size) < share for share in (0.9, 0.8, 0.85))
    return SentenceFacts(kept, telling, drawn.integers(0, 12, size), follows, chunk_of, chunks)


def plain_enough(scores: Cosines, counts: list[Positions], follows: list[Flags], least: int) -> Flags:
    """A pair at a time: from it back and forward along its passage."""
    rows, columns = scores.shape
    enough = np.zeros(scores.shape, np.bool_)

    def joined(row: int, column: int) -> bool:
        """Whether a pair goes on from the one before."""
        inside = 0 < row < rows and 0 < column < columns
        return inside and bool(
            follows[0][row] and follows[1][column] and min(scores[row, column], scores[row - 1, column - 1]) >= 0.55
        )

    for row in range(rows):
        for column in range(columns):
            first, last = 0, 0
            while joined(row + first, column + first):
                first -= 1
            while joined(row + last + 1, column + last + 1):
                last += 1
            passage = range(first, last + 1)
            ours, theirs = sum(counts[0][row + n] for n in passage), sum(counts[1][column + n] for n in passage)
            enough[row, column] = min(ours, theirs) >= least
    return enough


def plain(scores: Cosines, a: SentenceFacts, b: SentenceFacts, least: int) -> Matches:
    """All pairs at once."""
    scores = scores * a.kept[:, None] * b.kept
    telling = scores * a.telling[:, None] * b.telling
    counts, follows = [a.counts, b.counts], [a.follows, b.follows]
    left = telling * (plain_enough(scores, counts, follows, least) if least else 1)
    cells = pairs.CellPairs.empty((a.chunks, b.chunks))
    for row in range(a.chunks):
        for column in range(b.chunks):
            places = np.argwhere((a.chunk_of == row)[:, None] & (b.chunk_of == column))
            best = max(places.tolist(), key=lambda place: left[tuple(place)], default=None)
            if best is not None and left[tuple(best)] > 0:
                cells.scores[row, column], cells.pairs[row, column] = left[tuple(best)], best
    flat = np.flatnonzero(left.ravel() >= LEAST_SCORE)
    chosen = np.sort(flat[largest(left.ravel()[flat], pairs.MOST_CANDIDATES)])
    bits = Bits.unset(scores.shape)
    bits.put(0, scores >= NEXT_SCORE)
    gone = [
        int(((telling >= LEAST_SCORE).any(axis) & ~(left >= LEAST_SCORE).any(axis)).sum()) if least else 0
        for axis in (1, 0)
    ]
    return Matches(cells, pairs.Candidates(scores.shape[1], chosen, left.ravel()[chosen]), bits, (gone[0], gone[1]))


@pytest.mark.parametrize("least", [0, 15])
@pytest.mark.parametrize("block", [1, 40, 100, 10**6])
def test_some_rows_at_a_time_keep_what_all_at_once_show(
    block: int, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairs, "WHOLE_PAIRS", 1)
    monkeypatch.setattr(pairs, "BLOCK_PAIRS", block)
    monkeypatch.setattr(pairs, "MOST_CANDIDATES", 25)
    drawn = np.random.default_rng(block)
    for rows, columns in ((23, 17), (9, 30), (1, 1), (12, 12)):
        scores = drawn.choice(np.linspace(0, 1, 12), (rows, columns)).astype(np.float32)
        a, b = side(rows, drawn, chunks=5), side(columns, drawn, chunks=4)
        table, done = Whole(scores), list[int]()
        found, wanted = match(table, a, b, least, done.append), plain(scores, a, b, least)
        assert np.allclose(found.cells.scores, wanted.cells.scores, atol=1e-5)
        assert np.array_equal(found.cells.pairs, wanted.cells.pairs)
        assert list(found.candidates.pairs()) == list(wanted.candidates.pairs())
        assert np.array_equal(found.follows.packed, wanted.follows.packed)
        assert found.short == wanted.short
        assert sum(done) == rows * (2 if least else 1)
        assert max(stop - start for start, stop in table.asked) <= max(1, block // columns)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.95, 1.0])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (9, 1), (13, 17), (20, 20), (0, 4)])
def test_passages_count_the_words_of_all_their_pairs_on_either_side(share: float, shape: tuple[int, int]) -> None:
    drawn = np.random.default_rng(7)
    scores = np.where(drawn.random(shape) < share, 0.8, 0.5).astype(np.float32)
    a, b = (side(size, drawn) for size in shape)
    follows = Bits.unset(shape)
    follows.put(0, scores >= NEXT_SCORE)
    for least in (1, 6, 15, 40):
        found = long_enough(follows, a, b, least).rows(0, shape[0])
        assert np.array_equal(found, plain_enough(scores, [a.counts, b.counts], [a.follows, b.follows], least))


def test_a_sentence_went_as_too_short_where_no_match_of_it_is_left() -> None:
    scores = np.array([[0.9, 0.0, 0.5], [0.0, 0.6, 0.3], [0.2, 0.1, 0.0]], np.float32)
    every, none = np.ones(3, np.bool_), np.zeros(3, np.bool_)
    ours, theirs = (
        SentenceFacts(every, every, np.array(counts), none, np.zeros(3, np.int64), 1) for counts in ([9, 3, 9],) * 2
    )
    assert match(Whole(scores), ours, theirs, 9, lambda _: None).short == (1, 1)
    assert match(Whole(scores), ours, theirs, 0, lambda _: None).short == (0, 0)


def test_flags_are_held_eight_to_a_byte() -> None:
    flags = np.random.default_rng(2).random((5, 21)) < 0.5
    bits = Bits.unset((5, 21))
    bits.put(0, flags)
    assert (bits.shape, bits.packed.shape) == ((5, 21), (5, 3))
    assert np.array_equal(bits.rows(1, 4), flags[1:4])
    assert [[bits.holds(row, column) for column in range(21)] for row in range(5)] == flags.tolist()


def test_no_pair_without_sentences() -> None:
    drawn = np.random.default_rng(1)
    found = match(Whole(np.zeros((0, 4), np.float32)), side(0, drawn), side(4, drawn), 6, lambda _: None)
    assert not found.cells.scores.any() and list(found.candidates.pairs()) == []


def test_no_pair_of_sentences_stands_in_two_passages() -> None:
    drawn = np.random.default_rng(5)
    documents = [Document(name, sections=(Section("", " ".join(f"{name}{n}." for n in range(12))),)) for name in "ab"]
    sentences = [_words(one) for one in documents]
    for _ in range(20):
        scores = drawn.choice([0.45, 0.5, 0.6, 0.8], (12, 12)).astype(np.float32)
        found = passages(_matches(scores), (documents[0], sentences[0]), (documents[1], sentences[1]))
        pairs = [pair for one in found for pair in _pairs(one, sentences)]
        assert len(pairs) == len(set(pairs)) > 12


def _matches(scores: Cosines) -> Matches:
    candidates, follows = Candidates.none(scores.shape[1]), Bits.unset((scores.shape[0], scores.shape[1]))
    candidates.add(0, scores)
    follows.put(0, scores >= NEXT_SCORE)
    return Matches(CellPairs.empty((1, 1)), candidates, follows, (0, 0))


def _words(document: Document) -> list[Chunk]:
    text = document.parts[0].text
    return [Chunk(document.id, 0, "", one.start(), one.end(), one.group()) for one in re.finditer(r"\S+", text)]


def _pairs(passage: Passage, sentences: list[list[Chunk]]) -> list[tuple[int, int]]:
    """The pairs of sentences of a passage, which run in step on both sides."""
    places = [
        [n for n, one in enumerate(held) if side.start <= one.start and one.stop <= side.stop]
        for side, held in zip((passage.a, passage.b), sentences, strict=True)
    ]
    return list(zip(*places, strict=True))
