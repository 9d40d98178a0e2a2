"""Every row that needs nothing fetched, on a small set that we wrote: `python -m engine.research quick`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from engine.cli import evaluate, options
from engine.cli.terminal import Parser, bar
from engine.core.errors import MissingExtraError
from engine.core.progress import Report as Progress
from engine.core.progress import silent
from engine.evaluation import Benchmark, EvaluateRequest, EvaluationReport, Measured, load_benchmark, systems
from engine.evaluation.measure import METRIC_SETS, MetricSet
from engine.evaluation.systems import name_of, without_place
from engine.research.baselines.rows import FETCHED, ROWS

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "benchmarks" / "small"
"""Papers and patents of several fields, with queries and judgements, all written by us."""

AGAINST = systems.BM25
"""The row that the others are compared with."""

_PROGRAM = "python -m engine.research quick"


def main(given: Sequence[str] | None = None) -> None:
    """Measure the rows in turn and print the table."""
    parser = Parser(prog=_PROGRAM, description=__doc__)
    evaluate.add_rows(parser, ROWS, usual="every row that needs nothing fetched, against bm25")
    arguments = parser.parse_args(given)
    request = options.request_of(arguments, EvaluateRequest)
    asked = request.choice(ROWS, evaluate.run_files(arguments), usual=rows())
    evaluate.check_places(arguments)
    benchmark, scale = load(), METRIC_SETS[arguments.metrics]
    is_usual = arguments.encoders is None
    if is_usual:
        measured, skipped = measure_rows(benchmark, asked.rows, scale=scale, report=bar())
    else:
        measured, skipped = (
            [ROWS.measure(benchmark, row, scale=scale, report=bar()) for row in asked.rows],
            {},
        )
    measured += request.of_runs(benchmark, asked)
    words = _PROGRAM.split()
    words += [] if is_usual else ["--encoders", ",".join(map(without_place, asked.rows))]
    command = shlex.join([*words, *request.words(asked)])
    against = name_of(arguments.against) if arguments.against else AGAINST if is_usual else ""
    against = against if len(measured) > 1 or arguments.against else ""
    report = EvaluationReport(benchmark, measured, command=command, scale=scale, against=against, skipped=skipped)
    evaluate.show(report, arguments)


def load() -> Benchmark:
    """Return the small set. Raises EvaluationError if the installation lacks it."""
    return load_benchmark(FOLDER)


def rows() -> list[str]:
    """Return every row by name but those that are fetched before they are used."""
    return [name for name in ROWS.names() if name not in FETCHED]


def measure_rows(
    benchmark: Benchmark, names: Sequence[str], *, scale: MetricSet = METRIC_SETS["ctpe"], report: Progress = silent
) -> tuple[list[Measured], dict[str, str]]:
    """Return each row that this installation can measure, and why it cannot measure each other one, by its name.

    Raises EngineError as `measure` does, but for libraries that are not installed.
    """
    measured, skipped = [], {}
    for name in names:
        try:
            measured.append(ROWS.measure(benchmark, name, scale=scale, report=report))
        except MissingExtraError as error:
            skipped[name] = str(error)
    return measured, skipped
