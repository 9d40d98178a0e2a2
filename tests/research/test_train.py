"""The trainings that only tables need, by their command."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.encoders import Word2vecMeanEncoder, WordVectors, registry
from engine.research.baselines.glove import GloveRecipe
from engine.research.train import RECIPES, main
from engine.training import runs
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_table
from tests.research.baselines.small_glove import SMALL


def test_the_command_writes_word_vectors_that_are_read_as_their_mean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data" / "ours").mkdir(parents=True)
    write_table(tmp_path / "data" / "ours" / "corpus.parquet", corpus())
    monkeypatch.setattr(runs.Recipes, "load", lambda recipes, name, settings: SMALL)
    main(["glove-full", "--data", str(tmp_path / "data"), "--out", str(tmp_path / "out")])
    vectors = WordVectors.load(tmp_path / "out")
    assert (vectors.card.name, vectors.card.dim, vectors.trained_on) == ("glove", 8, ("ours",))
    assert vectors.facts["recipe"]["most_weighed"] == 10
    assert "agree" in vectors.facts["repeatable"]
    encoder = registry.load_folder(tmp_path / "out")
    assert isinstance(encoder, Word2vecMeanEncoder)
    assert encoder.encode_documents(corpus()).any(axis=1).all()


def test_the_shipped_recipe_reads_what_word2vecs_does() -> None:
    recipe, other = RECIPES.load("glove-full"), RECIPES.load("word2vec-full")
    assert isinstance(recipe, GloveRecipe)
    assert (recipe.corpora, recipe.dim, recipe.window) == (other.corpora, other.dim, other.window)
