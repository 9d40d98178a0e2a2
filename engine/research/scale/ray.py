"""Measures reading and encoding by workers: this process, the plain pool of processes, and Ray on this machine."""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from engine import encoders
from engine.cli import options
from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders import Encoder
from engine.library import Library
from engine.research import measurement
from engine.search import PassageEncoder
from engine.workspace import Workers, open_workers
from engine.workspace.importing import import_paths
from engine.workspace.indexing import index_library
from engine.workspace.passages import index_passages
from engine.workspace.remote_work import passages_there, rows_there

HERE, PROCESSES, RAY = "this process", "processes", "ray"
Stage = Callable[[Workers | None], int]


@dataclass(frozen=True, slots=True)
class WorkerSpeed:
    """What one kind and number of workers does a second, the median over rounds, by stage; 0 workers: this process.

    `start_seconds` pass before the first work; `difference` is the largest of a number of a vector, from this process.
    """

    kind: str
    workers: int
    start_seconds: float
    per_second: dict[str, float]
    difference: float


@dataclass(frozen=True, slots=True)
class Work:
    """A library to encode, and files to read, if any."""

    library: Library
    encoder: Encoder
    reader: PassageEncoder
    files: Path | None
    folder: Path

    def stages(self) -> dict[str, Stage]:
        """Return what is timed, by name; each returns how many it has done."""
        named: dict[str, Stage] = {} if self.files is None else {"files": self._read}
        return {**named, "vectors": self._vectors, "passages": self._passages}

    def rows(self) -> DenseRows:
        """Return the documents' vectors (n, dim), as they were made last."""
        return np.asarray(index_library(self.library, self.encoder).rows(self.library.ids()))

    def warm(self, workers: Workers) -> None:
        """Have each worker load what encodes."""
        batches = [[document] for document in list(self.library.iter_documents())[: 8 * workers.count]]
        list(rows_there(workers, self.encoder.card, batches, lambda: None))
        list(passages_there(workers, self.reader, batches, lambda: None))

    def _read(self, workers: Workers | None) -> int:
        assert self.files is not None
        with tempfile.TemporaryDirectory(dir=self.folder) as place, Library.open(Path(place), create=True) as library:
            return import_paths(library, [self.files], workers=workers).files

    def _vectors(self, workers: Workers | None) -> int:
        shutil.rmtree(self.library.vectors_folder(self.encoder.card.name), ignore_errors=True)
        return len(index_library(self.library, self.encoder, workers=workers))

    def _passages(self, workers: Workers | None) -> int:
        shutil.rmtree(self.library.passages_folder, ignore_errors=True)
        return len(index_passages(self.library, self.reader, workers=workers))


def measure_workers(work: Work, counts: Sequence[int], rounds: int) -> list[WorkerSpeed]:
    """Let this process, and each number of workers of both kinds, do the same work in turn, in each round."""
    ways = [(HERE, 0), *((kind, count) for count in counts for kind in (PROCESSES, RAY))]
    seconds: dict[tuple[str, int], list[dict[str, float]]] = {way: [] for way in ways}
    starts: dict[tuple[str, int], list[float]] = {way: [] for way in ways}
    differences = dict.fromkeys(ways, 0.0)
    expected: DenseRows | None = None
    for _ in range(rounds):
        for way in ways:
            begun = time.perf_counter()
            with _opened(*way) as workers:
                starts[way].append(time.perf_counter() - begun)
                if workers is not None:
                    work.warm(workers)
                seconds[way].append({name: _each_second(stage, workers) for name, stage in work.stages().items()})
            rows = work.rows()
            expected = rows if expected is None else expected
            differences[way] = max(differences[way], float(np.abs(rows - expected).max()))
    return [
        WorkerSpeed(
            *way,
            round(float(np.median(starts[way])), 2),
            {name: round(float(np.median([one[name] for one in done])), 2) for name in done[0]},
            differences[way],
        )
        for way, done in seconds.items()
    ]


def _opened(kind: str, count: int) -> AbstractContextManager[Workers | None]:
    return open_workers(count or None, "local" if kind == RAY else "") or nullcontext()


def _each_second(stage: Stage, workers: Workers | None) -> float:
    begun = time.perf_counter()
    return stage(workers) / (time.perf_counter() - begun)


def overheads(speeds: Sequence[WorkerSpeed]) -> dict[str, dict[str, float]]:
    """Return by how many percent Ray takes longer than as many processes, by number of workers and stage."""
    plain = {one.workers: one.per_second for one in speeds if one.kind == PROCESSES}
    return {
        str(one.workers): {
            name: round(100 * (plain[one.workers][name] / speed - 1), 1) for name, speed in one.per_second.items()
        }
        for one in speeds
        if one.kind == RAY
    }


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("ray", help="reading and encoding by workers: the plain pool beside Ray")
    options.add_library(parser)
    options.add_encoder(parser)
    parser.add_argument("--files", metavar="DIR", type=Path, help="read these files, too")
    parser.add_argument("--documents", metavar="N", type=int, help="how many of the library's (default: all)")
    parser.add_argument("--workers", metavar="N", type=int, nargs="+", default=[1, 2], help="default: 1 2")
    parser.add_argument("--rounds", metavar="N", type=int, default=3, help="how often each works (default: 3)")
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure, and print the report."""
    measurement.check_save(arguments)
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder) / "library", create=True) as library:
        library.add_file("drawn", "drawn", _drawn(arguments))
        work = Work(library, encoders.load(arguments.encoder), PassageEncoder(), arguments.files, Path(folder))
        speeds = measure_workers(work, arguments.workers, arguments.rounds)
        report = {
            "hardware": provenance.hardware(),
            "commit": provenance.commit(),
            "encoder": work.encoder.card.name,
            "documents": len(library),
            "rounds": arguments.rounds,
            "speeds": [asdict(one) for one in speeds],
            "overhead_of_ray_percent": overheads(speeds),
        }
    measurement.give(report, as_text(speeds), arguments)


def _drawn(arguments: argparse.Namespace) -> list[Document]:
    """Return the documents to encode. Raises EvaluationError if there are none."""
    with Library.open(options.library_folder(arguments)) as library:
        ids = library.ids()
        if arguments.documents is not None:
            ids = random.Random(0).sample(ids, min(arguments.documents, len(ids)))
        if not ids:
            raise EvaluationError("Expected documents to encode; there are none. Import some first.")
        return library.get(ids)


def as_text(speeds: Sequence[WorkerSpeed]) -> str:
    """Return the report as a table."""
    stages = list(speeds[0].per_second)
    rows = [
        [one.kind, str(one.workers or ""), f"{one.start_seconds:.1f}"]
        + [f"{one.per_second[stage]:,.1f}" for stage in stages]
        + [f"{one.difference:.0e}"]
        for one in speeds
    ]
    lines = measurement.table(["kind", "workers", "start, s", *(f"{one}/s" for one in stages), "difference"], rows)
    told = (
        f"Ray takes longer with {count} workers by "
        + ", ".join(f"{share:g} % ({stage})" for stage, share in of.items())
        for count, of in overheads(speeds).items()
    )
    return "\n".join([*lines, *told])
