"""The threshold, the figures at it, and the test of two rows on the same pairs."""

from __future__ import annotations

import dataclasses
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.core.errors import EvaluationError, StorageError
from engine.research.matching.judging import (
    Judged,
    Scored,
    check,
    choose_threshold,
    compare,
    figures,
    inner_products,
    judge,
    save_scores,
    take_scores,
)
from engine.research.matching.pair_set import Form, PairSet, load_pair_set
from tests.research.matching.small_pairs import lines, pair_set, write_pairs


@pytest.fixture
def pairs(tmp_path: Path) -> PairSet:
    return pair_set(tmp_path / "small")


def test_a_score_is_the_product_of_query_row_and_document_row() -> None:
    generator = np.random.default_rng(1)
    queries, documents = (generator.random((30, 7)).astype(np.float32) for _ in range(2))
    places = generator.integers(0, 30, (2_500, 2))  # more than are multiplied at once
    wanted = np.array([queries[a] @ documents[b] for a, b in places])
    np.testing.assert_allclose(inner_products(queries, documents, places), wanted, rtol=1e-6)
    sparse = inner_products(csr_array(queries), csr_array(documents), places)
    np.testing.assert_allclose(sparse, wanted, rtol=1e-6)


def test_scores_that_are_no_numbers_are_refused_and_named(pairs: PairSet) -> None:
    scores = np.zeros(40)
    check("row", scores, pairs)
    scores[[3, 5]] = np.nan, np.inf
    first = pairs.pairs[3]
    told = f"finite score of row for each of 40 pairs, got NaN or infinity for 2, the first {first.a} with {first.b}"
    with pytest.raises(EvaluationError, match=told):
        check("row", scores, pairs)
    with pytest.raises(EvaluationError, match="a score of row for each of 40 pairs of small, got 39"):
        check("row", np.zeros(39), pairs)


def test_kept_scores_come_back_to_the_last_digit(pairs: PairSet, tmp_path: Path) -> None:
    generator = np.random.default_rng(4)
    kept = [
        Scored("a", "fa", generator.random(40), 1.5, facts={"weights": {"x": 1.0}}),
        Scored("b", "fb", -generator.random(40)),
    ]
    save_scores(tmp_path / "scores.json", kept, pairs)
    taken = take_scores(tmp_path / "scores.json", pairs)
    assert [(one.name, one.fingerprint, one.facts) for one in taken] == [("a", "fa", kept[0].facts), ("b", "fb", {})]
    assert all(np.array_equal(one.scores, other.scores) for one, other in zip(taken, kept, strict=True))
    assert all(one.seconds is None for one in taken)
    value = json.loads((tmp_path / "scores.json").read_text())
    assert value["columns"] == ["id-a", "id-b", "label", "split", "a", "b"]
    assert value["scores"][0][:4] == [pairs.pairs[0].a, pairs.pairs[0].b, 1, "train"]


def test_scores_of_other_pairs_or_texts_are_refused(pairs: PairSet, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    save_scores(path, [Scored("a", "f", np.zeros(40))], pairs)
    table = write_pairs(tmp_path / "small")
    with pytest.raises(EvaluationError, match=r"small as it is read now in scores\.json, found those of another form"):
        take_scores(path, load_pair_set(table, form=Form(max_tokens=5)))
    with pytest.raises(EvaluationError, match="found those of another form"):
        take_scores(path, load_pair_set(table, form=None))
    table.write_text(table.read_text() + "steam0\tneural1\t0\ttrain\n")
    with pytest.raises(EvaluationError, match=r"found those of another sha256\. Score these pairs again"):
        take_scores(path, load_pair_set(table))


def test_another_file_is_refused(pairs: PairSet, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("[]")
    with pytest.raises(EvaluationError, match=r"Expected scores of pairs in other\.json, found something else"):
        take_scores(tmp_path / "other.json", pairs)
    with pytest.raises(StorageError, match=r"Expected the file none\.json"):
        take_scores(tmp_path / "none.json", pairs)


def accuracy(scores: np.ndarray, related: np.ndarray, threshold: float) -> float:
    return float(((scores >= threshold) == related).mean())


def threshold_of(scores: list[float], related: list[int]) -> float:
    return choose_threshold(np.array(scores, np.float64), np.array(related, np.bool_))


def test_the_threshold_lies_midway_between_the_classes() -> None:
    assert threshold_of([0.1, 0.2, 0.6, 0.8], [0, 0, 1, 1]) == pytest.approx(0.4)


def test_of_equally_good_thresholds_the_lowest_is_taken() -> None:
    # midway between .2 and .4 and above .6 both tell three of four
    assert threshold_of([0.2, 0.4, 0.6, 0.8], [0, 1, 0, 1]) == pytest.approx(0.3)
    # the first tells as many as taking every pair for related does, which is lower
    assert threshold_of([0.1, 0.2, 0.3], [1, 0, 1]) == 0.1


def test_equal_scores_are_never_told_apart() -> None:
    assert threshold_of([0.5, 0.5, 0.5], [0, 1, 1]) == 0.5
    assert threshold_of([0.5, 0.5, 0.5], [0, 0, 1]) > 0.5
    assert threshold_of([0.5, 0.5, 0.1], [0, 1, 0]) == pytest.approx(0.3)


def test_scores_next_to_each_other_are_still_told_apart() -> None:
    low = 1.0
    high = float(np.nextafter(low, 2))
    assert threshold_of([low, high], [0, 1]) == high


def test_no_other_threshold_is_better() -> None:
    generator = np.random.default_rng(2)
    for _ in range(50):
        scores = generator.integers(0, 8, 20) / 8
        related = generator.random(20) < 0.5
        found = choose_threshold(scores, related)
        best = max(accuracy(scores, related, threshold) for threshold in np.linspace(-0.05, 1.05, 111))
        assert accuracy(scores, related, found) == pytest.approx(best)


def test_figures_are_those_of_the_related_pairs() -> None:
    related = np.array([True, True, True, False, False])
    found = figures(np.array([0.9, 0.8, 0.1, 0.7, 0.2]), related, 0.5)
    assert found.rounded() == {"precision": 0.6667, "recall": 0.6667, "f1": 0.6667, "accuracy": 0.6, "auc": 0.6667}
    nothing = figures(np.array([0.1, 0.1, 0.1, 0.1, 0.1]), related, 0.5)
    assert nothing.rounded() == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "accuracy": 0.4, "auc": 0.5}


def test_the_threshold_comes_from_valid_and_the_figures_from_test(tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small")
    scores = pairs.related * 0.5 + 0.25
    scores[pairs.of("test")] += 1  # on test the threshold takes every pair for related
    scores[pairs.of("train")] = -9
    judged = judge(Scored("row", "f", scores), pairs)
    assert judged.threshold == pytest.approx(0.5)
    assert judged.valid.accuracy == 1.0
    assert judged.test.rounded() == {"precision": 0.5, "recall": 1.0, "f1": 0.6667, "accuracy": 0.5, "auc": 1.0}
    assert np.array_equal(judged.right, pairs.related[pairs.of("test")])


@pytest.mark.parametrize("split", ["valid", "test"])
def test_a_split_of_one_class_cannot_be_judged(split: str, tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small", [row for row in lines() if not row.endswith(f"0\t{split}")])
    with pytest.raises(
        EvaluationError, match=f"related and unrelated pairs of small in the split {split}, got . and 0"
    ):
        judge(Scored("row", "f", np.zeros(len(pairs.pairs))), pairs)


def test_mcnemar_counts_where_one_alone_is_right() -> None:
    def of(right: list[int]) -> Judged:
        nothing = figures(np.array([0.0, 1.0]), np.array([False, True]), 0.5)
        return Judged(Scored("row", "f", np.zeros(2)), 0.5, nothing, nothing, None, np.array(right, np.bool_))

    found = compare(of([1] * 9 + [0, 1, 0]), of([0] * 9 + [1, 1, 0]))
    assert (found.only_first, found.only_second) == (9, 1)
    assert found.p == pytest.approx(2 * (1 + 10) / 2**10)
    assert found.as_json() == {"only_this_right": 9, "only_that_right": 1, "p": 0.021484}
    for one, other in itertools.product((of([1, 0]), of([1, 0])), repeat=2):
        assert compare(one, other).p == 1.0


def test_pairs_of_two_documents_that_no_train_pair_holds_have_figures_of_their_own(pairs: PairSet) -> None:
    trained = {name for pair in pairs.pairs if pair.split == "train" for name in (pair.a, pair.b)}
    new = [pair.split == "test" and not {pair.a, pair.b} & trained for pair in pairs.pairs]
    assert pairs.unseen.tolist() == new and any(new)
    assert pairs.judged.unseen.sum() == sum(new)  # though it holds no train pair
    met = dataclasses.replace(pairs, trained={*trained, next(pair.a for pair in pairs.pairs if pair.split == "test")})
    assert met.unseen.sum() < pairs.unseen.sum()
    scores = np.where(pairs.related, 1.0, 0.0)
    scores[np.flatnonzero(met.of("test") & ~met.unseen)] = 0.5  # told wrongly or by chance, but seen
    found = judge(Scored("row", "f", scores), met)
    assert found.unseen is not None and found.unseen.accuracy == found.unseen.auc == 1 > found.test.accuracy
    none = dataclasses.replace(pairs, trained=[document.id for document in pairs.documents])
    assert judge(Scored("row", "f", scores), none).unseen is None
