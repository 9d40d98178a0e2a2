"""C-DSSM's recall and F1 by worked examples, and the paper's own figures that show how they are made."""

from __future__ import annotations

import pytest

from engine.evaluation.metrics import CDSSM, CDSSM_DEPTHS, Judged
from engine.evaluation.metrics.capped import capped_f1, capped_f1_of_means, capped_recall
from engine.evaluation.metrics.f1 import harmonic_mean
from engine.evaluation.metrics.precision import precision

FIVE = {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}


def test_no_more_than_k_are_asked_of_the_first_k() -> None:
    judged = Judged.of(["a", "x", "b", "y", "z", "w"], FIVE)
    assert [capped_recall(judged, k) for k in (1, 2, 4)] == pytest.approx([1 / 1, 1 / 2, 2 / 4])
    assert capped_recall(judged, 6) == pytest.approx(2 / 5)


def test_with_fewer_relevant_than_k_it_is_plain_recall() -> None:
    judged = Judged.of(["x", "a", "y", "z"], {"a": 1, "b": 1})
    assert capped_recall(judged, 4) == pytest.approx(1 / 2)
    assert precision(judged, 4) == pytest.approx(1 / 4)
    assert capped_f1(judged, 4) == pytest.approx(1 / 3)


def test_at_one_it_is_precision_as_in_the_papers_tables() -> None:
    for ranking in (["a", "x"], ["x", "a"]):
        judged = Judged.of(ranking, FIVE)
        assert capped_recall(judged, 1) == precision(judged, 1) == capped_f1(judged, 1)


def test_queries_are_pooled_by_their_means_as_in_table_5() -> None:
    recall_at_5, precision_at_5, f1_at_5 = 0.378, 0.370, 0.374
    assert harmonic_mean(recall_at_5, precision_at_5) == pytest.approx(f1_at_5, abs=5e-4)
    found, lost = Judged.of(["a"], {"a": 1, "b": 1}), Judged.of(["x"], {"a": 1})
    means = (1 / 5 + 0) / 2, (1 / 2 + 0) / 2
    assert capped_f1_of_means([found, lost], 5) == pytest.approx(2 * means[0] * means[1] / sum(means))


def test_nothing_relevant_scores_zero() -> None:
    assert capped_recall(Judged.of(["x"], {}), 5) == capped_f1(Judged.of(["x"], {}), 5) == 0


def test_the_columns_are_the_papers() -> None:
    assert CDSSM_DEPTHS == (1, 5, 10, 20, 30, 40, 50)
    assert set(CDSSM) == {f"{name}@{k}-cdssm" for name in ("recall", "precision", "f1") for k in CDSSM_DEPTHS}
    judged = Judged.of(["a", "x", "b"], FIVE)
    assert CDSSM["recall@5-cdssm"].over([judged]) == pytest.approx(2 / 5)
    assert CDSSM["precision@5-cdssm"].over([judged]) == pytest.approx(2 / 5)
    assert CDSSM["f1@10-cdssm"].over([judged]) == pytest.approx(harmonic_mean(2 / 5, 2 / 10))
