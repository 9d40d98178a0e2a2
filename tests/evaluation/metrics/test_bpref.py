"""bpref by a worked example, and CTPE's own scale by the numbers of its table 3."""

from __future__ import annotations

import pytest

from engine.evaluation.metrics.bpref import bpref, bpref_of_judged, bpref_of_positions
from engine.evaluation.metrics.judged import Judged


def test_each_relevant_one_loses_by_what_stands_above_it() -> None:
    judged = Judged.of(["x", "a", "y", "b", "z", "w", "c"], {"a": 1, "b": 1, "c": 1, "d": 1})
    assert bpref(judged) == pytest.approx(((1 - 1 / 4) + (1 - 2 / 4) + (1 - 4 / 4)) / 4)


def test_the_relevant_ones_first_score_one_and_nothing_relevant_zero() -> None:
    assert bpref(Judged.of(["a", "b", "x"], {"a": 1, "b": 1})) == 1
    assert bpref(Judged.of(["x"], {"a": 1})) == 0
    assert bpref(Judged.of(["x"], {})) == 0


def test_trec_evals_passes_over_what_nobody_judged() -> None:
    # u was not judged; x and y were judged not relevant, so both relevant ones lose by what stands above of those two.
    judged = Judged.of(["a", "u", "x", "b", "y"], {"a": 1, "b": 2, "x": 0, "y": 0})
    assert bpref_of_judged(judged) == pytest.approx((1 + (1 - 1 / 2)) / 2)
    assert bpref_of_judged(Judged.of(["u", "a"], {"a": 1, "b": 1})) == 1 / 2
    assert bpref_of_judged(Judged.of(["u"], {})) == 0


def test_a_ranking_without_a_relevant_one_is_at_the_foot_of_the_papers_scale() -> None:
    random_row_of_table_3 = 0.4753
    judged = Judged.of([f"x{number}" for number in range(20)], {"a": 1})
    assert bpref_of_positions(judged, 20) == pytest.approx(0.475)
    assert bpref_of_positions(judged, 20) == pytest.approx(random_row_of_table_3, abs=5e-4)


def test_only_relevant_ones_are_at_its_head() -> None:
    names = [f"d{number}" for number in range(20)]
    assert bpref_of_positions(Judged.of(names, dict.fromkeys(names, 1)), 20) == pytest.approx(1)


def test_a_short_ranking_counts_the_missing_ranks_as_not_relevant() -> None:
    assert bpref_of_positions(Judged.of([], {"a": 1}), 20) == pytest.approx(0.475)


def test_a_relevant_one_lifts_its_own_rank_and_all_below_it() -> None:
    judged = Judged.of([*(f"x{n}" for n in range(5)), "a"], {"a": 1})
    assert bpref_of_positions(judged, 20) == pytest.approx(0.475 + 15 / 400)
