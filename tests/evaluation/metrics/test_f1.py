"""F1@k by a worked example, and the row of CTPE's table 2 that shows how queries are pooled."""

from __future__ import annotations

import pytest

from engine.evaluation.metrics.f1 import f1, f1_of_means, harmonic_mean, set_f1
from engine.evaluation.metrics.judged import Judged


def test_the_harmonic_mean_of_precision_and_recall() -> None:
    judged = Judged.of(["a", "x", "b", "y"], {"a": 1, "b": 1, "c": 1})
    assert f1(judged, 4) == pytest.approx(2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3))


def test_nothing_found_scores_zero() -> None:
    assert f1(Judged.of(["x"], {"a": 1}), 4) == 0


def test_of_a_set_precision_is_of_what_was_retrieved() -> None:
    judged = Judged.of(["a", "x", "b"], {"a": 1, "b": 1, "c": 1, "d": 1})
    assert set_f1(judged, 20) == pytest.approx(harmonic_mean(2 / 3, 2 / 4))
    assert set_f1(judged, 2) == pytest.approx(f1(judged, 2))
    assert set_f1(Judged.of([], {"a": 1}), 20) == 0


@pytest.mark.parametrize(
    ("precision", "recall", "table"),
    [(0.1532, 0.0571, 0.0831), (0.1280, 0.2419, 0.1674), (0.3066, 0.1124, 0.1645), (0.1889, 0.3609, 0.2480)],
)
def test_the_papers_f1_is_that_of_its_means(precision: float, recall: float, table: float) -> None:
    assert harmonic_mean(precision, recall) == pytest.approx(table, abs=1.5e-4)


def test_queries_are_pooled_before_the_harmonic_mean() -> None:
    found, missed = Judged.of(["a", "b"], {"a": 1, "b": 1}), Judged.of(["x", "y"], {"a": 1})
    assert f1_of_means([found, missed], 2) == pytest.approx(harmonic_mean(0.5, 0.5))
