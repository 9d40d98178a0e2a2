"""Recipes by name or path: which method one is of, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import ConfigError
from engine.encoders import WordVectors
from engine.training import runs
from engine.training.ctpe.recipe import CtpeRecipe
from engine.training.run_folder import Folders
from engine.training.runs import SHIPPED, Recipes
from tests.contracts.encoder import corpus
from tests.training.cdssm.small import recipe
from tests.training.small import write_data


@pytest.mark.parametrize("name", SHIPPED.names())
def test_every_recipe_loads_and_gives_the_command_that_runs_it(name: str) -> None:
    assert SHIPPED.load(name).method in SHIPPED.methods
    assert f"\n# priorscope train {name} --data DIR --out " in (runs.FOLDER / f"{name}.toml").read_text()


def test_settings_are_put_over_a_recipe() -> None:
    settings = ["optimizer.learning_rate=5e-4", "objective.kind=softmax", "data.corpora=['a']", "pairs.position=30%"]
    made = SHIPPED.load("ctpe-paper", settings)
    assert isinstance(made, CtpeRecipe)
    assert (made.optimizer.learning_rate, made.objective.kind) == (5e-4, "softmax")
    assert (made.data.corpora, made.pairs.position) == (("a",), "30%")


def test_a_recipe_may_be_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('method = "ctpe"\n[data]\ncorpora = ["a"]\n[schedule]\nepochs = 1\n')
    made = SHIPPED.load(str(path), ["related.files=[{corpus = 'a', pairs = 'p.tsv'}]"])
    assert isinstance(made, CtpeRecipe)
    assert made.related.files[0].pairs == "p.tsv"
    with pytest.raises(ConfigError, match="Expected a TOML file at"):
        SHIPPED.load(str(tmp_path / "none.toml"))


def test_an_unknown_method_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    known = ", ".join(map(repr, SHIPPED.methods))
    for content, told in (('method = "bert"', "got 'bert'"), ("", "got ''")):
        path.write_text(content)
        with pytest.raises(
            ConfigError,
            match=rf"mine\.toml: method must be one of {known}, {told}\.$",
        ):
            SHIPPED.load(str(path))


def test_unknown_keys_and_wrong_values_are_all_named() -> None:
    with pytest.raises(ConfigError) as caught:
        SHIPPED.load("ctpe-paper", ["optimizer.lr=1", "objective.kind=hinge", "schedule.epochs=few", "sed=1"])
    for part in (
        "unknown key optimizer.lr (known: batch, learning_rate",
        "objective.kind must be one of 'margin', 'softmax', got 'hinge'",
        "schedule.epochs must be int, got 'few'",
        "unknown key sed",
    ):
        assert part in str(caught.value)


def test_word_vectors_of_a_length_are_trained_first_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write_data(tmp_path / "data")
    words = 'method = "word2vec"\ncorpora = ["ours"]\nmin_count = 2\nworkers = 1\nepochs = 1\n'
    (tmp_path / "mine.toml").write_text(words)
    wanted = ["vectors.dim=5", f"vectors.recipe={tmp_path / 'mine.toml'}", "schedule.epochs=0"]
    trained = []
    whole = Recipes.train_words
    monkeypatch.setattr(
        Recipes, "train_words", lambda self, *given, **more: trained.append(given[0]) or whole(self, *given, **more)
    )
    for run, more in (("one", []), ("two", []), ("letters", ["network.words=trigrams"])):
        folders = Folders(data, tmp_path / run, tmp_path / "cache")
        encoder = SHIPPED.train(recipe(data, "network.words=vectors", *wanted, *more), folders)
        dim = 0 if more else 5
        assert encoder.facts["recipe"]["vectors"]["dim"] == 5
        assert encoder.facts["recipe"]["vectors"]["source"] == str(data / "words")  # as given, not in the cache
        assert (len(encoder.encode_documents(corpus()).any(axis=1)), encoder._weights.settings["vector_dim"]) == (
            40,
            dim,
        )
    assert [one.dim for one in trained] == [5]  # not for letters, which read no word vectors
    (kept,) = (tmp_path / "cache").glob("mine-*[!k]")
    assert WordVectors.load(kept).vectors.shape[1] == 5


def test_word_vectors_are_not_trained_by_an_encoders_recipe(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"Expected a recipe of word vectors, got one of ctpe\. Name word2vec-full"):
        SHIPPED.keep_words(SHIPPED.load("ctpe-cpu"), tmp_path, tmp_path / "words")
