"""The product's `evaluate` with the papers' baselines as further rows: `python -m engine.research evaluate`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cli import evaluate
from engine.cli.terminal import Parser
from engine.research.baselines.rows import ROWS

_PROGRAM = "python -m engine.research evaluate"


def main(given: Sequence[str] | None = None) -> None:
    """Measure each system in turn and print the table."""
    parser = Parser(prog=_PROGRAM, description=__doc__)
    evaluate.add_arguments(parser, ROWS, _PROGRAM)
    arguments = parser.parse_args(given)
    arguments.run(arguments)
