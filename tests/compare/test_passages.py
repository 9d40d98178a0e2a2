"""Which pairs of sentences stand in a passage of enough words, beside a plain reckoning."""

from __future__ import annotations

import numpy as np
import pytest

from engine.compare.passages import Scores, cells, long_enough


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
            words = sum(min(counts[0][row + n], counts[1][column + n]) for n in range(first, last + 1))
            enough[row, column] = words >= least
    return enough


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.95, 1.0])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (9, 1), (13, 17), (20, 20), (0, 4)])
def test_passages_count_the_words_of_all_their_pairs(share: float, shape: tuple[int, int]) -> None:
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
