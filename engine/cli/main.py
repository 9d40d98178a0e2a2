"""Find the command that was asked for, run it, and turn a user's error into one line and exit code 2."""

from __future__ import annotations

import argparse
import importlib
import logging
import sys
from collections.abc import Sequence

from engine.cli.terminal import Parser, exit_code_of
from engine.errors import ConfigError

COMMANDS = (
    "app",
    "samples",
    "import",
    "remove",
    "read",
    "salient",
    "search",
    "compare",
    "map",
    "collections",
    "encoders",
    "evaluate",
    "train",
)
_MODULES = {"import": "engine.cli.import_files"}  # a module cannot be named after a keyword
_VERBOSE = "--verbose"
_MOVED = ("bench", "match")
_SUITES = {"quick": "quick", "paper": "tables"}
"""What `evaluate --suite` took, and the command of engine.research that measures it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit code: 0 done, 2 a user's error, 130 interrupted."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    return exit_code_of(lambda: _run(given), program="priorscope")


def _run(given: Sequence[str]) -> None:
    _refuse_moved(given)
    namespace = build_parser().parse_args(given)
    logging.basicConfig(level=logging.INFO if namespace.verbose else logging.WARNING, format="%(message)s")
    namespace.run(namespace)


def _refuse_moved(given: Sequence[str]) -> None:
    """Raise ConfigError for a command that has a new name, and say it."""
    words = [word for word in given if word != _VERBOSE]
    command = words[0] if words else ""
    if command in _MOVED:
        raise ConfigError(f"`priorscope {command}` has moved. Run: python -m engine.research {command}")
    suites = [place for place, word in enumerate(words) if word.partition("=")[0] == "--suite"]
    if command == "evaluate" and suites:
        first = suites[0]
        name = words[first].partition("=")[2] or "".join(words[first + 1 : first + 2])
        runs = [_SUITES[name]] if name in _SUITES else list(_SUITES.values())
        commands = " or ".join(f"python -m engine.research {one}" for one in runs)
        raise ConfigError(f"`{f'priorscope evaluate --suite {name}'.strip()}` has moved. Run: {commands}")


def build_parser() -> argparse.ArgumentParser:
    """The parser of every command."""
    parser = Parser(prog="priorscope", description="Shows what lies near a scientific paper or a patent, and why.")
    parser.add_argument(_VERBOSE, action="store_true", help="log what is done")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in COMMANDS:
        module = importlib.import_module(_MODULES.get(name, f"engine.cli.{name}"))
        module.add_parser(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
