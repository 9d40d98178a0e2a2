"""The quick suite: every row that needs nothing fetched, on a small set of documents that we wrote."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.errors import MissingExtraError
from engine.evaluation import systems
from engine.evaluation.benchmarks import Benchmark, load_benchmark
from engine.evaluation.measure import SCALES, Measured, Scale, measure
from engine.progress import Report, silent
from engine.research.baselines.rows import FETCHED

NAME = "quick"
FOLDER = Path(__file__).resolve().parents[2] / "assets" / "benchmarks" / "small"
"""Papers and patents of several fields, with queries and judgements, all written by us."""

AGAINST = systems.BM25
"""The row that the others are held to."""


def load() -> Benchmark:
    """The small set. Raises EvaluationError where the installation lacks it."""
    return load_benchmark(FOLDER)


def rows() -> list[str]:
    """Every row by name but those that are fetched before they are used."""
    return [name for name in systems.names() if name not in FETCHED]


def measure_rows(
    benchmark: Benchmark, names: Sequence[str], *, scale: Scale = SCALES["ctpe"], report: Report = silent
) -> tuple[list[Measured], dict[str, str]]:
    """Each row that can be had here, and why each other one cannot, by its name.

    Raises EngineError as `measure` does, but for libraries that are not installed.
    """
    measured, skipped = [], {}
    for name in names:
        try:
            measured.append(measure(benchmark, name, scale=scale, report=report))
        except MissingExtraError as error:
            skipped[name] = str(error)
    return measured, skipped
