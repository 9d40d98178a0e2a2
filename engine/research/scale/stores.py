"""`python -m engine.research scale stores`: the same searches on a library's folder, on PostgreSQL and on Milvus.

A benchmark's documents become a library, which is copied as `priorscope move` and `priorscope library --vectors` do:
its documents to an empty database with their vectors beside them in pgvector, and once more to a folder whose vectors
lie on Milvus. The benchmark's queries then ask each, in turn, so that other work on the machine delays all alike.

A server's rows of up to 50,000 documents are read when they are opened, and compared in memory, as the folder's are;
with --graph the server is asked for near ones, as it is for more.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from engine.cli.terminal import bar
from engine.core.errors import EvaluationError
from engine.core.stores import Stores, keep_stores
from engine.evaluation import Benchmark, load_benchmark
from engine.evaluation.measure import Itself, score
from engine.library import Library, move_library
from engine.research import measurement
from engine.research.bench.searching import Times, load, threads
from engine.search import Question, Searcher
from engine.vectors import IndexChoice
from engine.workspace import copy_vectors
from engine.workspace.indexing import encoder_for, index_library, open_vectors

FOLDER, POSTGRES, MILVUS = "folder", "PostgreSQL", "Milvus"
_SHOWN, _TITLE, _K, _SLACK, _WARM_UP = 10, 60, 10, 20, 5


Answer = dict[str, Mapping[str, float]]
"""A query's first documents, best first, with each one's raw scores by name."""


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("stores", help="the same searches on each store", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="holds one folder a benchmark")
    parser.add_argument("--set", default="cranfield", metavar="SET", help="whose queries ask (default: cranfield)")
    parser.add_argument("--postgres", metavar="ADDRESS", required=True, help="an empty database with pgvector at hand")
    parser.add_argument("--milvus", metavar="ADDRESS", required=True, help="a Milvus server")
    parser.add_argument("--work", metavar="DIR", type=Path, required=True, help="an empty folder for the libraries")
    parser.add_argument("--graph", action="store_true", help="ask the servers for near rows, however few there are")
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Make the libraries, ask, and print what was found. Raises EvaluationError where one is there already."""
    measurement.check_save(arguments)
    if arguments.work.exists():
        raise EvaluationError(f"Expected no {arguments.work}, where the libraries go; it is there. Name another.")
    benchmark = load_benchmark(arguments.data / arguments.set)
    servers = {POSTGRES: (arguments.postgres, arguments.postgres), MILVUS: ("", arguments.milvus)}
    folders = {name: arguments.work / name for name in (FOLDER, *servers)}
    choice: IndexChoice = "binary" if arguments.graph else "auto"
    busy, seconds = load(), {FOLDER: _seconds(partial(_import, folders[FOLDER], benchmark))}
    for name, stores in servers.items():
        seconds[name] = _seconds(partial(_copy, folders[FOLDER], folders[name], *stores, choice))
    found, taken = _ask(folders, benchmark, choice)
    words = ["stores", *(["--graph"] if arguments.graph else []), "--data", "DIR", "--set", arguments.set]
    report = {
        **measurement.circumstances("scale", [*words, "--postgres", "ADDRESS", "--milvus", "ADDRESS", "--work", "DIR"]),
        "load": busy,
        "threads": threads(),
        "set": arguments.set,
        "documents": len(benchmark.corpus),
        "queries": len(taken[FOLDER]),
        "stores": {
            name: _figures(found[FOLDER], found[name], benchmark)
            | {"ms": asdict(Times.of(taken[name])), "made s": seconds[name]}
            for name in folders
        },
        "first": [
            {"query": " ".join(query.text.split())[:_TITLE], "hits": len(found[FOLDER][query.id])}
            | {name: _beside(found[FOLDER][query.id], found[name][query.id]) for name in servers}
            for query in benchmark.queries[:_SHOWN]
        ],
    }
    measurement.give(report, as_text(report), arguments)


def as_text(report: Mapping[str, Any]) -> str:
    """Return the report as a table of the stores, and one of the first ten queries."""
    facts = ("command", "commit", "hardware", "threads", "load", "set", "documents", "queries")
    stores = [
        [
            name,
            *(f"{one[part]:.4f}" for part in ("nDCG@10", "recall", "apart")),
            *(f"{one['ms'][part]:,.0f}" for part in ("p50", "p95")),
            f"{one['made s']:,.0f}",
        ]
        for name, one in report["stores"].items()
    ]
    names = [name for name in report["stores"] if name != FOLDER]
    first = [
        [one["query"], *(f"{one[name]['same']} of {one['hits']}, {one[name]['apart']:.5f}" for name in names)]
        for one in report["first"]
    ]
    heads = ["store", "nDCG@10", "recall@10 of the folder's", "scores apart at most", "p50 ms", "p95 ms", "made in s"]
    return "\n".join(
        [
            *measurement.as_list({name: report[name] for name in facts}),
            "",
            *measurement.table(heads, stores),
            "How many of the first ten are the folder's, place by place, and how far their scores are apart at most:",
            "",
            *measurement.table(["query", *names], first),
        ]
    )


def _import(folder: Path, benchmark: Benchmark) -> None:
    """Make the library of a benchmark's documents, read by the default encoder."""
    with Library.open(folder, create=True) as library:
        library.add_file(benchmark.corpus_sha256, benchmark.name, list(benchmark.corpus))
        index_library(library, encoder_for(library, "default"), report=bar())


def _copy(source: Path, folder: Path, documents: str, vectors: str, choice: IndexChoice) -> None:
    """Copy the library to other stores, and let the server make what it finds near rows by."""
    keep_stores(folder, Stores(documents=documents))
    move_library(source, folder, bar())
    with Library.open(folder) as library:
        copy_vectors(library, vectors, report=bar())
        index_library(library, encoder_for(library, "default"), choice=choice, report=bar())


def _ask(
    folders: Mapping[str, Path], benchmark: Benchmark, choice: IndexChoice
) -> tuple[dict[str, dict[str, Answer]], dict[str, list[float]]]:
    """Return each store's answers by query, without a query's own works, and the milliseconds that each took."""
    itself = Itself(benchmark)
    asking = list(zip(benchmark.queries, itself.asking(), strict=True))
    found: dict[str, dict[str, Answer]] = {name: {} for name in folders}
    taken: dict[str, list[float]] = {name: [] for name in folders}
    with ExitStack() as stack:
        searchers = {}
        for name, at in folders.items():
            library = stack.enter_context(Library.open(at))
            encoder = encoder_for(library, "default")
            index = open_vectors(library, encoder, choice="auto" if name == FOLDER else choice)
            searchers[name] = Searcher(library, encoder, index)
        for number, (query, asked) in enumerate([*asking[:_WARM_UP], *asking]):
            for name, searcher in searchers.items():
                begun = time.perf_counter()
                results = searcher.search(Question(asked, k=_K + _SLACK)).results
                if number >= min(_WARM_UP, len(asking)):
                    taken[name].append(1e3 * (time.perf_counter() - begun))
                scores = {one.document.id: one.scores for one in results}
                found[name][query.id] = {id_: scores[id_] for id_ in itself.left_out(list(scores), query)[:_K]}
    return found, taken


def _figures(ours: Mapping[str, Answer], others: Mapping[str, Answer], benchmark: Benchmark) -> dict[str, float]:
    """Return a store's quality, and how near its answers are to the folder's."""
    beside = [_beside(ours[query], others[query]) for query in ours]
    metrics, _ = score({query: list(answer) for query, answer in others.items()}, benchmark)
    return {
        "nDCG@10": metrics["nDCG@10"],
        "recall": float(
            np.mean([one["held"] / max(1, len(ours[query])) for one, query in zip(beside, ours, strict=True)])
        ),
        "apart": max(one["apart"] for one in beside),
    }


def _beside(ours: Answer, others: Answer) -> dict[str, float]:
    """Return in how many places two answers hold one document, how many both hold, and how far scores are apart."""
    both = ours.keys() & others.keys()
    apart = [abs(score - others[id_].get(part, score)) for id_ in both for part, score in ours[id_].items()]
    return {
        "same": sum(one == other for one, other in zip(ours, others, strict=False)),
        "held": len(both),
        "apart": max(apart, default=0.0),
    }


def _seconds(work: Callable[[], None]) -> float:
    begun = time.monotonic()
    work()
    return time.monotonic() - begun
