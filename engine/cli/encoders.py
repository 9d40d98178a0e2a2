"""`priorscope encoders`: the encoders, and what each is."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from engine.cli import options
from engine.encoders import registry
from engine.rows import Precision

_BYTES: dict[Precision, str] = {"float32": "4 bytes", "float16": "2 bytes", "int8": "1 byte"}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("encoders")
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print every encoder's card."""
    described = [_described(name) for name in registry.names()]
    if arguments.json:
        options.print_json({"default": registry.DEFAULT, "encoders": described})
        return
    for one in described:
        mark = " (default)" if one["name"] == registry.DEFAULT else ""
        print(f"{one['name']}{mark}\n  {one['summary']}")
        if one["fitted"]:
            print("  learns from your library when it is indexed")
        else:
            size = f"{one['dim']} numbers a document, {_BYTES[one['stored']]} each"
            print(f"  {size}, trained on {', '.join(one['trained_on'])}, {one['licence']}")


def _described(name: str) -> dict[str, Any]:
    return {**dataclasses.asdict(registry.card(name)), "fitted": registry.is_fitted_kind(name)}
