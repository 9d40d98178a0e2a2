"""Options that several commands share, spelled once, and the limits on which documents a command looks at."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from engine.core.errors import LibraryError
from engine.core.files import ABSENT, shown, unreachable
from engine.library import LIBRARY_VARIABLE, Filters, Library, default_library
from engine.vectors import BINARY_ABOVE, FEWEST, IndexChoice


def add_library(parser: argparse.ArgumentParser) -> None:
    """Add `--library DIR`."""
    parser.add_argument(
        "--library",
        metavar="DIR",
        type=Path,
        default=None,
        help=f"the library's folder (default: ${LIBRARY_VARIABLE}, else ~/.priorscope/library)",
    )


def library_folder(arguments: argparse.Namespace) -> Path:
    """Return the library folder that the command line named, or the default; it need not exist yet.

    Raises LibraryError for a folder that the system does not let us reach.
    """
    named: Path | None = arguments.library
    folder = named if named is not None else default_library()
    reason = unreachable(folder / "library")  # we may not be allowed into the folder itself
    if reason and reason != ABSENT:
        raise LibraryError(f"Expected a library in {shown(folder)}; {reason}. Name another folder with --library.")
    return folder


def add_encoder(parser: argparse.ArgumentParser) -> None:
    """Add `--encoder NAME`."""
    parser.add_argument("--encoder", metavar="NAME", default="default", help="an encoder's name (default: default)")


def add_index(parser: argparse.ArgumentParser) -> None:
    """Add `--index KIND`."""
    parser.add_argument(
        "--index",
        choices=get_args(IndexChoice),
        default="auto",
        help=f"compare all vectors (embedded), or from {FEWEST:,} documents on look near ones up by binary codes "
        f"(binary); auto takes codes above {BINARY_ABOVE:,} documents (default: auto)",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json`."""
    parser.add_argument("--json", action="store_true", help="print one JSON value instead of text")


def print_json(value: object) -> None:
    """Print one JSON value, readable and in UTF-8; escaped where standard output takes fewer characters."""
    narrow = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    json.dump(value, sys.stdout, ensure_ascii=narrow, indent=2)  # as it is made: two books have millions of numbers
    print()


def say(arguments: argparse.Namespace, value: object, text: str) -> None:
    """Print an answer: one JSON value with `--json`, else a text."""
    if arguments.json:
        print_json(value)
    else:
        print(text)


def warn(warnings: Sequence[str]) -> None:
    """Print what a reader noticed to standard error."""
    for warning in warnings:
        print(f"priorscope: {warning}", file=sys.stderr)


def add_filters(parser: argparse.ArgumentParser) -> None:
    """Add the options that limit which documents are looked at."""
    parser.add_argument("--kind", choices=("paper", "patent"), action="append", default=[], help="only this kind")
    parser.add_argument("--year-from", type=int, metavar="YEAR", help="not before this year")
    parser.add_argument("--year-to", type=int, metavar="YEAR", help="not after this year")
    parser.add_argument("--category", action="append", default=[], metavar="C", help="only this category; repeatable")
    parser.add_argument("--venue", action="append", default=[], metavar="V", help="only this venue; repeatable")
    parser.add_argument(
        "--collection",
        action="append",
        default=[],
        metavar="NAME",
        help="only documents of this collection; repeatable",
    )
    parser.add_argument(
        "--from-file",
        action="append",
        default=[],
        metavar="NAME",
        help="only what an import of this name brought; repeatable",
    )
    parser.add_argument(
        "--line",
        action="append",
        default=[],
        metavar="L",
        help='only what this line finds, such as "heat exchanger" fin* NOT tube year:2015- cpc:F28F; repeatable',
    )


def filters_of(arguments: argparse.Namespace, library: Library) -> Filters:
    """Return the limits that the command line named. Raises LibraryError for an unknown collection or imported file."""
    for name in arguments.collection:
        library.collections.ids(name)  # refuses an unknown one
    return Filters(
        kinds=frozenset(arguments.kind),
        year_from=arguments.year_from,
        year_to=arguments.year_to,
        categories=frozenset(arguments.category),
        venues=frozenset(arguments.venue),
        collections=frozenset(arguments.collection),
        files=frozenset(file.name for name in arguments.from_file for file in library.files_named(name)),
        lines=tuple(arguments.line),
    )
