"""`priorscope move`: a library copied from a folder to a server, back, or between two of a kind."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from engine.cli import options
from engine.cli.terminal import bar
from engine.core.stores import library_at
from engine.documents.text import how_many
from engine.library import move_library


def add_move(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    place = "a folder, or the address of a database: postgresql://USER@HOST/DATABASE"
    parser.add_argument("source", metavar="FROM", type=library_at, help=f"the library: {place}")
    parser.add_argument(
        "target", metavar="TO", type=library_at, help="where to copy it to, as FROM; no library is there yet"
    )
    options.add_json(parser)


def run_move(arguments: argparse.Namespace) -> None:
    """Copy the library, and say what was copied."""
    moved = move_library(arguments.source, arguments.target, bar())
    text = (
        f"{how_many(moved.documents, 'document')} copied: {how_many(moved.rows, 'row')} and "
        f"{how_many(moved.files, 'file')}, each the same by its SHA-256. The library that was copied stays as it is."
    )
    options.say(arguments, asdict(moved), text)
