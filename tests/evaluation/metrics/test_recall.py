"""R@k by a worked example."""

from __future__ import annotations

import pytest

from engine.evaluation.metrics.judged import Judged
from engine.evaluation.metrics.recall import recall


def test_the_share_of_the_relevant_among_the_first_k() -> None:
    judged = Judged.of(["a", "x", "b", "y"], {"a": 1, "b": 1, "c": 1})
    assert recall(judged, 1) == pytest.approx(1 / 3)
    assert recall(judged, 20) == pytest.approx(2 / 3)


def test_nothing_relevant_scores_zero() -> None:
    assert recall(Judged.of(["a"], {"a": 0}), 20) == 0
