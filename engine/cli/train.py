"""`priorscope train`: make an encoder's weights from text, by a recipe."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from engine.cli import options
from engine.cli.terminal import bar
from engine.core.errors import ConfigError
from engine.evaluation import Validation
from engine.training import SHIPPED, Folders, Recipes, WordsRecipe


def add_train(parser: argparse.ArgumentParser) -> None:
    """Add the command."""
    add_arguments(parser, SHIPPED)


def add_arguments(parser: argparse.ArgumentParser, recipes: Recipes) -> None:
    """Set a parser up for a command that trains by these recipes."""
    parser.add_argument(
        "recipe", metavar="RECIPE", help=f"one of: {', '.join(recipes.names())}; or the path of a .toml file"
    )
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="holds one folder a corpus")
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="where the encoder goes")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        dest="settings",
        action="append",
        default=[],
        help="change a key of the recipe, such as optimizer.learning_rate=0.0005; may be given more than once",
    )
    parser.add_argument(
        "--run-folder",
        metavar="DIR",
        type=Path,
        help="keeps recipe, loss curve and checkpoint (default: OUT with -run after its name)",
    )
    parser.add_argument("--resume", action="store_true", help="go on from the run folder's checkpoint")
    parser.add_argument("--cache", metavar="DIR", type=Path, help="keeps what is read (default: RUN/cache)")
    options.add_json(parser)
    parser.set_defaults(run=partial(run, recipes=recipes))


def run(arguments: argparse.Namespace, *, recipes: Recipes = SHIPPED) -> None:
    """Train, write the folder, and say what was made."""
    recipe = recipes.load(arguments.recipe, arguments.settings)
    epochs = recipes.epochs_of(recipe)
    if epochs == "unkept":
        _train_words(recipe, recipes, arguments)
        return
    out: Path = arguments.out
    run_folder = arguments.run_folder or out.with_name(f"{out.name}-run")
    folders = Folders(arguments.data, run_folder, arguments.cache or run_folder / "cache")
    score = Validation.of(recipe.data, arguments.data) if epochs == "scored" else None
    encoder = recipes.train(recipe, folders, resume=arguments.resume, score=score, report=bar())
    if encoder is not None:  # else another process writes
        encoder.save(out)
        facts = encoder.facts
        said = (
            f"{len(facts['curve'])} epochs over {facts['documents']:,} documents, the best is {facts['best_epoch']}; "
            f"written to {out}, the run to {run_folder}"
        )
        options.say(arguments, {"folder": str(out), **facts}, said)


def _train_words(recipe: WordsRecipe, recipes: Recipes, arguments: argparse.Namespace) -> None:
    if arguments.resume or arguments.run_folder or arguments.cache:
        raise ConfigError(f"Expected {arguments.recipe} without --resume, --run-folder and --cache: it keeps no run.")
    vectors = recipes.train_words(recipe, arguments.data, report=bar())
    vectors.save(arguments.out)
    facts = vectors.facts
    said = (
        f"{facts['words']:,} words from {facts['documents']:,} documents ({facts['tokens']:,} tokens) "
        f"in {facts['seconds']:,} s, written to {arguments.out}"
    )
    options.say(arguments, {"folder": str(arguments.out), **facts}, said)
