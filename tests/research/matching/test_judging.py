"""The threshold, the figures at it, and the test of two rows on the same pairs."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EvaluationError
from engine.research.matching.judging import Judged, choose_threshold, compare, figures, judge
from engine.research.matching.scores import Scored
from tests.research.matching.small_pairs import lines, pair_set


def accuracy(scores: np.ndarray, related: np.ndarray, threshold: float) -> float:
    return float(((scores >= threshold) == related).mean())


def threshold_of(scores: list[float], related: list[int]) -> float:
    return choose_threshold(np.array(scores, np.float64), np.array(related, np.bool_))


def test_the_threshold_lies_midway_between_the_classes() -> None:
    assert threshold_of([0.1, 0.2, 0.6, 0.8], [0, 0, 1, 1]) == pytest.approx(0.4)


def test_of_equally_good_thresholds_the_lowest_is_taken() -> None:
    # midway between .2 and .4 and above .6 both tell three of four
    assert threshold_of([0.2, 0.4, 0.6, 0.8], [0, 1, 0, 1]) == pytest.approx(0.3)
    # the first tells as many as taking every pair for related does, which is lower
    assert threshold_of([0.1, 0.2, 0.3], [1, 0, 1]) == 0.1


def test_equal_scores_are_never_told_apart() -> None:
    assert threshold_of([0.5, 0.5, 0.5], [0, 1, 1]) == 0.5
    assert threshold_of([0.5, 0.5, 0.5], [0, 0, 1]) > 0.5
    assert threshold_of([0.5, 0.5, 0.1], [0, 1, 0]) == pytest.approx(0.3)


def test_scores_next_to_each_other_are_still_told_apart() -> None:
    low = 1.0
    high = float(np.nextafter(low, 2))
    assert threshold_of([low, high], [0, 1]) == high


def test_no_other_threshold_is_better() -> None:
    generator = np.random.default_rng(2)
    for _ in range(50):
        scores = generator.integers(0, 8, 20) / 8
        related = generator.random(20) < 0.5
        found = choose_threshold(scores, related)
        best = max(accuracy(scores, related, threshold) for threshold in np.linspace(-0.05, 1.05, 111))
        assert accuracy(scores, related, found) == pytest.approx(best)


def test_figures_are_those_of_the_related_pairs() -> None:
    related = np.array([True, True, True, False, False])
    found = figures(np.array([0.9, 0.8, 0.1, 0.7, 0.2]), related, 0.5)
    assert found.rounded() == {"precision": 0.6667, "recall": 0.6667, "f1": 0.6667, "accuracy": 0.6, "auc": 0.6667}
    nothing = figures(np.array([0.1, 0.1, 0.1, 0.1, 0.1]), related, 0.5)
    assert nothing.rounded() == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "accuracy": 0.4, "auc": 0.5}


def test_the_threshold_comes_from_valid_and_the_figures_from_test(tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small")
    scores = pairs.related * 0.5 + 0.25
    scores[pairs.of("test")] += 1  # on test the threshold takes every pair for related
    scores[pairs.of("train")] = -9
    judged = judge(Scored("row", "f", scores), pairs)
    assert judged.threshold == pytest.approx(0.5)
    assert judged.valid.accuracy == 1.0
    assert judged.test.rounded() == {"precision": 0.5, "recall": 1.0, "f1": 0.6667, "accuracy": 0.5, "auc": 1.0}
    assert np.array_equal(judged.right, pairs.related[pairs.of("test")])


@pytest.mark.parametrize("split", ["valid", "test"])
def test_a_split_of_one_class_cannot_be_judged(split: str, tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small", [row for row in lines() if not row.endswith(f"0\t{split}")])
    with pytest.raises(
        EvaluationError, match=f"related and unrelated pairs of small in the split {split}, got . and 0"
    ):
        judge(Scored("row", "f", np.zeros(len(pairs.pairs))), pairs)


def test_mcnemar_counts_where_one_alone_is_right() -> None:
    def of(right: list[int]) -> Judged:
        nothing = figures(np.array([0.0, 1.0]), np.array([False, True]), 0.5)
        return Judged(Scored("row", "f", np.zeros(2)), 0.5, nothing, nothing, np.array(right, np.bool_))

    found = compare(of([1] * 9 + [0, 1, 0]), of([0] * 9 + [1, 1, 0]))
    assert (found.only_first, found.only_second) == (9, 1)
    assert found.p == pytest.approx(2 * (1 + 10) / 2**10)
    assert found.as_json() == {"only_this_right": 9, "only_that_right": 1, "p": 0.021484}
    for one, other in itertools.product((of([1, 0]), of([1, 0])), repeat=2):
        assert compare(one, other).p == 1.0
