"""P@k by a worked example."""

from __future__ import annotations

import pytest

from engine.evaluation.metrics.judged import Judged
from engine.evaluation.metrics.precision import precision, set_precision


def test_the_share_of_the_first_k_that_is_relevant() -> None:
    judged = Judged.of(["a", "x", "b", "y"], {"a": 1, "b": 2, "c": 1, "y": 0})
    assert precision(judged, 2) == pytest.approx(1 / 2)
    assert precision(judged, 4) == pytest.approx(2 / 4)


def test_a_short_ranking_is_still_divided_by_k() -> None:
    assert precision(Judged.of(["a"], {"a": 1}), 20) == pytest.approx(1 / 20)


def test_an_empty_ranking_scores_zero() -> None:
    assert precision(Judged.of([], {"a": 1}), 20) == 0


def test_of_a_set_it_is_divided_by_as_many_as_were_retrieved() -> None:
    judged = Judged.of(["a", "x", "b"], {"a": 1, "b": 1})
    assert set_precision(judged, 20) == pytest.approx(2 / 3)
    assert set_precision(judged, 2) == pytest.approx(1 / 2)
    assert set_precision(Judged.of([], {"a": 1}), 20) == 0
