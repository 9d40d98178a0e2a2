"""Rows by their signs: how many differ, and which rows differ least."""

from __future__ import annotations

import numpy as np
import pytest

from engine.vectors.segments import Signs, fewest


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
    differing = Signs.of(rows).differing(drawn(1, 64, 1)[0])
    found = fewest(differing, 40, np.ones(500, bool))
    assert 40 <= len(found) and (np.diff(found) > 0).all()
    assert differing[found].max() < np.delete(differing, found).min()


def test_only_rows_that_count_are_chosen() -> None:
    differing = Signs.of(drawn(500, 64)).differing(drawn(1, 64, 1)[0])
    among = np.arange(500) % 7 == 0
    found = fewest(differing, 20, among)
    assert among[found].all() and len(found) >= 20
    np.testing.assert_array_equal(fewest(differing, 1_000, among), np.flatnonzero(among))
    assert not len(fewest(differing, 20, np.zeros(500, bool)))
