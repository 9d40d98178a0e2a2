"""`priorscope evaluate`: how well each system ranks a benchmark's documents."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from engine import files
from engine.cli import evaluate_suite, options
from engine.cli.terminal import bar
from engine.evaluation import systems
from engine.evaluation.benchmarks import PARTS, load_benchmark
from engine.evaluation.measure import measure
from engine.evaluation.metrics import METRICS
from engine.evaluation.report import Report, check_place, speed_in_words


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("evaluate", help="measure encoders on a benchmark")
    measured = parser.add_mutually_exclusive_group(required=True)
    measured.add_argument(
        "--benchmark", metavar="DIR", type=Path, help="holds corpus.parquet, queries.parquet, qrels.tsv"
    )
    measured.add_argument("--suite", choices=("paper",), help="make the tables of the papers instead")
    parser.add_argument(
        "--encoders",
        metavar="NAMES",
        default=systems.DEFAULT,
        help=f"separated by commas, among {', '.join(systems.names())}, or NAME=FOLDER for an encoder's folder "
        "(default: default, the ranking of a search)",
    )
    parser.add_argument("--queries", choices=PARTS, default="all", help="which queries to ask (default: all)")
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the report as JSON, and as .md beside it")
    parser.add_argument("--by-query", action="store_true", help="keep each query's scores in the saved report")
    parser.add_argument(
        "--cache", metavar="DIR", type=Path, help="keep each encoder's rows of each corpus here, for later runs"
    )
    evaluate_suite.add_arguments(parser)
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure each system in turn and print the table."""
    if arguments.suite == "paper":
        evaluate_suite.run(arguments)
        return
    rows = systems.rows_of(arguments.encoders)
    if arguments.save is not None:
        check_place(arguments.save)
    if arguments.cache is not None:
        files.check_writable(arguments.cache / "index.json")
    benchmark = load_benchmark(arguments.benchmark, part=arguments.queries)
    measured = [measure(benchmark, row, cache=arguments.cache, report=bar()) for row in rows]
    report = Report(benchmark, measured, command=_command(benchmark.name, rows, benchmark.part))
    if arguments.save is not None:
        report.save(arguments.save, by_query=arguments.by_query)
    if arguments.json:
        options.print_json(report.figures())
    else:
        _print_table(report)


def _command(benchmark: str, rows: list[str], part: str) -> str:
    """The command that gives the figures again, with folders by their names."""
    named = [systems.without_place(row) for row in rows]
    parts = ["priorscope", "evaluate", "--benchmark", benchmark, "--encoders", ",".join(named), "--queries", part]
    return shlex.join(parts)


def _print_table(report: Report) -> None:
    width = max(len(one.name) for one in report.measured) + 2
    benchmark = report.benchmark
    print(f"{benchmark.name}: {len(benchmark.queries):,} queries, {len(benchmark.corpus):,} documents")
    print(" " * width + "".join(f"{name:>15}" for name in [*METRICS, "documents/s"]))
    for one in report.measured:
        figures = "".join(f"{one.metrics[name]:15.4f}" for name in METRICS)
        print(f"{one.name:<{width}}{figures}{speed_in_words(one):>15}")
