"""How fast this machine does what people wait for: `python -m engine.research bench WHAT`."""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from engine import evaluation
from engine.cli import options
from engine.cli.terminal import Parser, bar
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders.minilm import MINILM
from engine.evaluation import load_benchmark
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.library import Library
from engine.research import measurement
from engine.research.baselines.rows import ROWS
from engine.research.bench import comparing, covering, kept_chunks, paging, passage_search, retrieving
from engine.research.bench.encoding import EncodeSpeed, Plan, measure_encoding, passages_of
from engine.research.bench.mapping import MapSpeed, measure_map
from engine.research.bench.searching import (
    FEW_WORDS,
    STAGES,
    WARM_UP,
    Asked,
    SearchSpeed,
    measure_search,
    of_library,
    with_commands,
)
from engine.workspace import Workspace
from engine.workspace.indexing import encoder_for, exact_index


def main(given: Sequence[str] | None = None) -> None:
    """Measure what was asked for and print the report."""
    arguments = _parser().parse_args(given)
    arguments.run(arguments)


def _parser() -> argparse.ArgumentParser:
    """Return the parser, where each measurement is a command below this one."""
    parser: argparse.ArgumentParser = Parser(prog="python -m engine.research bench", description=__doc__)
    measurements = parser.add_subparsers(required=True, metavar="WHAT")
    search = measurements.add_parser("search", help="document in to evidence out, over the library's own documents")
    options.add_library(search)
    options.add_encoder(search)
    options.add_index(search)
    measurement.add_asking(search, "documents", queries=100, k=10)
    others = search.add_mutually_exclusive_group()
    others.add_argument(
        "--files", nargs="+", type=Path, metavar="FILE", help="these ask, a PDF for example, not the library's own"
    )
    others.add_argument("--benchmark", metavar="DIR", type=Path, help="documents of a benchmark's corpus ask")
    search.add_argument(
        "--words", type=int, nargs=2, default=(0, 10**9), metavar=("LEAST", "MOST"), help="of those, the ones so long"
    )
    search.add_argument("--commands", action="store_true", help="also time one search and --help from their start")
    measurement.add_output(search)
    search.set_defaults(run=run_search)
    map_ = measurements.add_parser("map", help="the map's fit, and a document's way to its place on it")
    options.add_library(map_)
    options.add_encoder(map_)
    map_.add_argument("--fits", type=int, default=3, metavar="N", help="how many fits; the first is cold (default: 3)")
    measurement.add_output(map_)
    map_.set_defaults(run=run_map)
    _add_encode(measurements)
    comparing.add_parser(measurements)
    retrieving.add_parser(measurements)
    passage_search.add_parser(measurements)
    kept_chunks.add_parser(measurements)
    covering.add_parser(measurements)
    paging.add_parser(measurements)
    return parser


def _add_encode(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    encode = measurements.add_parser("encode", help="documents a second of encoders, beside a peer's in the same run")
    options.add_library(encode)
    encode.add_argument(
        "--benchmark", metavar="DIR", type=Path, help="draw the documents from a benchmark's corpus, not the library"
    )
    encode.add_argument(
        "--encoders",
        metavar="NAMES",
        default="default",
        help="separated by commas: encoders' names, or NAME=FOLDER (default: default)",
    )
    encode.add_argument("--passages", action="store_true", help="read their passages, as an import does")
    encode.add_argument("--peer", metavar="NAME", default=MINILM, help="compared with (default: minilm)")
    encode.add_argument("--documents", type=int, default=1_000, metavar="N", help="how many are read (default: 1000)")
    encode.add_argument("--rounds", type=int, default=5, metavar="N", help="how often each reads them (default: 5)")
    encode.add_argument("--seed", type=int, default=0, help="which documents are drawn (default: 0)")
    measurement.add_output(encode)
    encode.set_defaults(run=run_encode)


def run_search(arguments: argparse.Namespace) -> None:
    """Measure searches and print the report."""
    measurement.check_save(arguments)
    with Workspace(options.library_folder(arguments)) as workspace:
        library = workspace.library
        encoder, index = workspace.whole(arguments.encoder, choice=arguments.index, report=bar())
        asking = _asking(arguments, library)
        measured = measure_search(library, encoder, index, asking, passages=workspace.passages(), k=arguments.k)
        report = replace(measured, seed=arguments.seed)
        (question,) = library.get(library.summaries().ids[:1])
    if arguments.commands:
        report = with_commands(report, options.library_folder(arguments), question)
    measurement.give(report.as_json(), as_text(report), arguments)


def _asking(arguments: argparse.Namespace, library: Library) -> list[Asked]:
    """Return the files that ask, or documents of a benchmark by their number of words, else the library's own.

    Those that warm the caches up come first. Raises EvaluationError where a benchmark has none so long.
    """
    if arguments.files:
        asking = [Asked(path.name, path.read_bytes()) for path in arguments.files]
        return [*islice(cycle(asking), WARM_UP), *asking]
    if arguments.benchmark is None:
        return of_library(library, arguments.queries, arguments.seed)
    least, most = arguments.words
    every = read_documents(arguments.benchmark / CORPUS)
    corpus = [one for one in every if least <= len(one.text.split()) <= most]
    random.Random(arguments.seed).shuffle(corpus)
    if arguments.queries < 1 or len(corpus) <= WARM_UP:
        raise EvaluationError(
            f"Expected at least 1 query, and more than {WARM_UP} documents of {least} to {most} words in "
            f"{arguments.benchmark.name}; got {arguments.queries} and {len(corpus)}. Ask for others."
        )
    return [Asked.of(one) for one in corpus[: arguments.queries + WARM_UP]]


def run_map(arguments: argparse.Namespace) -> None:
    """Measure the map and print the report."""
    measurement.check_save(arguments)
    with Library.open(options.library_folder(arguments)) as library:
        encoder = encoder_for(library, arguments.encoder, report=bar())
        index = exact_index(library, encoder, report=bar())
        report = measure_map(library, encoder, index, fits=arguments.fits)
    measurement.give(report.as_json(), map_as_text(report), arguments)


def map_as_text(report: MapSpeed) -> str:
    """Return the report as lines."""
    warm = ", ".join(f"{seconds:.1f}" for seconds in report.seconds_warm_fits)
    times = report.milliseconds_to_place
    return (
        f"{report.hardware}\n{report.documents:,} documents, encoder {report.encoder}\n"
        f"first fit {report.seconds_first_fit:.1f} s, warm {warm} s\n"
        f"a document to its place, {report.placements} times: p50 {times.p50:.1f} ms, p95 {times.p95:.1f} ms, "
        f"max {times.max:.1f} ms"
    )


def run_encode(arguments: argparse.Namespace) -> None:
    """Measure encoders beside the peer and print the report."""
    measurement.check_save(arguments)
    plan = Plan(arguments.documents, arguments.rounds, arguments.seed)
    rows = dict.fromkeys([*(row.strip() for row in arguments.encoders.split(",") if row.strip()), arguments.peer])
    encoders = {evaluation.name_of(row): ROWS.trained_encoder(row) for row in rows}
    corpus, source = _documents(arguments)
    if arguments.passages:
        corpus, source = passages_of(corpus), f"passages of {source}"
    report = measure_encoding(corpus, encoders, plan, peer=evaluation.name_of(arguments.peer), source=source)
    measurement.give(report.as_json(), encoding_as_text(report), arguments)


def _documents(arguments: argparse.Namespace) -> tuple[Sequence[Document], str]:
    """Return the documents to draw from, and what they are called."""
    if arguments.benchmark is not None:
        benchmark = load_benchmark(arguments.benchmark)
        return benchmark.corpus, benchmark.name
    with Library.open(options.library_folder(arguments)) as library:
        return library.get(library.summaries().ids), "library"


def encoding_as_text(report: EncodeSpeed) -> str:
    """Return the report as a table, a row an encoder."""
    limits = ", ".join(f"{name} {limit:,.0f}" for name, limit in report.matrix_limit.items())
    lines = [
        f"{report.hardware}, {report.threads} threads; matrix products in GFLOP/s: {limits}",
        f"{report.documents:,} documents of {report.source} (median {report.median_words} words), "
        f"{report.rounds} rounds in turn; networks run in {report.precision}",
        f"{'encoder':<20}{'documents/s':>12}{'x ' + report.peer:>12}{'spread':>18}{'GFLOP/s':>10}{'of limit':>10}",
    ]
    for name, speed in report.encoders.items():
        times, achieved, share = speed.times_the_peer, speed.gigaflops, speed.share_of_limit
        cells = [
            f"{speed.documents_per_second.median:>12,.1f}",
            f"{times.median:>12.2f}{f'{times.min:.2f} to {times.max:.2f}':>18}" if times else f"{'':>30}",
            f"{achieved:>10,.1f}" if achieved is not None else f"{'':>10}",
            f"{share:>10.1%}" if share is not None else "",
        ]
        lines.append(f"{name:<20}" + "".join(cells))
    return "\n".join(lines)


def as_text(report: SearchSpeed) -> str:
    """Return the report as a table, a row a stage."""
    lines = [
        f"{report.hardware}, {report.precision}, load {report.load}",
        f"{report.queries} queries ({report.patents} full patents, {report.papers} papers) over "
        f"{report.documents:,} documents, {report.passages:,} passages, encoder {report.encoder}, k {report.k}, warm",
        f"{'stage':<10}{'p50 ms':>9}{'p95 ms':>9}{'max ms':>9}",
    ]
    for stage in (*STAGES, "total"):
        times = report.stages[stage]
        lines.append(f"{stage:<10}{times.p50:>9.1f}{times.p95:>9.1f}{times.max:>9.1f}")
    if report.of_few_words is not None:
        few = report.of_few_words
        lines.append(f"of at most {FEW_WORDS} words: p50 {few.p50:.1f}, p95 {few.p95:.1f} ms")
    for name, taken in report.commands.items():
        lines.append(f"priorscope {name}: {taken.seconds:.2f} s, {taken.processor_seconds:.2f} s of the processor")
    return "\n".join(lines)
