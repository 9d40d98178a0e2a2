"""Which sets are alike: the same pairs as comparing all with all."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from engine.research.wiki.similar import alike, jaccard


def some_sets(seed: int) -> list[frozenset[int]]:
    """Sets of which many are changed copies of others."""
    generator = np.random.default_rng(seed)
    found = [frozenset(generator.integers(0, 60, generator.integers(0, 14)).tolist()) for _ in range(30)]
    changed = [frozenset({*list(one)[: generator.integers(0, 15)], 61 + seed}) for one in found * 2]
    return found + changed


@pytest.mark.parametrize("above", [0.0, 0.3, 0.5, 0.75])
def test_they_are_those_of_comparing_all_with_all(above: float) -> None:
    for seed in range(4):
        sets = some_sets(seed)
        wanted = [
            (a, b)
            for a, b in combinations(range(len(sets)), 2)
            if sets[a] | sets[b] and len(sets[a] & sets[b]) / len(sets[a] | sets[b]) > above
        ]
        assert wanted and alike(sets, above=above) == wanted


def test_the_bound_itself_is_not_above_it() -> None:
    sets = [frozenset({1, 2}), frozenset({1, 2, 3, 4}), frozenset({1, 2, 3})]
    assert jaccard(sets[0], sets[1]) == 0.5 and jaccard(set(), set()) == 0
    assert alike(sets, above=0.5) == [(0, 2), (1, 2)]
