"""F1 of pairs, V-measure and ARI by worked examples: five documents of two classes."""

from __future__ import annotations

import math

import pytest

from engine.evaluation.metrics.adjusted_rand import adjusted_rand
from engine.evaluation.metrics.pair_f1 import pair_f1
from engine.evaluation.metrics.v_measure import v_measure

CLASSES = [0, 0, 0, 1, 1]
CLUSTERS = [5, 5, 6, 6, 6]
"""Same class: 3 + 1 pairs; same cluster: 1 + 3 pairs; both: 1 of the first cluster, 1 of the second."""


def test_pairs_that_share_a_class_are_sought_in_one_cluster() -> None:
    assert pair_f1(CLASSES, CLUSTERS) == pytest.approx(2 * (2 / 4) * (2 / 4) / (2 / 4 + 2 / 4))


def test_v_measure_is_by_entropies() -> None:
    both = math.log(5) - (2 * math.log(2) + 2 * math.log(2)) / 5  # joint entropy of (2, 1, 2) of 5
    one = math.log(5) - (3 * math.log(3) + 2 * math.log(2)) / 5  # entropy of (3, 2) of 5
    assert v_measure(CLASSES, CLUSTERS) == pytest.approx(1 - (both - one) / one)


def test_the_rand_index_is_measured_against_chance() -> None:
    expected = 4 * 4 / 10
    assert adjusted_rand(CLASSES, CLUSTERS) == pytest.approx((2 - expected) / ((4 + 4) / 2 - expected))


def test_the_same_partition_under_other_names_is_perfect() -> None:
    for score in (pair_f1, v_measure, adjusted_rand):
        assert score([0, 0, 1, 1], [7, 7, 3, 3]) == pytest.approx(1)


def test_no_shared_pair_scores_zero() -> None:
    assert pair_f1([0, 0, 1, 1], [0, 1, 2, 3]) == 0
    assert pair_f1([0, 1], [0, 1]) == 0
