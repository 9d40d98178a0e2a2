"""Intervals and p-values: worked by hand, against scipy, and what is refused.

Two systems compared query by query, and rows held to one of them, with p corrected for how many there are.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from engine.core.errors import EvaluationError
from engine.evaluation import significance
from engine.evaluation.measure import Measured
from engine.evaluation.significance import (
    Interval,
    Moved,
    contrast_as_json,
    contrast_as_markdown,
    contrast_rows,
    contrast_runs,
    holm,
    interval,
    p_in_words,
    randomisation_p,
    randomisation_p_of_f1,
)

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


NAMES = ("ctpe", "bm25")
OUR_SYSTEM = {"q1": 0.9, "q2": 0.5, "q3": 0.1, "q4": 0.4}
THEIR_SYSTEM = {"q4": 0.4, "q3": 0.3, "q2": 0.1, "q1": 0.2}


def test_means_wins_and_the_queries_that_moved_most() -> None:
    compared = contrast_runs(OUR_SYSTEM, THEIR_SYSTEM, names=NAMES, metric="nDCG@10", most=2)
    assert (compared.ours, compared.theirs, compared.metric) == ("ctpe", "bm25", "nDCG@10")
    assert compared.means == pytest.approx((0.475, 0.25))
    assert compared.difference.mean == pytest.approx(0.225)
    assert compared.difference.low < 0.225 < compared.difference.high
    assert (compared.wins, compared.ties, compared.losses) == (2, 1, 1)
    assert compared.moved == (Moved("q1", 0.9, 0.2), Moved("q2", 0.5, 0.1))
    # Of the eight signs of .7, .4, -.2 those with a sum of .9 or more are +++, ++-, and their opposites.
    assert compared.p == 4 / 8


def test_queries_that_did_not_move_are_not_among_those_that_did() -> None:
    assert [moved.query for moved in contrast_runs(OUR_SYSTEM, THEIR_SYSTEM, names=NAMES, metric="P@20").moved] == [
        "q1",
        "q2",
        "q3",
    ]


def test_systems_that_ranked_other_queries_are_refused() -> None:
    with pytest.raises(EvaluationError, match="of ctpe and bm25, got 4 and 1; 'q2' is on one side only"):
        contrast_runs(OUR_SYSTEM, {"q1": 0.1}, names=NAMES, metric="P@20")
    with pytest.raises(EvaluationError, match=r"got 0 and 0\. Measure both on one benchmark"):
        contrast_runs({}, {}, names=NAMES, metric="P@20")


QUERIES = [f"q{number}" for number in range(10)]


def row(name: str, *scores: float) -> Measured:
    by_query = {query: {"P": score, "R": score / 2} for query, score in zip(QUERIES, scores * 10, strict=False)}
    return Measured(name, "f", {}, by_query, None, None, 0.0, run={})


BASE, BETTER, SAME = row("base", 0.2, 0.4), row("better", 0.3, 0.5), row("same", 0.4, 0.2)


def test_every_other_row_is_compared_in_each_metric_and_its_p_corrected() -> None:
    found = [one for metric in ("P", "R") for one in contrast_rows([BETTER, BASE, SAME], "base", metric)]
    assert [(one.contrast.ours, one.contrast.theirs, one.contrast.metric) for one in found] == [
        (ours, "base", metric) for metric in ("P", "R") for ours in ("better", "same")
    ]
    # Ten equal differences: only the two swaps of all or none reach their sum.
    assert found[0].contrast.p == 2 / 2**10
    assert found[0].p_holm == 4 / 2**10
    assert [one.verdict for one in found[:2]] == ["better", "too small to tell"]
    assert contrast_rows([BETTER, BASE], "better", "P")[0].verdict == "worse"
    assert contrast_rows([BASE, row("again", 0.2, 0.4)], "base", "P")[0].verdict == "the same"


def test_a_row_that_is_not_there_or_stands_alone_is_told() -> None:
    with pytest.raises(EvaluationError, match="compare with 'bm25', which must be one of them; got base, better"):
        contrast_rows([BASE, BETTER], "bm25", "P")
    with pytest.raises(EvaluationError, match="compare with 'base'"):
        contrast_rows([BASE], "base", "P")


def test_a_contrast_is_kept_and_shown_with_the_words_of_the_queries_that_moved() -> None:
    found = [one for metric in ("P", "R") for one in contrast_rows([BETTER, BASE, SAME], "base", metric)]
    value = contrast_as_json(found[0])
    assert value["means"] == [0.4, 0.3]
    assert value["difference"] == pytest.approx(0.1)
    assert (value["wins"], value["ties"], value["losses"], value["verdict"]) == (10, 0, 0, "better")
    assert value["moved"][0] == {"query": "q0", "ours": 0.3, "theirs": 0.2}
    lines = contrast_as_markdown(found, {"q0": "a <b> | c\\ ![x](http://x.example)"})
    assert sum(line.startswith(("| better |", "| same |")) for line in lines) == 4
    assert "| q0 | a \\<b\\> \\| c\\\\ \\!\\[x\\](http://x.example) | 0.2000 | 0.3000 |" in lines
    assert sum(line.startswith("###") for line in lines) == 2
