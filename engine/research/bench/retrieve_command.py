"""`python -m engine.research bench retrieve`: search by binary codes as the index grows, beside comparing all rows."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from engine.cli import options
from engine.cli.terminal import bar
from engine.core.errors import EvaluationError
from engine.research.baselines.rows import ROWS
from engine.research.bench import output
from engine.research.bench.retrieval_rows import encode_kept, read_sets
from engine.research.bench.retrieving import Plan, RetrievalSpeed, measure_retrieval

_SETS = "arxiv-abstracts,acm-citation"
_SIZES = "10000,20000,100000,1000000"


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("retrieve", help="search by binary codes as the index grows, beside exact search")
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--sets", metavar="NAMES", default=_SETS, help=f"whose documents (default: {_SETS})")
    options.add_encoder(parser)
    parser.add_argument("--sizes", metavar="SIZES", default=_SIZES, help=f"documents held (default: {_SIZES})")
    parser.add_argument(
        "--codes-from",
        metavar="N",
        type=int,
        help="make codes from N documents on (default: as the index does, which compares all of fewer than 20,000)",
    )
    output.add_asking(parser, "documents", queries=300, k=10)
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep the encoded rows here, and work here")
    output.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print the report."""
    plan = Plan(_sizes(arguments.sizes), arguments.queries, arguments.k, arguments.seed, arguments.codes_from)
    output.check_place(arguments)
    names = [name.strip() for name in arguments.sets.split(",") if name.strip()]
    encoder = ROWS.trained_encoder(arguments.encoder)
    documents = read_sets(arguments.data, names)
    with tempfile.TemporaryDirectory() as temporary:
        cache = arguments.cache or Path(temporary)
        real = encode_kept(encoder, documents, cache, report=bar())
        del documents
        report = measure_retrieval(encoder, real, plan, source=", ".join(names), work=cache, report=bar())
    output.give(report.as_json(), as_text(report), arguments)


def _sizes(text: str) -> list[int]:
    """Whole numbers, separated by commas."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdigit() for part in parts):
        raise EvaluationError(f"Expected whole numbers separated by commas for --sizes, got {text!r}.")
    return [int(part) for part in parts]


def as_text(report: RetrievalSpeed) -> str:
    """The report as a table, a row a size."""
    lines = [
        f"{report.hardware}, {report.threads} threads",
        f"{report.queries} documents of {report.source} ask, one at a time, for {report.k}; encoder {report.encoder}, "
        f"{report.dim} numbers a row kept as {report.precision}",
        f"made rows: {report.made_of}",
        f"{'documents':>10}{'made':>10}{'p50 ms':>9}{'p95 ms':>9}{'x before':>10}{'recall':>9}{'looked up':>11}"
        f"{'code B':>8}{'table B':>9}{'exact p50':>11}{'p95 ms':>9}{'build s':>9}",
    ]
    for size in report.sizes:
        times, exact = size.milliseconds, size.exact_milliseconds
        growth = f"{size.times_the_size_before:>10.2f}" if size.times_the_size_before is not None else f"{'':>10}"
        lines.append(
            f"{size.documents:>10,}{size.made:>10,}{times.p50:>9.2f}{times.p95:>9.2f}{growth}{size.recall:>9.4f}"
            f"{size.candidates.p50:>11,.0f}{size.code_bytes:>8.0f}{size.table_bytes:>9.1f}"
            f"{exact.p50:>11.2f}{exact.p95:>9.2f}{size.seconds_to_build:>9.1f}"
        )
    return "\n".join(lines)
