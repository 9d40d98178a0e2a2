"""`priorscope train`: make an encoder's weights from text, by a recipe."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.cli import options
from engine.cli.terminal import bar
from engine.training import runs


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("train", help="train an encoder's weights by a recipe")
    parser.add_argument("recipe", metavar="RECIPE", help=f"one of: {', '.join(runs.recipe_names())}")
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="holds one folder a corpus")
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="where the encoder goes")
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Train, write the folder, and say what was made."""
    recipe = runs.load_recipe(arguments.recipe)
    vectors = runs.run(recipe, arguments.data, report=bar())
    vectors.save(arguments.out)
    if arguments.json:
        options.print_json({"folder": str(arguments.out), **vectors.facts})
        return
    facts = vectors.facts
    print(
        f"{facts['words']:,} words from {facts['documents']:,} documents ({facts['tokens']:,} tokens) "
        f"in {facts['seconds']:,} s, written to {arguments.out}"
    )
