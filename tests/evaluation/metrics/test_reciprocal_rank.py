"""The reciprocal rank by a worked example."""

from __future__ import annotations

from engine.evaluation.metrics.judged import Judged
from engine.evaluation.metrics.reciprocal_rank import reciprocal_rank


def test_only_the_first_relevant_one_counts() -> None:
    assert reciprocal_rank(Judged.of(["x", "a", "b"], {"a": 1, "b": 1})) == 1 / 2
    assert reciprocal_rank(Judged.of(["x"], {"a": 1})) == 0
    assert reciprocal_rank(Judged.of([], {})) == 0
