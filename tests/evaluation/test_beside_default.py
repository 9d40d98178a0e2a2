"""A model beside the default: the same questions and documents for both, and figures with their intervals."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EvaluationError, UnknownEncoderError
from engine.documents import Document
from engine.encoders import KeptModel, bring_model, registry
from engine.encoders.tfidf import TfidfEncoder
from engine.evaluation.benchmarks import from_parts
from engine.evaluation.beside_default import (
    ALONE,
    IN_SEARCH,
    BesideDefault,
    narrowed,
    questions_of,
)
from engine.library import Library
from tests.contracts.encoder import corpus
from tests.encoders.tiny_sentences import write
from tests.evaluation.small import QUERIES

QRELS = {
    query.id: {one.id: 1 for one in corpus() if one.id.startswith(query.id.removeprefix("q-"))} for query in QUERIES
}


def test_both_sides_answer_the_same_questions_alone_and_in_a_search() -> None:
    benchmark = from_parts("small", corpus(), QUERIES, QRELS)
    default = TfidfEncoder.fit(corpus())
    same = BesideDefault.of_encoders(default, TfidfEncoder.fit(corpus()), benchmark).figures
    assert same["queries"] == len(QUERIES) and same["documents"] == len(corpus())
    assert set(same["differences"]) == {ALONE, IN_SEARCH}
    assert all(one["by"]["mean"] == 0 and one["verdict"] == "the same" for one in same["differences"].values())
    blind = TfidfEncoder.fit([Document("x", abstract="nothing in common")])
    worse = BesideDefault.of_encoders(blind, default, benchmark, of=len(corpus())).figures
    model, usual = worse["model"]["scores"], worse["default"]["scores"]
    assert worse["differences"][ALONE]["by"]["mean"] < -0.5
    difference = worse["differences"][ALONE]["by"]["mean"]
    assert model[ALONE]["mean"] == pytest.approx(usual[ALONE]["mean"] + difference, abs=2e-4)  # four decimals
    assert model[IN_SEARCH]["mean"] > model[ALONE]["mean"]  # its keywords still find them
    assert worse["model"]["documents_per_second"] > 0


def test_the_figures_are_told_in_sentences() -> None:
    benchmark = from_parts("small", corpus(), QUERIES, QRELS)
    encoder = TfidfEncoder.fit(corpus())
    told = BesideDefault.of_encoders(encoder, encoder, benchmark, of=5_000).sentences()
    assert told[0].startswith(f"nDCG@10 on {len(QUERIES)} questions over {len(corpus())} documents of your 5,000, with")
    assert told[1].startswith("Alone: tfidf 1.000 (1.000 to 1.000), the default 1.000")
    assert told[1].endswith("difference +0.000 (+0.000 to +0.000), the same.")
    assert "documents a second here" in told[3]
    assert told[4].startswith("In a search, keywords count 2 where tfidf counts 1, the usual weight")


def test_a_large_corpus_is_narrowed_to_judged_and_other_documents() -> None:
    many = [Document(f"d{number}", abstract=f"word{number}") for number in range(100)]
    qrels = {"a": {f"d{number}": 1 for number in range(5)}, "b": {"d99": 1, "d98": 0}, "c": {"d50": 0}}
    queries = [Document(name, "query", abstract="word1") for name in qrels]
    whole = from_parts("many", many, queries, qrels)
    less = narrowed(whole, 20)
    held = {one.id for one in less.corpus}
    assert len(held) == 20 and {"d0", "d4", "d98", "d99"} <= held
    assert less.qrels == {"a": qrels["a"], "b": qrels["b"]} and less.left_out == 1
    assert [one.id for one in narrowed(whole, 20).corpus] == [one.id for one in less.corpus]
    assert narrowed(whole, 100) is whole
    few = narrowed(whole, 8)
    assert len(few.corpus) == 8 and sum(map(len, few.qrels.values())) <= 4


def test_a_library_answers_by_its_judgements(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="Expected a library for the questions 'judged'"):
        questions_of("judged")
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("own", "own.jsonl", corpus())
        library.judgements.judge(QUERIES[0], corpus()[0].id, 1)
        assert [query.id for query in questions_of("judged", library).queries] == [QUERIES[0].id]
        with pytest.raises(EvaluationError, match="the same subjects"):
            questions_of("subjects", library)


def test_the_figures_are_kept_with_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIORSCOPE_MODELS", str(tmp_path / "models"))
    monkeypatch.setattr(registry, "DEFAULT", "word2vec-mean")
    name = bring_model(str(write(tmp_path / "tiny"))).name
    made = BesideDefault.measure(name, "small")
    found = made.figures
    assert KeptModel.read(name).measured == {"small": found}
    assert (found["model"]["name"], found["default"]["name"], found["model"]["dim"]) == (name, "word2vec-mean", 32)
    assert found["queries"] == 12 and found["hardware"]
    assert (found["model"]["keyword_weight"], found["default"]["keyword_weight"]) == (0.75, 2.0)
    told = "In a search, keywords count 0.75 where tiny counts 1, as beside the sentence encoders that come with"
    assert made.keywords_in_words().startswith(told) and "measure it again" not in made.keywords_in_words()
    before = {**found, "model": {key: value for key, value in found["model"].items() if key != "keyword_weight"}}
    assert (
        BesideDefault(before).keywords_in_words().endswith("When this was measured they counted 2: measure it again.")
    )
    with pytest.raises(UnknownEncoderError):
        BesideDefault.measure("another", "small")
