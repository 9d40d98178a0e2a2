"""Scores of pairs: their arithmetic, what is refused, and how they are kept."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.core.errors import EvaluationError, StorageError
from engine.research.matching.form import Form
from engine.research.matching.pair_set import PairSet, load_pair_set
from engine.research.matching.scores import Scored, check, inner_products, save_scores, take_scores
from tests.research.matching.small_pairs import pair_set, write_pairs


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
