"""What measuring commands share: their options, a table's lines, the circumstances of figures, and the saved report."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.cli.terminal import Parser
from engine.core import files, provenance
from engine.evaluation import check_place


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
