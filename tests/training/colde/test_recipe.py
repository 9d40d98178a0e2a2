"""CoLDE's recipes, the paper's among them."""

from __future__ import annotations

import pytest

from engine.training.colde.recipe import ColdeRecipe
from engine.training.runs import SHIPPED


@pytest.mark.parametrize("name", ["colde-cpu", "colde-gpu", "colde-paper"])
def test_recipes_that_come_with_the_program_are_of_this_method(name: str) -> None:
    assert SHIPPED.load(name).method == "colde"


def test_the_papers_colde_is_the_papers() -> None:
    recipe = SHIPPED.load("colde-paper")
    assert isinstance(recipe, ColdeRecipe)
    assert (recipe.head.heads, recipe.head.lstm_dim, recipe.head.dim, recipe.head.skip) == (4, 512, 256, False)
    assert (recipe.backbone.chunk_tokens, recipe.backbone.whole_sentences, recipe.backbone.trained) == (
        512,
        False,
        True,
    )
    assert (recipe.objective.kind, recipe.objective.temperature, recipe.objective.sections) == ("contrastive", 0.5, 2)
    assert (recipe.objective.whole, recipe.objective.chunk_dropout) == (False, 0)
    assert (recipe.optimizer.learning_rate, recipe.optimizer.weight_decay) == (5e-5, 0.01)
