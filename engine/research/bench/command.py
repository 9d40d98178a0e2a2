"""How fast this machine does what people wait for: `python -m engine.research bench WHAT`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from engine.cli.terminal import Parser
from engine.research.bench import (
    cancelling,
    comparing,
    covering,
    encoding,
    installing,
    kept_chunks,
    mapping,
    paging,
    passage_search,
    retrieving,
    searching,
    serving,
)

MEASUREMENTS = (
    searching,
    mapping,
    encoding,
    comparing,
    retrieving,
    passage_search,
    kept_chunks,
    covering,
    paging,
    serving,
    cancelling,
    installing,
)
"""The module of each measurement, in the order of the help."""


def main(given: Sequence[str] | None = None) -> None:
    """Measure what was asked for and print the report."""
    arguments = _parser().parse_args(given)
    arguments.run(arguments)


def _parser() -> argparse.ArgumentParser:
    """Return the parser, where each measurement is a command below this one."""
    parser: argparse.ArgumentParser = Parser(prog="python -m engine.research bench", description=__doc__)
    measurements = parser.add_subparsers(required=True, metavar="WHAT")
    for one in MEASUREMENTS:
        one.add_parser(measurements)
    return parser
