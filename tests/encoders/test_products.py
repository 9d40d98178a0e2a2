"""The largest products of many rows with many."""

from __future__ import annotations

import numpy as np
import pytest

from engine.encoders.products import Products
from engine.rows import DenseRows

TOPICS, EACH, DIM = 40, 25, 48


def spread_rows(seed: int = 3) -> DenseRows:
    """Rows of several topics, each at unit length."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(TOPICS, DIM))
    rows = np.repeat(centres, EACH, axis=0) + 0.8 * random.normal(size=(TOPICS * EACH, DIM))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def by_hand(queries: DenseRows, rows: DenseRows, k: int) -> tuple[np.ndarray, np.ndarray]:
    scores = queries.astype(np.float64) @ rows.T.astype(np.float64)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(scores, order, 1)


def test_a_certain_answer_is_the_one_in_double_precision() -> None:
    rows = spread_rows()
    found = Products(rows).largest(rows[::3], 5)
    places, scores = by_hand(rows[::3], rows, 5)
    assert found.certain.mean() > 0.9
    np.testing.assert_array_equal(found.places[found.certain], places[found.certain])
    np.testing.assert_allclose(found.scores, scores, atol=1e-2)
    np.testing.assert_allclose(found.scores[found.certain], scores[found.certain], atol=1e-6)


def test_rows_too_near_for_bfloat16_are_not_called_certain() -> None:
    random = np.random.default_rng(0)
    rows = np.ones((200, DIM), np.float32) + 1e-4 * random.normal(size=(200, DIM)).astype(np.float32)
    assert not Products(rows).largest(rows, 5).certain.any()


def test_a_product_that_is_rounded_down_three_times_leaves_doubt() -> None:
    """Both rows lose nearly 2^-8 of each number, and the sum, 257, is 256 in bfloat16: 259 stands as 256."""
    low = np.full((1, 257), 1 + 2.0**-8 - 2.0**-20, np.float32)
    rows = np.concatenate([np.repeat(low, 300, axis=0), np.ones((1, 257), np.float32)])
    rows[-1, 0] = 1.5  # stands as 258, is 258.5
    found = Products(rows).largest(low, 1)
    assert (low @ low.T).item() > 258.9
    assert not found.certain.any()


def test_no_product_of_a_table_is_further_off_than_the_bound() -> None:
    import torch

    rows = spread_rows()
    table = (torch.from_numpy(rows).bfloat16() @ torch.from_numpy(rows).bfloat16().T).float().numpy()
    bound = 2.0**-8 * (2 + np.abs(table))  # of rows at unit length
    assert (np.abs(table - rows.astype(np.float64) @ rows.T.astype(np.float64)) < bound).all()


def test_long_queries_and_long_rows_count_in_what_is_certain() -> None:
    rows = spread_rows()
    usual, longer = (Products(rows * scale).largest(rows[:50] * scale, 5) for scale in (1.0, 100.0))
    np.testing.assert_array_equal(longer.certain, usual.certain)


def test_equal_rows_come_as_they_stand() -> None:
    rows = np.repeat(spread_rows()[:30], 2, axis=0)
    found = Products(rows).largest(rows[:4], 2)
    np.testing.assert_array_equal(found.places, [[0, 1], [0, 1], [2, 3], [2, 3]])


def test_all_rows_as_candidates_are_certain() -> None:
    rows = spread_rows()[:7]
    found = Products(rows).largest(rows, 4)
    assert found.certain.all()
    np.testing.assert_array_equal(found.places, by_hand(rows, rows, 4)[0])


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_one_table_is_bounded(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.encoders.products._TABLE_NUMBERS", 2_000)
    assert Products(spread_rows()[:size]).queries_at_once == {1: 2_000, 5: 400, 1000: 2}[size]
