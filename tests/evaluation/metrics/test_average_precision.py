"""Average precision, divided by k or by the relevant, by a worked example."""

from __future__ import annotations

import pytest

from engine.evaluation.metrics.average_precision import average_precision, average_precision_of_all
from engine.evaluation.metrics.judged import Judged


def test_the_precisions_at_the_relevant_ranks_are_divided_by_k() -> None:
    judged = Judged.of(["a", "x", "b", "y"], {"a": 1, "b": 1, "c": 1})
    assert average_precision(judged, 4) == pytest.approx((1 / 1 + 2 / 3) / 4)
    assert average_precision(judged, 20) == pytest.approx((1 / 1 + 2 / 3) / 20)


def test_k_relevant_ones_score_one() -> None:
    names = [f"d{number}" for number in range(20)]
    assert average_precision(Judged.of(names, dict.fromkeys(names, 1)), 20) == pytest.approx(1)


def test_the_precisions_may_be_divided_by_the_relevant() -> None:
    assert average_precision_of_all(Judged.of(["a", "x", "b", "y"], {"a": 1, "b": 1, "c": 1})) == pytest.approx(
        (1 / 1 + 2 / 3) / 3
    )
    assert average_precision_of_all(Judged.of(["x"], {})) == 0
