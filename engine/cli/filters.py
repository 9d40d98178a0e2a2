"""The options that limit which documents a command looks at, spelled once."""

from __future__ import annotations

import argparse

from engine.library import Filters, Library


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
    """The limits that the command line named. Raises LibraryError for an unknown collection or imported file."""
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
