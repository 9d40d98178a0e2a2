"""Which pairs of sentences stand in a passage, and in one of enough words, beside a plain reckoning."""

from __future__ import annotations

import re

import numpy as np
import pytest

from engine.compare.base import Passage
from engine.compare.passages import Scores, cells, long_enough, passages, too_short
from engine.documents import Chunk, Document, Section


def plain(scores: Scores, counts: list[np.ndarray], follows: list[np.ndarray], least: int) -> Scores:
    """A pair at a time: from it back and forward along its passage."""
    rows, columns = scores.shape
    enough = np.zeros(scores.shape, np.float32)

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


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.95, 1.0])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (9, 1), (13, 17), (20, 20), (0, 4)])
def test_passages_count_the_words_of_all_their_pairs_on_either_side(share: float, shape: tuple[int, int]) -> None:
    drawn = np.random.default_rng(7)
    scores = np.where(drawn.random(shape) < share, 0.8, 0.5).astype(np.float32)
    counts = [drawn.integers(0, 12, size) for size in shape]
    follows = [drawn.random(size) < 0.85 for size in shape]
    for least in (1, 6, 15, 40):
        found = long_enough(scores, (counts[0], counts[1]), (follows[0], follows[1]), least)
        assert np.array_equal(found, plain(scores, counts, follows, least))


def test_a_cell_has_its_best_pair_and_an_empty_one_none() -> None:
    scores = np.random.default_rng(3).random((6, 5)).astype(np.float32)
    of_a, of_b = np.array([0, 0, -1, 2, 2, 2]), np.array([1, 1, 2, 2, -1])
    found = cells(scores, of_a, of_b, (3, 3))
    for row in range(3):
        for column in range(3):
            block = scores[np.ix_(of_a == row, of_b == column)]
            assert found.scores[row, column] == (block.max() if block.size else 0)
            ours, theirs = found.pairs[row, column]
            assert scores[ours, theirs] == block.max() if block.size else (ours, theirs) == (-1, -1)


def test_no_pair_of_sentences_stands_in_two_passages() -> None:
    drawn = np.random.default_rng(5)
    documents = [Document(name, sections=(Section("", " ".join(f"{name}{n}." for n in range(12))),)) for name in "ab"]
    sentences = [_words(one) for one in documents]
    for _ in range(20):
        scores = drawn.choice([0.45, 0.5, 0.6, 0.8], (12, 12)).astype(np.float32)
        found = passages(scores, scores, (documents[0], sentences[0]), (documents[1], sentences[1]))
        pairs = [pair for one in found for pair in _pairs(one, sentences)]
        assert len(pairs) == len(set(pairs)) > 12


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


def test_a_sentence_went_as_too_short_where_no_match_of_it_is_left() -> None:
    matching = np.array([[0.9, 0.0, 0.5], [0.0, 0.6, 0.3], [0.2, 0.1, 0.0]], np.float32)
    enough = np.array([[0.9, 0.0, 0.0], [0.0, 0.0, 0.3], [0.2, 0.1, 0.0]], np.float32)
    assert too_short(matching, enough) == (1, 2)  # the second of ours; the second and the third of theirs
    assert too_short(matching, matching) == (0, 0)
