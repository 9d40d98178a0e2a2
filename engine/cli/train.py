"""`priorscope train`: make an encoder's weights from text, by a recipe."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from engine.cli import options
from engine.cli.terminal import bar
from engine.errors import ConfigError
from engine.research.matchers.recipe import MatcherRecipe
from engine.training import runs
from engine.training.colde.recipe import ColdeRecipe
from engine.training.run_folder import Folders

if TYPE_CHECKING:
    from engine.evaluation.validation import Validation


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("train", help="train an encoder's weights by a recipe")
    parser.add_argument(
        "recipe", metavar="RECIPE", help=f"one of: {', '.join(runs.recipe_names())}; or the path of a .toml file"
    )
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="holds one folder a corpus")
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="where the encoder goes")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        dest="settings",
        action="append",
        default=[],
        help="change a key of the recipe, as optimizer.learning_rate=0.0005; may be given more than once",
    )
    parser.add_argument(
        "--run-folder",
        metavar="DIR",
        type=Path,
        help="keeps recipe, loss curve and checkpoint (default: OUT with -run behind its name)",
    )
    parser.add_argument("--resume", action="store_true", help="go on from the run folder's checkpoint")
    parser.add_argument("--cache", metavar="DIR", type=Path, help="keeps what is read (default: RUN/cache)")
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Train, write the folder, and say what was made."""
    recipe = runs.load_recipe(arguments.recipe, arguments.settings)
    if isinstance(recipe, ColdeRecipe | MatcherRecipe):
        _train_on_pairs(recipe, arguments)
        return
    if not isinstance(recipe, runs.WordsRecipe):
        _train_scored(recipe, arguments)
        return
    if arguments.resume or arguments.run_folder or arguments.cache:
        raise ConfigError(f"Expected {arguments.recipe} without --resume, --run-folder and --cache: it keeps no run.")
    vectors = runs.run(recipe, arguments.data, report=bar())
    vectors.save(arguments.out)
    facts = vectors.facts
    said = (
        f"{facts['words']:,} words from {facts['documents']:,} documents ({facts['tokens']:,} tokens) "
        f"in {facts['seconds']:,} s, written to {arguments.out}"
    )
    _say(arguments, dict(facts), said)


def _train_scored(recipe: runs.ScoredRecipe, arguments: argparse.Namespace) -> None:
    trainer = import_module(f"engine.training.{recipe.method}.trainer")  # torch is slow to import
    score, folders = _validation(recipe.data, arguments), _folders(arguments)
    encoder = trainer.train(recipe, folders, resume=arguments.resume, score=score, report=bar())
    _keep(encoder, arguments, folders)


def _train_on_pairs(recipe: ColdeRecipe | MatcherRecipe, arguments: argparse.Namespace) -> None:
    name = "training.colde" if isinstance(recipe, ColdeRecipe) else "research.matchers"
    trainer, folders = import_module(f"engine.{name}.trainer"), _folders(arguments)
    encoder = trainer.train(recipe, folders, resume=arguments.resume, report=bar())
    _keep(encoder, arguments, folders)


def _keep(encoder: Any, arguments: argparse.Namespace, folders: Folders) -> None:  # noqa: ANN401  with facts and save
    """Write an encoder and say so, where this process is the one that writes."""
    if encoder is not None:
        encoder.save(arguments.out)
        _say_run(arguments, encoder.facts, folders)


def _validation(data: _Validated, arguments: argparse.Namespace) -> Validation | None:
    """What scores each epoch, None where the recipe names no benchmark."""
    from engine.evaluation.validation import Validation

    return Validation.load(data.valid, arguments.data, metric=data.metric) if data.valid else None


class _Validated(Protocol):
    """The data of a recipe whose epochs are scored."""

    @property
    def valid(self) -> tuple[str, ...]:
        """Names of benchmarks."""

    @property
    def metric(self) -> str:
        """What epochs are compared by."""


def _folders(arguments: argparse.Namespace) -> Folders:
    out: Path = arguments.out
    run_folder = arguments.run_folder or out.with_name(f"{out.name}-run")
    return Folders(arguments.data, run_folder, arguments.cache or run_folder / "cache")


def _say_run(arguments: argparse.Namespace, facts: dict[str, Any], folders: Folders) -> None:
    said = (
        f"{len(facts['curve'])} epochs over {facts['documents']:,} documents, the best is {facts['best_epoch']}; "
        f"written to {arguments.out}, the run to {folders.run}"
    )
    _say(arguments, facts, said)


def _say(arguments: argparse.Namespace, facts: dict[str, Any], summary: str) -> None:
    if arguments.json:
        options.print_json({"folder": str(arguments.out), **facts})
    else:
        print(summary)
