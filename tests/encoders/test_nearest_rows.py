"""The largest products of many rows with many, and of rows among themselves where these are the same either way."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core.rows import DenseRows
from engine.encoders.nearest_rows import QuickProducts, mutual, nearest_others

TOPICS, EACH, DIM = 40, 25, 48
OTHERS = 5


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
    found = QuickProducts(rows).largest(rows[::3], 5)
    places, scores = by_hand(rows[::3], rows, 5)
    assert found.certain.mean() > 0.9
    np.testing.assert_array_equal(found.places[found.certain], places[found.certain])
    np.testing.assert_allclose(found.scores, scores, atol=1e-2)
    np.testing.assert_allclose(found.scores[found.certain], scores[found.certain], atol=1e-6)


def test_rows_too_near_for_bfloat16_are_not_called_certain() -> None:
    random = np.random.default_rng(0)
    rows = np.ones((200, DIM), np.float32) + 1e-4 * random.normal(size=(200, DIM)).astype(np.float32)
    assert not QuickProducts(rows).largest(rows, 5).certain.any()


def test_a_product_that_is_rounded_down_three_times_leaves_doubt() -> None:
    """Both rows lose nearly 2^-8 of each number, and the sum, 257, is 256 in bfloat16: 259 stands as 256."""
    low = np.full((1, 257), 1 + 2.0**-8 - 2.0**-20, np.float32)
    rows = np.concatenate([np.repeat(low, 300, axis=0), np.ones((1, 257), np.float32)])
    rows[-1, 0] = 1.5  # stands as 258, is 258.5
    found = QuickProducts(rows).largest(low, 1)
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
    usual, longer = (QuickProducts(rows * scale).largest(rows[:50] * scale, 5) for scale in (1.0, 100.0))
    np.testing.assert_array_equal(longer.certain, usual.certain)


def test_equal_rows_come_as_they_stand() -> None:
    rows = np.repeat(spread_rows()[:30], 2, axis=0)
    found = QuickProducts(rows).largest(rows[:4], 2)
    np.testing.assert_array_equal(found.places, [[0, 1], [0, 1], [2, 3], [2, 3]])


def test_all_rows_as_candidates_are_certain() -> None:
    rows = spread_rows()[:7]
    found = QuickProducts(rows).largest(rows, 4)
    assert found.certain.all()
    np.testing.assert_array_equal(found.places, by_hand(rows, rows, 4)[0])


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_one_table_is_bounded(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.encoders.nearest_rows._TABLE_NUMBERS", 2_000)
    assert QuickProducts(spread_rows()[:size]).queries_at_once == {1: 2_000, 5: 400, 1000: 2}[size]


def others_by_hand(queries: np.ndarray, rows: np.ndarray, asking: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scores = queries.astype(np.float64) @ rows.T.astype(np.float64)
    np.fill_diagonal(scores, -np.inf)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :OTHERS]
    return order[asking], np.take_along_axis(scores, order, 1)[asking]


def asking_rows(rows: np.ndarray, way: str) -> np.ndarray:
    """Rows to ask with: the same, with halves that change places, or of some that weigh their first half less."""
    if way == "halves":
        return np.roll(rows, rows.shape[1] // 2, axis=1)
    queries = rows.copy()
    if way == "some weigh otherwise":
        queries[::7, : rows.shape[1] // 2] *= 0.125
    return queries


@pytest.mark.parametrize("way", ["the same", "halves", "some weigh otherwise"])
@pytest.mark.parametrize("block", [64, 333, 2_048])
def test_every_row_gets_what_it_would_find_alone(way: str, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.encoders.nearest_rows._BLOCK", block)
    rows = spread_rows()
    queries = asking_rows(rows, way)
    told: list[int] = []
    answer = nearest_others(rows, queries, OTHERS, done=told.append)
    np.testing.assert_array_equal(answer.asking, np.flatnonzero(mutual(rows, queries)))
    places, scores = others_by_hand(queries, rows, answer.asking)
    np.testing.assert_array_equal(answer.places, places)
    np.testing.assert_allclose(answer.scores, scores, atol=1e-6)
    assert sum(told) == len(answer.asking)


def test_rows_that_ask_otherwise_are_not_mutual() -> None:
    rows = spread_rows()
    assert mutual(rows, rows).all()
    assert mutual(rows, asking_rows(rows, "halves")).all()
    some = mutual(rows, asking_rows(rows, "some weigh otherwise"))
    np.testing.assert_array_equal(some, np.arange(len(rows)) % 7 != 0)


def test_no_row_is_mutual_where_asking_is_another_map() -> None:
    rows = spread_rows()
    turned = np.linalg.qr(np.random.default_rng(1).normal(size=(rows.shape[1],) * 2))[0].astype(np.float32)
    assert not mutual(rows, rows @ turned).any()
    assert not mutual(rows, -np.abs(rows)).any()


def test_what_no_probe_sees_is_seen_in_the_whole() -> None:
    rows = spread_rows()
    queries = rows.copy()
    queries[500] *= 2  # stands between two probes, and differs from those by as much
    found = mutual(rows, queries)
    assert not found[500]
    quiet = np.zeros((1_000, 4), np.float32)
    quiet[:, 0] = 1
    odd = quiet.copy()
    odd[501, 1], odd[503, 2] = 1, 1  # alike for every probe; for each other they are not
    asked = odd.copy()
    asked[501, 2] = 1
    assert not mutual(odd, asked).any()


def test_equal_rows_come_as_they_stand_and_nobody_finds_themselves() -> None:
    rows = np.repeat(spread_rows()[:20], 4, axis=0)
    answer = nearest_others(rows, rows, 3, done=lambda _: None)
    np.testing.assert_array_equal(answer.places[:2], [[1, 2, 3], [0, 2, 3]])
    assert (answer.places != np.arange(len(rows))[:, None]).all()


def test_a_short_row_beside_long_ones_is_judged_by_its_own_length() -> None:
    rows = spread_rows()
    rows[501] *= 1e-6
    queries = rows.copy()
    queries[501, : rows.shape[1] // 2] *= 0.125
    np.testing.assert_array_equal(np.flatnonzero(~mutual(rows, queries)), [501])


def test_where_none_are_mutual_there_is_nothing_to_find() -> None:
    rows = spread_rows()
    answer = nearest_others(rows, -np.abs(rows), OTHERS, done=lambda _: None)
    assert answer.places.shape == answer.scores.shape == (0, OTHERS)


def test_rows_of_zeros_are_mutual() -> None:
    rows = np.zeros((30, 4), np.float32)
    assert mutual(rows, rows).all()
