"""Rows by their signs: how many differ, and which rows differ least."""

from __future__ import annotations

import numpy as np
import pytest

from engine.passages.signs import Signs


def drawn(size: int, dim: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(size, dim)).astype(np.float32)


@pytest.mark.parametrize("dim", [3, 16, 64, 100, 384])
def test_signs_that_differ_are_counted_whatever_the_width(dim: int) -> None:
    rows = drawn(9_000, dim)
    rows[5, 0] = 0
    query = drawn(1, dim, 1)[0]
    expected = ((rows >= 0) != (query >= 0)).sum(axis=1)
    np.testing.assert_array_equal(Signs.of(rows).differing(query), expected)


def test_bytes_have_the_signs_of_what_they_stand_for() -> None:
    codes = np.array([[-127, 0, 3], [1, -1, 127]], np.int8)
    np.testing.assert_array_equal(Signs.of(codes).words, Signs.of(codes.astype(np.float32)).words)


def test_those_that_differ_least_are_chosen_and_ties_are_all_taken() -> None:
    rows = drawn(500, 64)
    query = drawn(1, 64, 1)[0]
    signs, every = Signs.of(rows), np.ones(500, bool)
    found = signs.nearest(query, 40, every)
    differing = signs.differing(query)
    assert 40 <= len(found) and (np.diff(found) > 0).all()
    assert differing[found].max() < np.delete(differing, found).min()


def test_only_rows_that_count_are_chosen() -> None:
    rows, query = drawn(500, 64), drawn(1, 64, 1)[0]
    among = np.arange(500) % 7 == 0
    signs = Signs.of(rows)
    assert among[signs.nearest(query, 20, among)].all() and len(signs.nearest(query, 20, among)) >= 20
    np.testing.assert_array_equal(signs.nearest(query, 1_000, among), np.flatnonzero(among))
    assert not len(signs.nearest(query, 20, np.zeros(500, bool)))


def test_all_that_count_are_chosen_where_even_the_furthest_does() -> None:
    rows = -np.ones((3, 64), np.float32)
    found = Signs.of(rows).nearest(np.ones(64, np.float32), 2, np.array([True, False, True]))
    np.testing.assert_array_equal(found, [0, 2])
