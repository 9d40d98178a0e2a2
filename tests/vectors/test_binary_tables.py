"""Hash tables ask the nearest buckets first, and no more rows than were asked for."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from engine.vectors.codes import HashTables, bits_for, keys_of

BITS, TABLES, SIZE = 6, 3, 400


@pytest.fixture
def margins() -> np.ndarray:
    return np.random.default_rng(4).normal(size=(SIZE, TABLES, BITS)).astype(np.float32)


@pytest.fixture
def tables(margins: np.ndarray) -> HashTables:
    return HashTables.build(keys_of(margins), BITS)


def likeliest(query: np.ndarray, margins: np.ndarray) -> list[tuple[float, int, int]]:
    """Every bucket of every table by its penalty, computed one by one: penalty, table, key."""
    buckets = []
    for table, flipped in itertools.product(range(TABLES), itertools.product([False, True], repeat=BITS)):
        bits = (query[table] > 0) ^ np.array(flipped)
        penalty = float((query[table][np.array(flipped)] ** 2).sum())
        buckets.append((penalty, table, int((bits * 2 ** np.arange(BITS)).sum())))
    return sorted(buckets)


@pytest.mark.parametrize("most", [1, 7, 60, 300])
def test_rows_are_those_of_the_nearest_buckets_of_all_tables(
    tables: HashTables, margins: np.ndarray, most: int
) -> None:
    query, keys = margins[0] + 0.1, keys_of(margins)
    expected: list[int] = []
    for _, table, key in likeliest(query, margins):
        expected += np.flatnonzero(keys[table] == key).tolist()
    np.testing.assert_array_equal(tables.find(query, most), sorted(set(expected[:most])))


def test_all_rows_are_found_where_all_are_asked_for(tables: HashTables, margins: np.ndarray) -> None:
    np.testing.assert_array_equal(tables.find(margins[3], 3 * SIZE), np.arange(SIZE))
    assert tables.bits == BITS


def test_a_bucket_with_more_rows_than_are_asked_for_gives_its_first(margins: np.ndarray) -> None:
    alike = HashTables.build(keys_of(np.ones((50, 1, BITS), np.float32)), BITS)
    np.testing.assert_array_equal(alike.find(np.ones((1, BITS), np.float32), 8), np.arange(8))
    away = alike.find(-np.ones((1, BITS), np.float32), 8)
    np.testing.assert_array_equal(away, np.arange(8))


def test_keys_grow_with_the_logarithm_of_the_rows() -> None:
    assert [bits_for(size, 32) for size in (1, 8, 1_000, 100_000, 1_000_000)] == [1, 1, 7, 14, 17]
    assert bits_for(1_000_000, 9) == 9
