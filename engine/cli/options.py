"""Options that several commands share, spelled once."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from engine.core.errors import LibraryError
from engine.library import LIBRARY_VARIABLE, default_library
from engine.reading import ABSENT, shown, unreachable
from engine.vectors import BINARY_ABOVE, CHOICES, FEWEST


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
    """The library folder that the command line named, or the default; it need not exist yet.

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
        choices=CHOICES,
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
