"""Word vectors trained on little text, and a recipe run from disk."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.cli.main import build_parser
from engine.core.errors import ConfigError, InputError, MissingExtraError, NotFittedError
from engine.core.progress import Progress
from engine.encoders import Word2vecMeanEncoder, WordVectors
from engine.training import runs
from engine.training.runs import SHIPPED
from engine.training.word2vec import Word2vecRecipe, train
from tests.contracts.encoder import SUBJECTS, corpus
from tests.evaluation.small import write_table

SMALL = Word2vecRecipe(corpora=("ours",), dim=8, window=3, epochs=30, min_count=2, subsample=0.01, workers=1)


def test_words_of_one_subject_come_near_each_other() -> None:
    trained = train((document.text for document in corpus() * 5), SMALL)
    assert trained.documents == 200
    assert trained.vectors.shape == (len(trained.words), 8)
    assert list(trained.counts) == sorted(trained.counts, reverse=True)
    place = {word: number for number, word in enumerate(trained.words)}
    unit = trained.vectors / np.linalg.norm(trained.vectors, axis=1, keepdims=True)
    same = unit[place["boiler"]] @ unit[place["piston"]]
    other = unit[place["boiler"]] @ unit[place["genome"]]
    assert same > other


def test_a_machine_without_gensim_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gensim.models", None)
    with pytest.raises(MissingExtraError, match=r"Expected gensim, .* pip install 'priorscope\[train\]'"):
        train((document.text for document in corpus()), SMALL)


def test_one_worker_gives_the_same_vectors_again() -> None:
    first, second = (train((document.text for document in corpus()), SMALL) for _ in range(2))
    np.testing.assert_array_equal(first.vectors, second.vectors)


def test_each_epoch_is_reported() -> None:
    reports: list[Progress] = []
    train((document.text for document in corpus()), SMALL, report=reports.append)
    assert (reports[-1].stage, reports[-1].done, reports[-1].total) == ("train, epochs", 30, 30)


def test_only_the_most_frequent_words_are_kept() -> None:
    recipe = Word2vecRecipe(corpora=("ours",), dim=4, epochs=1, min_count=1, keep_words=3, workers=1)
    trained = train(["a a a a b b b c c d"] * 3, recipe)
    assert trained.words == ["a", "b", "c"]
    assert list(trained.counts) == [12, 9, 6]


def test_with_subwords_a_word_too_rare_to_be_trained_lies_near_its_kin() -> None:
    recipe = replace(SMALL, subwords=True, dim=16)
    trained = train([*(document.text for document in corpus() * 5), "pistonlike", "sequencelike"], recipe)
    place = {word: number for number, word in enumerate(trained.words)}
    unit = trained.vectors / np.linalg.norm(trained.vectors, axis=1, keepdims=True)
    assert "pistonlike" not in train(["pistonlike", *("a b" for _ in range(9))], SMALL).words
    assert unit[place["pistonlike"]] @ unit[place["piston"]] > unit[place["sequencelike"]] @ unit[place["piston"]]
    assert trained.counts[place["pistonlike"]] == 1
    assert len(trained.words) == len(trained.counts) == len(trained.vectors)


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"dim": 0, "epochs": 0}, "dim must be at least 1, got 0; epochs must be at least 1"),
        ({"corpora": ()}, "at least one corpus"),
    ],
)
def test_a_recipe_out_of_range_is_refused(changed: dict[str, object], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        Word2vecRecipe(**{"corpora": ("ours",), **changed})  # type: ignore[arg-type]


def test_the_shipped_recipe_is_the_papers() -> None:
    recipe = SHIPPED.load("word2vec-full")
    assert (recipe.dim, recipe.window, recipe.epochs) == (100, 10, 5)
    assert "patents-citation" in recipe.corpora


def test_an_unknown_recipe_is_refused() -> None:
    with pytest.raises(
        ConfigError,
        match=r"among .*word2vec-full, or the path of a \.toml file; got 'bert'\.",
    ):
        SHIPPED.load("bert")


def test_a_missing_corpus_is_told_before_training(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"for each of ours in .*; missing: ours"):
        SHIPPED.train_words(SMALL, tmp_path)


def test_the_command_writes_an_encoder_with_its_facts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data" / "ours").mkdir(parents=True)
    write_table(tmp_path / "data" / "ours" / "corpus.parquet", corpus())
    monkeypatch.setattr(runs.Recipes, "load", lambda recipes, name, settings: SMALL)
    parser = build_parser("train")
    line = ["train", "word2vec-full", "--data", str(tmp_path / "data"), "--out", str(tmp_path / "out")]
    for more in ([], ["--json"]):
        arguments = parser.parse_args([*line, *more])
        arguments.run(arguments)
    printed = capsys.readouterr().out
    assert "words from 40 documents" in printed
    facts = json.loads(printed[printed.index("{") :])
    assert facts["recipe"]["dim"] == 8
    assert set(facts["corpora_sha256"]) == {"ours"}
    encoder = Word2vecMeanEncoder.load(tmp_path / "out")
    assert encoder.encode_documents(corpus()).any()
    assert WordVectors.load(tmp_path / "out").trained_on == ("ours",)
    assert set(SUBJECTS["steam"].split()) & set(WordVectors.load(tmp_path / "out").words)


@pytest.mark.parametrize("texts", [[], [""], ["each word once"]])
def test_text_without_a_word_often_enough_is_told(texts: list[str]) -> None:
    with pytest.raises(NotFittedError, match="Expected words that occur at least 2 times to train on, got none"):
        train(texts, SMALL)
