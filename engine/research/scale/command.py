"""Where a store of documents and vectors ends: `python -m engine.research scale WHAT`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from engine.cli.terminal import Parser
from engine.research.scale import embedded, growth, ray, spread, stores

MEASUREMENTS = (embedded, spread, growth, ray, stores)
"""The module of each measurement, in the order of the help."""


def main(given: Sequence[str] | None = None) -> None:
    """Measure what was asked for and print the report."""
    parser: argparse.ArgumentParser = Parser(prog="python -m engine.research scale", description=__doc__)
    measurements = parser.add_subparsers(required=True, metavar="WHAT")
    for one in MEASUREMENTS:
        one.add_parser(measurements)
    arguments = parser.parse_args(given)
    arguments.run(arguments)
