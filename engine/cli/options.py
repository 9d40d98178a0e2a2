"""Options that several commands share, spelled once."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from engine.index.choice import BINARY_ABOVE, CHOICES, FEWEST
from engine.library.location import LIBRARY_VARIABLE, default_library


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
    """The library folder that the command line named, or the default."""
    named: Path | None = arguments.library
    return named if named is not None else default_library()


def add_encoder(parser: argparse.ArgumentParser) -> None:
    """Add `--encoder NAME`."""
    parser.add_argument("--encoder", metavar="NAME", default="default", help="an encoder's name (default: default)")


def add_index(parser: argparse.ArgumentParser) -> None:
    """Add `--index KIND`."""
    parser.add_argument(
        "--index",
        choices=CHOICES,
        default="auto",
        help=f"compare all vectors (embedded), or look near ones up by binary codes of {FEWEST:,} documents or more "
        f"(binary); auto takes codes above {BINARY_ABOVE:,} documents (default: auto)",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json`."""
    parser.add_argument("--json", action="store_true", help="print one JSON value instead of text")


def print_json(value: object) -> None:
    """Print one JSON value, readable and in UTF-8."""
    print(json.dumps(value, ensure_ascii=False, indent=2))
