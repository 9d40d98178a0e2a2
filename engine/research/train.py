"""The product's `train` with the recipes that only tables need, too: `python -m engine.research train`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.cli import train
from engine.cli.terminal import Parser
from engine.research.baselines.glove import GloveRecipe
from engine.research.baselines.supervised_mover import MoverRecipe
from engine.research.matchers.trainer import MatcherRecipe, SBertRecipe
from engine.training import SHIPPED, Recipes
from engine.training.runs import METHODS, Method

RECIPES = Recipes(
    {
        **METHODS,
        "glove": Method(GloveRecipe, "engine.research.baselines.glove", "unkept"),
        "swmd": Method(MoverRecipe, "engine.research.baselines.supervised_mover", "scored"),
        "matcher": Method(MatcherRecipe, "engine.research.matchers.trainer", "unscored"),
        "s-bert": Method(SBertRecipe, "engine.research.matchers.trainer", "unscored"),
    },
    (*SHIPPED.folders, Path(__file__).resolve().parent / "recipes"),
)
"""The recipes of what is shipped, and of what only tables need."""


def main(given: Sequence[str] | None = None) -> None:
    """Train, write the folder, and say what was made."""
    parser = Parser(prog="python -m engine.research train", description=__doc__)
    train.add_arguments(parser, RECIPES)
    arguments = parser.parse_args(given)
    arguments.run(arguments)
