"""What measuring commands share: options, who asks, a table's lines, circumstances of figures, and the saved report."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.cli import options
from engine.cli.terminal import Parser
from engine.core import files, provenance
from engine.evaluation import check_place

_NOT_A_NEWCOMERS = frozenset(
    {"VIRTUAL_ENV", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
)


def make_parser(name: str, about: str | None, *, data: bool = True, cache: bool = False) -> Parser:
    """Return the parser of a command, with --save, and with --data and --cache where it takes them."""
    parser = Parser(
        prog=f"python -m engine.research {name}",
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if data:
        parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="holds one folder a set")
    if cache:
        parser.add_argument("--cache", type=Path, metavar="DIR", help="keep what encoders read here, for later runs")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the report as JSON, and as .md beside it")
    return parser


def read_options(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of a command line; a --save that cannot be written is refused before any work."""
    given = parser.parse_args(arguments)
    if given.save is not None:
        check_place(given.save)
    return given


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table and the empty one after it."""
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def circumstances(module: str, words: Sequence[str]) -> dict[str, str]:
    """Return the command that gives the figures again, without one machine's folders; the commit and the machine."""
    command = shlex.join(["python", "-m", "engine.research", module, *words])
    return {"command": command, "commit": provenance.commit(), "hardware": provenance.hardware()}


def as_list(facts: Mapping[str, object]) -> list[str]:
    """Return one line a fact."""
    return [f"* {name}: {value}" for name, value in facts.items()]


def save(path: Path | None, report: Mapping[str, Any], markdown: str) -> None:
    """Write a report as JSON, and its tables beside it as Markdown; without a path nothing is written."""
    if path is not None:
        files.write_json(path, report)
        files.write_bytes(path.with_suffix(".md"), markdown.encode())


def add_sets(parser: argparse.ArgumentParser, sets: Sequence[str]) -> None:
    """Add `--sets`, these unless told."""
    parser.add_argument("--sets", nargs="+", default=sets, metavar="SET", help=f"default: {' '.join(sets)}")


def add_asking(parser: argparse.ArgumentParser, who: str, *, queries: int, k: int) -> None:
    """Add `--queries`, `-k` and `--seed`; `who` asks, such as "documents"."""
    parser.add_argument(
        "--queries", type=int, default=queries, metavar="N", help=f"how many {who} ask (default: {queries})"
    )
    parser.add_argument("-k", type=int, default=k, metavar="N", help=f"how many results each (default: {k})")
    parser.add_argument("--seed", type=int, default=0, help=f"which {who} ask (default: 0)")


def newcomers_environment() -> dict[str, str]:
    """Return this environment without variables of Python or make, and where installers keep no packages."""
    kept = {name: value for name, value in os.environ.items() if name not in _NOT_A_NEWCOMERS}
    return kept | {"PIP_NO_CACHE_DIR": "1", "UV_NO_CACHE": "1"}


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add `--save` and `--json`."""
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the report as JSON")
    options.add_json(parser)


def check_save(arguments: argparse.Namespace) -> None:
    """Raise StorageError if the report could not be saved, before anything is measured."""
    if arguments.save:
        files.check_writable(arguments.save)


def give(report: object, text: str, arguments: argparse.Namespace) -> None:
    """Save the report, a JSON value, where that was asked for, and print it or the same as text."""
    if arguments.save:
        files.write_json(arguments.save, report)
    if arguments.json:
        options.print_json(report)
    else:
        print(text)
