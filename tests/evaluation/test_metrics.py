"""The metrics by worked examples and the papers' own figures, and intervals and p-values of differences."""

from __future__ import annotations

import itertools
import math

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, RR, Bpref, P, R, SetF, nDCG
from ir_measures.measures import Measure
from scipy import stats

from engine.core.errors import EvaluationError
from engine.evaluation import significance
from engine.evaluation.measure import Measured
from engine.evaluation.metrics import (
    CDSSM,
    CDSSM_DEPTHS,
    KEYVEC,
    METRICS,
    TREC,
    Judged,
    average_precision,
    average_precision_of_all,
    bpref,
    bpref_of_judged,
    bpref_of_positions,
    capped_f1,
    capped_f1_of_means,
    capped_recall,
    f1,
    f1_of_means,
    harmonic_mean,
    ndcg,
    ndcg_of_ones,
    precision,
    recall,
    reciprocal_rank,
    set_f1,
    set_precision,
)
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


def test_the_share_of_the_relevant_among_the_first_k() -> None:
    judged = Judged.of(["a", "x", "b", "y"], {"a": 1, "b": 1, "c": 1})
    assert recall(judged, 1) == pytest.approx(1 / 3)
    assert recall(judged, 20) == pytest.approx(2 / 3)


def test_recall_is_zero_where_nothing_is_relevant() -> None:
    assert recall(Judged.of(["a"], {"a": 0}), 20) == 0


def test_the_harmonic_mean_of_precision_and_recall() -> None:
    judged = Judged.of(["a", "x", "b", "y"], {"a": 1, "b": 1, "c": 1})
    assert f1(judged, 4) == pytest.approx(2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3))


def test_nothing_found_scores_zero() -> None:
    assert f1(Judged.of(["x"], {"a": 1}), 4) == 0


def test_of_a_set_precision_is_of_what_was_retrieved() -> None:
    judged = Judged.of(["a", "x", "b"], {"a": 1, "b": 1, "c": 1, "d": 1})
    assert set_f1(judged, 20) == pytest.approx(harmonic_mean(2 / 3, 2 / 4))
    assert set_f1(judged, 2) == pytest.approx(f1(judged, 2))
    assert set_f1(Judged.of([], {"a": 1}), 20) == 0


@pytest.mark.parametrize(
    ("precision", "recall", "table"),
    [(0.1532, 0.0571, 0.0831), (0.1280, 0.2419, 0.1674), (0.3066, 0.1124, 0.1645), (0.1889, 0.3609, 0.2480)],
)
def test_the_papers_f1_is_that_of_its_means(precision: float, recall: float, table: float) -> None:
    assert harmonic_mean(precision, recall) == pytest.approx(table, abs=1.5e-4)


def test_queries_are_pooled_before_the_harmonic_mean() -> None:
    found, missed = Judged.of(["a", "b"], {"a": 1, "b": 1}), Judged.of(["x", "y"], {"a": 1})
    assert f1_of_means([found, missed], 2) == pytest.approx(harmonic_mean(0.5, 0.5))


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


def test_capped_scores_are_zero_where_nothing_is_relevant() -> None:
    assert capped_recall(Judged.of(["x"], {}), 5) == capped_f1(Judged.of(["x"], {}), 5) == 0


def test_the_columns_are_the_papers() -> None:
    assert CDSSM_DEPTHS == (1, 5, 10, 20, 30, 40, 50)
    assert set(CDSSM) == {f"{name}@{k}-cdssm" for name in ("recall", "precision", "f1") for k in CDSSM_DEPTHS}
    judged = Judged.of(["a", "x", "b"], FIVE)
    assert CDSSM["recall@5-cdssm"].over([judged]) == pytest.approx(2 / 5)
    assert CDSSM["precision@5-cdssm"].over([judged]) == pytest.approx(2 / 5)
    assert CDSSM["f1@10-cdssm"].over([judged]) == pytest.approx(harmonic_mean(2 / 5, 2 / 10))


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


def test_ndcg_is_zero_where_nothing_is_relevant() -> None:
    assert ndcg(Judged.of(["a"], {}), 10) == 0


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


def test_only_the_first_relevant_one_counts() -> None:
    assert reciprocal_rank(Judged.of(["x", "a", "b"], {"a": 1, "b": 1})) == 1 / 2
    assert reciprocal_rank(Judged.of(["x"], {"a": 1})) == 0
    assert reciprocal_rank(Judged.of([], {})) == 0


DOCUMENTS = [f"d{number}" for number in range(300)]


def random_run(seed: int) -> tuple[dict[str, list[str]], dict[str, dict[str, int]]]:
    """Twelve queries: a ranking of 200 of 300 documents, and up to 60 graded relevant ones."""
    generator = np.random.default_rng(seed)
    run, qrels = {}, {}
    for number in range(12):
        run[f"q{number}"] = [DOCUMENTS[place] for place in generator.permutation(300)[:200]]
        chosen = generator.permutation(300)[: generator.integers(1, 60)]
        qrels[f"q{number}"] = {DOCUMENTS[place]: int(generator.integers(1, 4)) for place in chosen}
    return run, qrels


def theirs(measure: Measure, run: dict[str, list[str]], qrels: dict[str, dict[str, int]]) -> dict[str, float]:
    scored = {query: {name: -float(rank) for rank, name in enumerate(names)} for query, names in run.items()}
    return {one.query_id: one.value for one in ir_measures.iter_calc([measure], qrels, scored)}


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(
    ("name", "measure"), [("nDCG@10", nDCG @ 10), ("R@100", R @ 100), ("P@20", P @ 20), ("R@20", R @ 20)]
)
def test_each_query_has_their_score(name: str, measure: Measure, seed: int) -> None:
    run, qrels = random_run(seed)
    expected = theirs(measure, run, qrels)
    for query, ranking in run.items():
        assert METRICS[name].score(Judged.of(ranking, qrels[query])) == pytest.approx(expected[query], abs=1e-6)


@pytest.mark.parametrize(("name", "measure"), [("P@10", P @ 10), ("MAP", AP), ("MRR", RR)])
def test_keyvecs_columns_are_theirs(name: str, measure: Measure) -> None:
    run, qrels = random_run(4)
    expected = theirs(measure, run, qrels)
    for query, ranking in run.items():
        assert KEYVEC[name].score(Judged.of(ranking, qrels[query])) == pytest.approx(expected[query], abs=1e-6)


def test_bpref_is_theirs_where_every_other_document_is_judged_not_relevant() -> None:
    run, qrels = random_run(5)
    complete = {query: {name: grades.get(name, 0) for name in DOCUMENTS} for query, grades in qrels.items()}
    expected = theirs(Bpref, run, complete)
    for query, ranking in run.items():
        assert METRICS["bpref"].score(Judged.of(ranking, qrels[query])) == pytest.approx(expected[query], abs=1e-6)


TREC_EVAL = {
    "P_20": P @ 20,
    "recall_20": R @ 20,
    "set_F_20": SetF,
    "map": AP,
    "ndcg": nDCG,
    "bpref": Bpref,
    "recip_rank": RR,
    "ndcg_cut_10": nDCG @ 10,
    "recall_100": R @ 100,
}


@pytest.mark.parametrize("name", TREC)
@pytest.mark.parametrize("rejected", [0, 5, 100])
def test_the_columns_named_as_trec_evals_are_theirs(name: str, rejected: int) -> None:
    run, qrels = random_run(6)
    judged = {query: {**dict.fromkeys(DOCUMENTS[:rejected], 0), **grades} for query, grades in qrels.items()}
    cut = {query: ranking[:20] for query, ranking in run.items()} if name == "set_F_20" else run
    expected = theirs(TREC_EVAL[name], cut, judged)
    for query, ranking in run.items():
        assert TREC[name].score(Judged.of(ranking, judged[query])) == pytest.approx(expected[query], abs=1e-6)
    assert_mean(name, run, judged, expected)


@pytest.mark.parametrize("name", TREC)
def test_short_and_empty_rankings_have_their_score(name: str) -> None:
    run, judged = random_run(7)
    run = {query: ranking[: 2 * number] for number, (query, ranking) in enumerate(run.items())}
    cut = {query: ranking[:20] for query, ranking in run.items()} if name == "set_F_20" else run
    expected = theirs(TREC_EVAL[name], {query: ranking for query, ranking in cut.items() if ranking}, judged)
    for query, ranking in run.items():
        assert TREC[name].score(Judged.of(ranking, judged[query])) == pytest.approx(expected[query], abs=1e-6)
    assert_mean(name, run, judged, expected)


def assert_mean(
    name: str, run: dict[str, list[str]], judged: dict[str, dict[str, int]], expected: dict[str, float]
) -> None:
    ours = TREC[name].over([Judged.of(ranking, judged[query]) for query, ranking in run.items()])
    assert ours == pytest.approx(sum(expected.values()) / len(expected), abs=1e-6)


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
