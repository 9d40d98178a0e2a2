"""nDCG@k as trec_eval has it and NDCG@k as CTPE has it, by worked examples."""

from __future__ import annotations

import math

import pytest

from engine.evaluation.metrics.judged import Judged
from engine.evaluation.metrics.ndcg import ndcg, ndcg_of_ones


def test_grades_are_gains_and_the_ideal_is_the_best_order() -> None:
    judged = Judged.of(["a", "x", "b"], {"a": 1, "b": 3, "c": 2})
    gained = 1 / math.log2(2) + 3 / math.log2(4)
    best = 3 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert ndcg(judged, 10) == pytest.approx(gained / best)
    assert ndcg(judged, 2) == pytest.approx(1 / (3 + 2 / math.log2(3)))


def test_the_papers_ideal_has_k_relevant_ones() -> None:
    judged = Judged.of(["a", "x", "b"], {"a": 1, "b": 3})
    gained = 1 / math.log2(2) + 1 / math.log2(4)
    assert ndcg_of_ones(judged, 20) == pytest.approx(gained / sum(1 / math.log2(rank + 1) for rank in range(1, 21)))


def test_all_relevant_first_scores_one_only_where_the_ideal_allows() -> None:
    judged = Judged.of(["a", "b"], {"a": 1, "b": 1})
    assert ndcg(judged, 20) == pytest.approx(1)
    assert ndcg_of_ones(judged, 20) < 0.3


def test_nothing_relevant_scores_zero() -> None:
    assert ndcg(Judged.of(["a"], {}), 10) == 0
