"""`priorscope bench`: measures how fast this machine does what people wait for."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine import files
from engine.cli import options
from engine.cli.search import searchable
from engine.evaluation.map_speed import measure_map
from engine.evaluation.speed import STAGES, SearchSpeed, measure_search
from engine.library import Library


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command; each measurement is a command below it."""
    parser = commands.add_parser("bench", help="measure speed on this machine")
    measurements = parser.add_subparsers(required=True, metavar="WHAT")
    search = measurements.add_parser("search", help="document in to evidence out, over the library's own documents")
    options.add_library(search)
    options.add_encoder(search)
    search.add_argument("--queries", type=int, default=100, metavar="N", help="how many documents ask (default: 100)")
    search.add_argument("-k", type=int, default=10, metavar="N", help="how many results each (default: 10)")
    search.add_argument("--seed", type=int, default=0, help="which documents are drawn (default: 0)")
    search.add_argument("--save", type=Path, metavar="FILE", help="write the report as JSON")
    options.add_json(search)
    search.set_defaults(run=run_search)
    map_ = measurements.add_parser("map", help="the map's fit, and a document's way to its place on it")
    options.add_library(map_)
    options.add_encoder(map_)
    map_.add_argument("--fits", type=int, default=3, metavar="N", help="how many fits; the first is cold (default: 3)")
    map_.add_argument("--save", type=Path, metavar="FILE", help="write the report as JSON")
    options.add_json(map_)
    map_.set_defaults(run=run_map)


def run_search(arguments: argparse.Namespace) -> None:
    """Measure searches and print the report."""
    _check_place(arguments)
    with Library.open(options.library_folder(arguments)) as library:
        encoder, index = searchable(library, arguments.encoder)
        report = measure_search(library, encoder, index, queries=arguments.queries, k=arguments.k, seed=arguments.seed)
    if arguments.save:
        files.write_json(arguments.save, report.as_json())
    if arguments.json:
        options.print_json(report.as_json())
    else:
        print(as_text(report))


def run_map(arguments: argparse.Namespace) -> None:
    """Measure the map and print the report."""
    _check_place(arguments)
    with Library.open(options.library_folder(arguments)) as library:
        encoder, index = searchable(library, arguments.encoder)
        report = measure_map(library, encoder, index, fits=arguments.fits)
    if arguments.save:
        files.write_json(arguments.save, report.as_json())
    if arguments.json:
        options.print_json(report.as_json())
    else:
        warm = ", ".join(f"{seconds:.1f}" for seconds in report.seconds_warm_fits)
        times = report.milliseconds_to_place
        print(
            f"{report.hardware}\n{report.documents:,} documents, encoder {report.encoder}\n"
            f"first fit {report.seconds_first_fit:.1f} s, warm {warm} s\n"
            f"a document to its place, {report.placements} times: p50 {times.p50:.1f} ms, p95 {times.p95:.1f} ms, "
            f"max {times.max:.1f} ms"
        )


def _check_place(arguments: argparse.Namespace) -> None:
    """Raise StorageError where the report could not be saved, before anything is measured."""
    if arguments.save:
        files.check_writable(arguments.save)


def as_text(report: SearchSpeed) -> str:
    """The report as a table, a row a stage."""
    lines = [
        report.hardware,
        f"{report.queries} queries ({report.patents} full patents, {report.papers} papers) over "
        f"{report.documents:,} documents, encoder {report.encoder}, k {report.k}, warm",
        f"{'stage':<10}{'p50 ms':>9}{'p95 ms':>9}{'max ms':>9}",
    ]
    for stage in (*STAGES, "total"):
        times = report.stages[stage]
        lines.append(f"{stage:<10}{times.p50:>9.1f}{times.p95:>9.1f}{times.max:>9.1f}")
    return "\n".join(lines)
