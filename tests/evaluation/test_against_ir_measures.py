"""Our metrics against ir_measures (which calls trec_eval) on random runs."""

from __future__ import annotations

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, RR, Bpref, P, R, SetF, nDCG
from ir_measures.measures import Measure

from engine.evaluation.metrics import KEYVEC, METRICS, TREC, Judged

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
