"""The largest of many scores, and how well two sides match both ways."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.core.rows import both_ways, largest, unit_length, unit_length_sparse


@pytest.mark.parametrize(
    ("k", "expected"), [(0, []), (1, [1]), (2, [1, 3]), (3, [1, 3, 0]), (5, [1, 3, 0, 4, 2]), (9, [1, 3, 0, 4, 2])]
)
def test_the_largest_come_first_and_of_equal_ones_the_earlier(k: int, expected: list[int]) -> None:
    scores = np.array([0.5, 0.9, -1.0, 0.9, 0.5], np.float32)
    assert largest(scores, k).tolist() == expected


def test_it_agrees_with_a_full_sort() -> None:
    scores = np.random.default_rng(0).integers(0, 20, 500).astype(np.float32)
    whole = np.argsort(-scores, kind="stable")
    for k in (1, 7, 100, 499, 500):
        assert largest(scores, k).tolist() == whole[:k].tolist()


def test_the_best_matches_of_both_sides_count_alike() -> None:
    ours = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
    theirs = np.array([[1, 0]], np.float32)
    assert both_ways(ours, theirs) == pytest.approx(((1 + 0 + 0.6) / 3 + 1) / 2)
    assert both_ways(theirs, ours) == both_ways(ours, theirs)
    assert both_ways(ours, ours) == pytest.approx(1)
    assert both_ways(ours, theirs[:0]) == both_ways(theirs[:0], ours) == 0


@pytest.mark.parametrize(
    ("best", "expected"),
    [
        (0.01, (1 + 1) / 2),
        (0.34, ((1 + 0.6) / 2 + 1) / 2),
        (0.67, ((1 + 0.6 + 0) / 3 + 1) / 2),
        (1.0, (1.6 / 3 + 1) / 2),
    ],
)
def test_the_best_share_of_each_side_counts_rounded_up(best: float, expected: float) -> None:
    ours, theirs = np.array([[0, 1], [1, 0], [0.6, 0.8]], np.float32), np.array([[1, 0]], np.float32)
    assert both_ways(ours, theirs, best=best) == pytest.approx(expected)
    assert both_ways(theirs, ours, best=best) == pytest.approx(expected)


def test_a_row_is_divided_by_its_length_and_zeros_stay() -> None:
    rows = np.array([[3, 4], [0, 0], [0, -2]], np.float32)
    for given, found in ((rows, unit_length(rows)), (csr_array(rows), unit_length_sparse(csr_array(rows)).toarray())):
        np.testing.assert_allclose(found, [[0.6, 0.8], [0, 0], [0, -1]], rtol=1e-6)
        assert found.dtype == np.float32
        assert given[[0]].sum() == 7, "the rows that were given stay as they are"
    assert unit_length(rows[:0]).shape == (0, 2)
    assert unit_length_sparse(csr_array(rows[:0])).shape == (0, 2)


def test_many_small_numbers_lose_no_length() -> None:
    rows = np.full((1, 100_000), 1e-3, np.float32)
    for found in (unit_length(rows), unit_length_sparse(csr_array(rows)).toarray()):
        np.testing.assert_allclose(np.linalg.norm(found.astype(np.float64), axis=1), 1, atol=1e-4)
