"""Intervals and p-values: worked by hand, against scipy, and what is refused."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from engine.core.errors import EvaluationError
from engine.evaluation import significance
from engine.evaluation.significance import Interval, holm, interval, p_in_words, randomisation_p, randomisation_p_of_f1

GENERATOR = np.random.default_rng(3)
OURS, THEIRS = GENERATOR.random(40), GENERATOR.random(40)
SAVED = (0.39278320238798203, 0.5676645090471797)
"""The interval of OURS with 2,000 draws and the seed 0, as every report before scipy's bootstrap was drawn."""


def test_an_interval_holds_the_middle_of_the_means_of_queries_drawn_again() -> None:
    found, generator = interval(OURS, draws=20_000), np.random.default_rng(1)
    means = [OURS[generator.integers(0, len(OURS), len(OURS))].mean() for _ in range(20_000)]
    assert found.mean == pytest.approx(OURS.mean())
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=0.004)


def test_an_interval_is_the_one_that_saved_reports_hold() -> None:
    found = interval(OURS)
    assert (found.low, found.high) == pytest.approx(SAVED, abs=1e-12)


def test_one_query_gives_a_point() -> None:
    assert interval([0.25]) == Interval(0.25, 0.25, 0.25)


def test_an_interval_of_equal_scores_is_a_point_and_a_wider_level_a_wider_interval() -> None:
    assert interval([0.5, 0.5, 0.5]) == Interval(0.5, 0.5, 0.5)
    narrow, wide = interval(OURS, level=0.5), interval(OURS, level=0.99)
    assert wide.low < narrow.low < OURS.mean() < narrow.high < wide.high


def test_an_interval_comes_out_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = interval(OURS)
    assert interval(OURS) == first
    assert interval(OURS, seed=1) != first
    monkeypatch.setattr(significance, "_NUMBERS_AT_ONCE", 200)
    assert interval(OURS) == first


def test_few_queries_are_counted_out_by_hand() -> None:
    # Differences .3, .2, .1: of the eight sums only +.6 and -.6 are as far out.
    assert randomisation_p([0.5, 0.4, 0.3], [0.2, 0.2, 0.2]) == 2 / 8
    # Differences .3, -.1: all four sums are .2, .4 or their negatives, so none is smaller than .2.
    assert randomisation_p([0.5, 0.1], [0.2, 0.2]) == 1.0


def test_an_exact_p_is_that_of_every_swap_and_near_the_drawn_one(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = OURS[:12] - THEIRS[:12]
    sums = [abs(sum(s * d for s, d in zip(signs, differences, strict=True))) for signs in _signs(12)]
    exact = sum(one >= abs(differences.sum()) - 1e-9 for one in sums) / 2**12
    assert randomisation_p(OURS[:12], THEIRS[:12]) == exact
    monkeypatch.setattr(significance, "MOST_EXACT", 0)
    assert randomisation_p(OURS[:12], THEIRS[:12], draws=40_000) == pytest.approx(exact, abs=0.01)


def _signs(queries: int) -> itertools.product[tuple[int, ...]]:
    return itertools.product((1, -1), repeat=queries)


def test_many_queries_are_drawn_as_scipy_draws_them() -> None:
    ours = randomisation_p(OURS, THEIRS)
    theirs = stats.permutation_test(
        (OURS, THEIRS), lambda a, b: np.mean(a) - np.mean(b), permutation_type="samples", n_resamples=5_000, rng=1
    )
    assert ours == pytest.approx(theirs.pvalue, abs=0.02)
    assert randomisation_p(OURS, THEIRS) == ours
    assert randomisation_p(THEIRS, OURS) == pytest.approx(ours, abs=0.02)


def test_p_is_never_zero_and_one_where_nothing_differs() -> None:
    assert randomisation_p(OURS + 1, THEIRS, draws=999) == 1 / 1_000
    assert randomisation_p(OURS, OURS) == 1.0


def test_queries_that_both_answer_alike_change_nothing() -> None:
    alike = np.zeros(30)
    assert randomisation_p([0.5, 0.4, 0.3, *alike], [0.2, 0.2, 0.2, *alike]) == 2 / 8


def test_p_holds_its_level_where_nothing_differs_but_by_chance() -> None:
    generator = np.random.default_rng(0)
    below = [randomisation_p(*generator.random((2, 30)), draws=200) < 0.05 for _ in range(400)]
    assert sum(below) / len(below) == pytest.approx(0.05, abs=0.03)


def test_holm_corrects_step_by_step() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([0.2]) == [0.2]
    assert holm([]) == []


def test_other_queries_are_refused() -> None:
    with pytest.raises(EvaluationError, match="the same queries, got 2 and 1"):
        randomisation_p([0.1, 0.2], [0.1])


@pytest.mark.parametrize("scores", [[], [float("nan")]])
def test_no_score_is_refused(scores: list[float]) -> None:
    with pytest.raises(EvaluationError, match="Expected a finite score for each of at least 1 query"):
        interval(scores)


def test_a_level_that_is_no_share_is_refused() -> None:
    with pytest.raises(EvaluationError, match="Expected a level between 0 and 1, got 95"):
        interval([0.1], level=95)


def test_f1_of_means_is_tested_by_swapping_both_scores_of_a_query() -> None:
    generator = np.random.default_rng(4)
    ours, theirs = (tuple(generator.random((2, 9)) * scale) for scale in (1.0, 0.8))
    one, other = np.array(ours), np.array(theirs)

    def f1(parts: np.ndarray) -> float:
        means = parts.mean(axis=1)
        return float(2 * means.prod() / means.sum())

    seen = abs(f1(one) - f1(other))
    every = [
        abs(f1(np.where(swap, other, one)) - f1(np.where(swap, one, other))) >= seen - 1e-12
        for swap in itertools.product([False, True], repeat=9)
    ]
    assert randomisation_p_of_f1(ours, theirs, draws=20_000) == pytest.approx(np.mean(every), abs=0.01)
    assert randomisation_p_of_f1(ours, ours) == 1.0
    with pytest.raises(EvaluationError, match="of the same queries, got 9 and 8"):
        randomisation_p_of_f1(ours, (theirs[0][:8], theirs[1][:8]))


@pytest.mark.parametrize(("p", "said"), [(0.8957, "0.9"), (0.0001, "0.0001"), (0.00009, "< 0.0001"), (0.0, "< 0.0001")])
def test_a_p_is_never_nothing(p: float, said: str) -> None:
    assert p_in_words(p) == said
