"""Rows by name, by folder, and as mixes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.research.matching.judging import judge
from engine.research.matching.pair_set import load_pair_set
from engine.research.matching.rows import Row, bm25_scores, fingerprint_of, lsa_scores, names, parse_rows, tfidf_scores
from engine.research.matching.scoring import score
from tests.research.matching.small_pairs import pair_set

WORDS = {"tfidf": tfidf_scores, "lsa": lsa_scores, "bm25": bm25_scores}


def body(name: str, text: str) -> Document:
    return Document(name, sections=(Section("Method", text),))


@pytest.mark.parametrize("name", WORDS)
def test_related_pairs_score_higher(name: str, tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small")
    scores = WORDS[name](pairs)
    assert scores[pairs.related].mean() > scores[~pairs.related].mean() + 0.1
    assert judge(score([Row(name)], pairs)[0], pairs).test.accuracy > 0.8


@pytest.mark.parametrize("name", WORDS)
def test_a_pair_scores_the_same_either_way_and_a_document_itself_is_one(name: str, tmp_path: Path) -> None:
    rows = ["steam0\tsteam4\t1\ttest", "steam4\tsteam0\t1\ttest", "steam0\tsteam0\t1\ttest"]
    there, back, itself = WORDS[name](pair_set(tmp_path / "small", rows))
    assert there == pytest.approx(back)
    assert 0 < there < 1
    assert itself == pytest.approx(1)


@pytest.mark.parametrize("name", WORDS)
def test_a_document_without_words_scores_nothing(name: str, tmp_path: Path) -> None:
    documents = [body("a", ""), body("b", "boiler valve piston"), body("c", "neural network layer")]
    pairs = pair_set(tmp_path / "small", ["a\tb\t0\ttest", "b\tb\t1\ttest", "a\ta\t1\ttest"], documents)
    np.testing.assert_allclose(WORDS[name](pairs), [0, 1, 0], atol=1e-6)


def test_tfidf_counts_by_their_logarithm_and_without_stop_words(tmp_path: Path) -> None:
    documents = [body("a", "boiler boiler boiler valve the of and"), body("b", "boiler valve valve the of and")]
    pairs = pair_set(tmp_path / "small", ["a\tb\t1\ttest"], documents)
    one, other = np.array([1 + np.log(3), 1]), np.array([1, 1 + np.log(2)])  # both words stand in both: equal rarity
    cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    assert tfidf_scores(pairs)[0] == pytest.approx(cosine)


def test_a_corpus_without_words_is_refused(tmp_path: Path) -> None:
    documents = [body("a", "the of and"), body("b", "")]
    pairs = pair_set(tmp_path / "small", ["a\tb\t1\ttest"], documents)
    with pytest.raises(EvaluationError, match="documents with words in small, found none but stop words"):
        tfidf_scores(pairs)
    single = pair_set(tmp_path / "one", ["a\ta\t1\ttest"], [body("a", "boiler valve")])
    with pytest.raises(EvaluationError, match="two documents with two words or more to fit lsa on, got fewer"):
        lsa_scores(single)


def test_each_row_of_words_has_its_fingerprint() -> None:
    assert len({fingerprint_of(name) for name in WORDS}) == 3


REFERENCE = {"tfidf": (0.847, 0.846, 0.911), "lsa": (0.829, 0.842, 0.920)}
"""Accuracy, F1 and AUC on the test pairs of acl-long, as measured elsewhere on the same files."""


def test_tfidf_gives_the_reference_point_on_papers(shared: Path) -> None:
    pairs = load_pair_set(shared / "data" / "acl-long" / "pairs.tsv")
    found = judge(score([Row("tfidf")], pairs)[0], pairs).test
    assert (found.accuracy, found.f1, found.auc) == pytest.approx(REFERENCE["tfidf"], abs=0.001)


def test_rows_by_name_are_words_encoders_and_minilm() -> None:
    assert names()[:3] == ("tfidf", "lsa", "bm25")
    assert {"word2vec-sif", "ctpe", "minilm", "minilm-chunks"} <= set(names())
    assert len(set(names())) == len(names())


def test_a_list_is_read_in_order_and_once(tmp_path: Path) -> None:
    given = f"tfidf, lsa,tfidf,own={tmp_path}, mix(own, tfidf)"
    assert parse_rows(given) == [
        Row("tfidf"),
        Row("lsa"),
        Row("own", tmp_path),
        Row("mix(own,tfidf)", parts=("own", "tfidf")),
    ]
    assert parse_rows("earlier,mix(earlier,bm25,lsa)", kept=("earlier",))[1].parts == ("earlier", "bm25", "lsa")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("tfidf,bert", r"among tfidf, .*, NAME=FOLDER, or mix\(NAME,NAME\); got bert\. Separate"),
        (",", "got none"),
        ("mix()", r"Expected mix\(\) to mix rows that are known, got ''"),
        ("a=nowhere", "Expected an encoder's folder, got nowhere; there is none"),
        ("tfidf,tfidf=.", "a name of its own for each row, got 'tfidf' more than once"),
        ("=.", "a name of its own for each row, got '' more than once or empty"),
        ("mix(tfidf,own)", r"Expected mix\(tfidf,own\) to mix rows that are known, got 'own'"),
        ("mix(tfidf,own=.)", "got 'own=.'. Give a folder its name in a row of its own"),
        ("mix(tfidf)", r"a mix of two rows or more, got mix\(tfidf\)"),
        ("mix(tfidf,tfidf)", "a mix of two rows or more"),
    ],
)
def test_other_rows_are_refused(given: str, told: str) -> None:
    with pytest.raises(EvaluationError, match=told):
        parse_rows(given)
