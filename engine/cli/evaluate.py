"""`priorscope evaluate`: how well each system ranks a benchmark's documents."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from engine.cli import options
from engine.cli.terminal import bar
from engine.errors import EvaluationError
from engine.evaluation import systems
from engine.evaluation.benchmarks import PARTS, load_benchmark
from engine.evaluation.measure import measure
from engine.evaluation.metrics import METRICS
from engine.evaluation.report import Report


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("evaluate", help="measure encoders on a benchmark")
    parser.add_argument(
        "--benchmark", metavar="DIR", type=Path, required=True, help="holds corpus.parquet, queries.parquet, qrels.tsv"
    )
    parser.add_argument(
        "--encoders",
        metavar="NAMES",
        default=systems.DEFAULT,
        help=f"separated by commas, among {', '.join(systems.names())} (default: default, the ranking of a search)",
    )
    parser.add_argument("--queries", choices=PARTS, default="all", help="which queries to ask (default: all)")
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the report as JSON, and as .md beside it")
    parser.add_argument("--by-query", action="store_true", help="keep each query's scores in the saved report")
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure each system in turn and print the table."""
    names = _names(arguments.encoders)
    benchmark = load_benchmark(arguments.benchmark, part=arguments.queries)
    measured = [measure(benchmark, name, report=bar()) for name in names]
    report = Report(benchmark, measured, command=_command(benchmark.name, names, benchmark.part))
    if arguments.save is not None:
        report.save(arguments.save, by_query=arguments.by_query)
    if arguments.json:
        options.print_json(report.figures())
    else:
        _print_table(report)


def _names(given: str) -> list[str]:
    """The names asked for, once each. Raises EvaluationError for one that is not known."""
    names = list(dict.fromkeys(name.strip() for name in given.split(",") if name.strip()))
    unknown = [name for name in names if name not in systems.names()]
    if unknown or not names:
        raise EvaluationError(
            f"Expected encoders among {', '.join(systems.names())}, got {', '.join(unknown) or 'none'}. "
            "Separate the names by commas."
        )
    return names


def _command(benchmark: str, names: list[str], part: str) -> str:
    """The command that gives the figures again, with the benchmark's folder by its name."""
    parts = ["priorscope", "evaluate", "--benchmark", benchmark, "--encoders", ",".join(names), "--queries", part]
    return shlex.join(parts)


def _print_table(report: Report) -> None:
    width = max(len(one.name) for one in report.measured) + 2
    benchmark = report.benchmark
    print(f"{benchmark.name}: {len(benchmark.queries):,} queries, {len(benchmark.corpus):,} documents")
    print(" " * width + "".join(f"{name:>15}" for name in [*METRICS, "documents/s"]))
    for one in report.measured:
        figures = "".join(f"{one.metrics[name]:15.4f}" for name in METRICS)
        print(f"{one.name:<{width}}{figures}{one.documents_per_second:15,.0f}")
