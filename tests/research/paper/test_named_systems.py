"""The systems that the papers name: what is said of each is what the code has."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace

import pytest

from engine.core import config
from engine.research.baselines.doc2vecc import Doc2veccRecipe
from engine.research.baselines.glove import GloveRecipe
from engine.research.baselines.rows import OWN_CORPUS, OWN_RECIPE
from engine.research.paper.ctpe_models import changed
from engine.research.paper.named_systems import (
    CDSSM,
    COLDE,
    CTPE,
    DEPARTS,
    EPOCHS,
    GLOVE_FULL_OF_CTPE,
    GLOVE_OF_CTPE,
    MISSING,
    NOTES,
    RUNS,
    SYSTEMS,
    WORD2VEC_OF_CTPE,
    Here,
    System,
)
from engine.research.paper.settings import PaperSettings
from engine.research.paper.ways import as_row
from engine.research.train import RECIPES

ONE = System("CTPE", "table 2", "LDA", Here(RUNS, (as_row("lda"),)))


def how(name: str, paper: str = CTPE) -> str:
    return next(system.here.how for system in SYSTEMS if (system.paper, system.name) == (paper, name))


def test_a_departure_is_told_with_the_values_of_the_code() -> None:
    assert f"{Doc2veccRecipe().epochs} epochs" in how("Doc2VecC")
    for recipe, said in (("glove-full", "GloVe {} with"), ("word2vec-full", "word2vec has {} epochs")):
        assert said.format(RECIPES.load(recipe).epochs) in NOTES[EPOCHS]
    assert f"less than {RECIPES.load('glove-full').least_together}" in NOTES[EPOCHS]
    for kind, name in (("dssm", "DSSM"), ("arc-i", "ARC-I"), ("han", "HAN"), ("smith", "SMITH"), ("s-long", "S-LONG")):
        recipe = RECIPES.load(f"matcher-{kind}")
        assert f"the first {recipe.network.max_words:,} words" in how(name, COLDE)
        assert f"up to {recipe.schedule.epochs} by its recipe" in how(name, COLDE)


def test_the_settings_of_word_vectors_make_them_as_the_paper_does() -> None:
    own = changed(OWN_RECIPE, WORD2VEC_OF_CTPE)
    assert (own.dim, own.window, own.epochs) == (100, 10, 100)
    for glove in (changed(GloveRecipe(OWN_CORPUS), GLOVE_OF_CTPE), RECIPES.load("glove-full", GLOVE_FULL_OF_CTPE)):
        assert (glove.dim, glove.window, glove.epochs) == (100, 10, 100)
        assert (glove.most_weighed, glove.learning_rate, glove.exponent, glove.least_together) == (100, 0.05, 0.75, 0)
    held = {system.name: system.here for system in SYSTEMS if system.where == "tables 2 and 3"}
    table = held["WMD-GloVe"].ways[0].command
    assert shlex.split(table)[-1] == f"ctpe.glove={json.dumps(GLOVE_OF_CTPE)}"
    assert config.with_settings({}, [shlex.split(table)[-1]]) == {"ctpe": {"glove": list(GLOVE_OF_CTPE)}}


def test_a_recipe_has_the_papers_size() -> None:
    recipe = RECIPES.load("ctpe-paper")
    assert (recipe.network.channels, recipe.optimizer.batch, recipe.objective.margin) == (1024, 200, 0.1)
    assert recipe.schedule.epochs == 50
    assert PaperSettings().ctpe.size.channels < recipe.network.channels


def test_c_dssms_sizes_are_those_of_its_recipes() -> None:
    network = RECIPES.load("cdssm-trigrams").network
    assert f"{network.channels} filters, {network.dim} numbers a document and {network.trigrams:,} trigrams" in how(
        "unaltered C-DSSM", CDSSM
    )


def test_transformers_does_not_know_transformer_xl() -> None:
    from transformers import CONFIG_MAPPING

    assert "transfo-xl" not in CONFIG_MAPPING
    assert {"bert", "roberta", "openai-gpt", "gpt2", "xlm", "xlnet"} <= set(CONFIG_MAPPING)


@pytest.mark.parametrize(
    ("here", "said"),
    [
        (Here(RUNS), "Expected a way to run it, got none."),
        (Here(MISSING, (as_row("lda"),), "So it is."), "Expected no way to run a missing system, got one."),
        (Here(MISSING), "Expected in words how or why it is 'missing', got nothing."),
        (Here(DEPARTS, (as_row("lda"),)), "Expected in words how or why it is 'departs', got nothing."),
        (Here(RUNS, (as_row("lda"),), notes=("sizes",)), "Expected a note among size, "),
        (Here(RUNS, (as_row("ldaa"),)), "Expected a row of evaluate, got 'ldaa'."),
        (Here(MISSING, how="So it is.", beside=(as_row("ldaa"),)), "Expected a row of evaluate, got 'ldaa'."),
    ],
)
def test_an_entry_that_contradicts_itself_is_a_problem(here: Here, said: str) -> None:
    assert not ONE.problems
    assert any(problem.startswith(said) for problem in replace(ONE, here=here).problems)
