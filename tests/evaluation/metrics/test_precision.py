"""P@k by a worked example."""

from __future__ import annotations

import pytest

from engine.evaluation.metrics.judged import Judged
from engine.evaluation.metrics.precision import precision


def test_the_share_of_the_first_k_that_is_relevant() -> None:
    judged = Judged.of(["a", "x", "b", "y"], {"a": 1, "b": 2, "c": 1, "y": 0})
    assert precision(judged, 2) == pytest.approx(1 / 2)
    assert precision(judged, 4) == pytest.approx(2 / 4)


def test_a_short_ranking_is_still_divided_by_k() -> None:
    assert precision(Judged.of(["a"], {"a": 1}), 20) == pytest.approx(1 / 20)


def test_an_empty_ranking_scores_zero() -> None:
    assert precision(Judged.of([], {"a": 1}), 20) == 0
