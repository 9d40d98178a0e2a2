"""`python -m engine.research scale ray`: reading and encoding by this process, by a plain pool and by Ray, in seconds.

All three do the same in turn, in each round, on this machine: import one file a document, then encode. The first round,
in which workers start and load the encoder, is not counted.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from engine import encoders
from engine.cli import options
from engine.core import files
from engine.library import Library
from engine.research import measurement
from engine.research.bench.retrieving import read_sets
from engine.research.bench.searching import load
from engine.workspace import Workers, open_workers
from engine.workspace.importing import import_paths
from engine.workspace.indexing import index_library

HERE, POOL, RAY = "this process", "plain pool", "Ray"


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("ray", help="reading and encoding by a plain pool and by Ray", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="holds one folder a set")
    measurement.add_sets(parser, ["arxiv-abstracts"])
    parser.add_argument("--documents", type=int, default=2_000, metavar="N", help="of the sets (default: 2000)")
    options.add_encoder(parser)
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="of each kind (default: 2)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="that count (default: 3)")
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure, save and print the report."""
    measurement.check_save(arguments)
    names = ("documents", "encoder", "workers", "rounds")
    words = ["ray", "--sets", *arguments.sets, *(f"--{name}={getattr(arguments, name)}" for name in names)]
    report = {**measurement.circumstances("scale", words), "load": load(), **measure(arguments)}
    measurement.give(report, as_text(report), arguments)


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the median seconds of each stage, Ray's overhead, and how far its rows are from those of this process."""
    encoder, count = encoders.load(arguments.encoder), arguments.workers
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        documents = read_sets(arguments.data, arguments.sets)
        for number, one in enumerate(random.Random(0).sample(documents, min(arguments.documents, len(documents)))):
            fields = {"id": one.id, "kind": one.kind, "title": one.title, "abstract": one.abstract}
            files.write_json(folder / "files" / f"{number}.json", fields)
        opened = {POOL: open_workers(count), RAY: stack.enter_context(ray_workers(count))}
        ways = {HERE: None, **{way: stack.enter_context(one) for way, one in opened.items() if one}}
        seconds: dict[str, dict[str, list[float]]] = {way: {"read": [], "encode": []} for way in ways}
        differences = dict.fromkeys(ways, 0.0)
        for _ in range(arguments.rounds + 1):
            expected = None
            for way, workers in ways.items():
                with TemporaryDirectory(dir=folder) as place, Library.open(Path(place), create=True) as library:
                    begun = time.perf_counter()
                    import_paths(library, [folder / "files"], workers=workers)
                    read = time.perf_counter()
                    index = index_library(library, encoder, workers=workers)
                    seconds[way]["read"].append(read - begun)
                    seconds[way]["encode"].append(time.perf_counter() - read)
                    rows = np.asarray(index.rows(sorted(library.ids())))
                expected = rows if expected is None else expected
                differences[way] = max(differences[way], float(np.abs(rows - expected).max()))
    medians = {way: {stage: round(median(times[1:]), 2) for stage, times in of.items()} for way, of in seconds.items()}
    return {
        "documents": len(rows),
        "seconds": medians,
        "overhead of Ray, %": overhead(medians),
        "largest difference of a number": differences,
    }


def overhead(seconds: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return by how many percent Ray takes longer than the plain pool, by stage and in all."""
    pool, ray = ({**seconds[way], "both": sum(seconds[way].values())} for way in (POOL, RAY))
    return {stage: round(100 * (ray[stage] / pool[stage] - 1), 1) for stage in ray}


@contextmanager
def ray_workers(count: int) -> Iterator[Workers | None]:
    """Give the workers of a cluster of `count` processors on this machine, which ends with the block."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster  # takes a second, and only this needs it

    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": count, "include_dashboard": False})
    try:
        yield open_workers(ray=cluster.address)
    finally:
        cluster.shutdown()


def as_text(report: Mapping[str, Any]) -> str:
    """Return the report as tables."""
    names = ("seconds", "largest difference of a number")
    seconds, differences = (report[name] for name in names)
    rows = [
        [way, *(f"{one:,.2f}" for one in some.values()), f"{differences[way]:.0e}"] for way, some in seconds.items()
    ]
    longer = ", ".join(f"{share:g} % ({stage})" for stage, share in report["overhead of Ray, %"].items())
    return "\n".join(
        [
            *measurement.table([f"{report['documents']:,} documents", "read, s", "encode, s", names[1]], rows),
            f"Ray takes longer than the plain pool by {longer}.",
        ]
    )
