"""The nearest others of rows among themselves: which products are the same either way, and what they give."""

from __future__ import annotations

import numpy as np
import pytest

from engine.encoders import mutual as products
from engine.encoders.mutual import mutual, nearest_others
from tests.encoders.test_products import spread_rows

K = 5


def by_hand(queries: np.ndarray, rows: np.ndarray, asking: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scores = queries.astype(np.float64) @ rows.T.astype(np.float64)
    np.fill_diagonal(scores, -np.inf)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :K]
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
    monkeypatch.setattr(products, "_BLOCK", block)
    rows = spread_rows()
    queries = asking_rows(rows, way)
    found = mutual(rows, queries)
    asking, told = np.flatnonzero(found), []
    answer = nearest_others(rows, queries, asking, K, done=told.append)
    places, scores = by_hand(queries, rows, asking)
    np.testing.assert_array_equal(answer.places, places)
    np.testing.assert_allclose(answer.scores, scores, atol=1e-6)
    assert sum(told) == len(asking)


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
    answer = nearest_others(rows, rows, np.arange(len(rows)), 3, done=lambda _: None)
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
    answer = nearest_others(rows, rows, np.arange(0), K, done=lambda _: None)
    assert answer.places.shape == answer.scores.shape == (0, K)


def test_rows_of_zeros_are_mutual() -> None:
    rows = np.zeros((30, 4), np.float32)
    assert mutual(rows, rows).all()
