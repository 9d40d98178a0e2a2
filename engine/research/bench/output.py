"""What measurements have in common: how many documents ask, and where the report goes."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.cli import options
from engine.core import files


def add_asking(parser: argparse.ArgumentParser, who: str, *, queries: int, k: int) -> None:
    """Add `--queries`, `-k` and `--seed`; `who` asks, such as "documents"."""
    parser.add_argument(
        "--queries", type=int, default=queries, metavar="N", help=f"how many {who} ask (default: {queries})"
    )
    parser.add_argument("-k", type=int, default=k, metavar="N", help=f"how many results each (default: {k})")
    parser.add_argument("--seed", type=int, default=0, help=f"which {who} ask (default: 0)")


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add `--save` and `--json`."""
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the report as JSON")
    options.add_json(parser)


def check_place(arguments: argparse.Namespace) -> None:
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
