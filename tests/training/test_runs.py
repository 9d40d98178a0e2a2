"""Recipes by name or path: which method one is of, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import ConfigError
from engine.training import runs
from engine.training.ctpe.recipe import CtpeRecipe
from engine.training.runs import SHIPPED


@pytest.mark.parametrize("name", SHIPPED.names())
def test_every_recipe_loads_and_gives_the_command_that_runs_it(name: str) -> None:
    assert SHIPPED.load(name).method in SHIPPED.methods
    assert f"\n# priorscope train {name} --data DIR --out " in (runs.FOLDER / f"{name}.toml").read_text()


def test_settings_are_put_over_a_recipe() -> None:
    settings = ["optimizer.learning_rate=5e-4", "objective.kind=softmax", "data.corpora=['a']", "pairs.position=30%"]
    recipe = SHIPPED.load("ctpe-paper", settings)
    assert isinstance(recipe, CtpeRecipe)
    assert (recipe.optimizer.learning_rate, recipe.objective.kind) == (5e-4, "softmax")
    assert (recipe.data.corpora, recipe.pairs.position) == (("a",), "30%")


def test_a_recipe_may_be_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('method = "ctpe"\n[data]\ncorpora = ["a"]\n[schedule]\nepochs = 1\n')
    recipe = SHIPPED.load(str(path), ["related.files=[{corpus = 'a', pairs = 'p.tsv'}]"])
    assert isinstance(recipe, CtpeRecipe)
    assert recipe.related.files[0].pairs == "p.tsv"
    with pytest.raises(ConfigError, match="Expected a TOML file at"):
        SHIPPED.load(str(tmp_path / "none.toml"))


def test_an_unknown_method_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    known = ", ".join(map(repr, SHIPPED.methods))
    for content, told in (('method = "bert"', "got 'bert'"), ("", "got ''")):
        path.write_text(content)
        with pytest.raises(
            ConfigError,
            match=rf"mine\.toml: method must be one of {known}, {told}. .python -m engine\.research train.",
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
