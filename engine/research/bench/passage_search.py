"""`python -m engine.research bench passages`: one passage's search as a library grows, beside comparing all passages.

The passages of a set are real; those that ask are left out of the library. Beyond them rows are made as for `bench
retrieve`. Documents hold 40 passages each and are added some at a time, so that segments are as an import leaves them;
then the library is opened from the disk. The search and the comparison of all passages take turns, query by query, so
that other work on the machine slows both.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from engine.cli.terminal import bar
from engine.core import files, provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Report, silent
from engine.core.rows import DenseRows
from engine.documents import Chunk
from engine.evaluation import kept_rows
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.research import measurement
from engine.research.bench.retrieving import MADE, Source
from engine.research.bench.searching import Times, load, threads
from engine.search import PassageEncoder
from engine.vectors import PassageStore, PassageView, ReadPassages, open_index, open_passage_store

_PASSAGES_EACH = 40
_WARM_UP = 5
_SIZES = (100_000, 300_000, 1_000_000)
_DIGEST = "f" * 16


@dataclass(frozen=True, slots=True)
class SizeSpeed:
    """One size: milliseconds of one passage's search, and of comparing all; the share of the exact answer found.

    `processor_milliseconds` are those that the search itself has of all cores, which other work delays less.
    `bytes_each` are on the disk. `seconds_first` is the first search, which takes the signs from the rows.
    """

    passages: int
    made: int
    segments: int
    bytes_each: float
    seconds_first: float
    milliseconds: Times
    processor_milliseconds: Times
    exact_milliseconds: Times
    times_as_fast: float
    recall: float
    lowest_recall: float


@dataclass(frozen=True, slots=True)
class PassageSpeed:
    """What was measured, on what."""

    hardware: str
    threads: int
    load: float
    commit: str
    source: str
    sha256: str
    fingerprint: str
    made_of: str
    queries: int
    k: int
    seed: int
    sizes: Sequence[SizeSpeed]

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        return asdict(self)


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("passages", help="one passage's search as a library grows, beside an exact one")
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--set", metavar="NAME", default="acl-long", help="whose passages (default: acl-long)")
    default = " ".join(map(str, _SIZES))
    parser.add_argument(
        "--sizes", nargs="+", type=int, metavar="N", default=_SIZES, help=f"passages held, rising (default: {default})"
    )
    measurement.add_asking(parser, "passages", queries=200, k=100)
    parser.add_argument("--cache", type=Path, metavar="DIR", help="where the set's passages are kept")
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print the report."""
    measurement.check_save(arguments)
    path = arguments.data / arguments.set / CORPUS
    keep = None if arguments.cache is None else arguments.cache / arguments.set
    matcher = kept_rows.matcher(read_documents(path), keep, bar())
    if matcher is None:
        raise EvaluationError("Expected what reads passages; it is not installed. Install Priorscope again.")
    live = np.flatnonzero(matcher.view.held[matcher.view.owner])
    found = measure_search(
        matcher.view.rows(live), arguments.sizes, arguments.queries, arguments.k, arguments.seed, report=bar()
    )
    report = PassageSpeed(
        provenance.hardware(),
        threads(),
        load(),
        provenance.commit(),
        arguments.set,
        files.sha256_file(path),
        PassageEncoder.shipped_fingerprint(),
        MADE,
        arguments.queries,
        arguments.k,
        arguments.seed,
        found,
    )
    measurement.give(report.as_json(), as_text(report), arguments)


def measure_search(
    real: DenseRows, sizes: Sequence[int], queries: int, k: int, seed: int, *, report: Report = silent
) -> list[SizeSpeed]:
    """Grow a library from size to size and ask it, one passage (of n, dim) at a time.

    Raises EvaluationError where no real passage is left to be held.
    """
    if len(real) < queries + _WARM_UP + 2:
        raise EvaluationError(
            f"Expected more than {queries + _WARM_UP + 1} passages for {queries} queries and {_WARM_UP} to warm up, "
            f"got {len(real)}. Ask for fewer queries."
        )
    order = np.random.default_rng(seed).permutation(len(real))
    asked, held = real[order[: queries + _WARM_UP]], real[order[queries + _WARM_UP :]]
    found: list[SizeSpeed] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        index = open_index(folder / "real", fingerprint=_DIGEST, dim=real.shape[1], kind="embedded")
        index.add([f"real:{number}" for number in range(len(held))], held)
        source = Source(index, index.ids, seed)
        for before, size in zip((0, *sizes), sizes, strict=False):
            store = _opened(folder, real.shape[1])
            for names, rows in source.batches(before, size, report=report):
                store.add(list(_documents(names[0], rows)))
            view = _opened(folder, real.shape[1]).view()
            found.append(_measured(view, asked, k, made=max(0, size - len(held)), written=_bytes_in(folder / "kept")))
    return found


def _opened(folder: Path, dim: int) -> PassageStore:
    return open_passage_store(folder / "kept", fingerprint=_DIGEST, dim=dim)


def _documents(name: str, rows: DenseRows) -> Iterator[ReadPassages]:
    """Give rows as documents of 40 passages each."""
    for first in range(0, len(rows), _PASSAGES_EACH):
        some = rows[first : first + _PASSAGES_EACH]
        passages = [Chunk(name, 0, "", 1_000 * number, 1_000 * (number + 1), "") for number in range(len(some))]
        yield ReadPassages(f"{name} {first}", passages, some)


def _bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def _measured(view: PassageView, asked: DenseRows, k: int, *, made: int, written: int) -> SizeSpeed:
    """Ask one passage at a time, each way in turn, after the first and a few to warm up."""
    _, first = _timed(view, asked[0], k)
    for query in asked[1:_WARM_UP]:
        _timed(view, query, k)
    took: list[float] = []
    worked: list[float] = []
    exact_took: list[float] = []
    shares: list[float] = []
    for query in asked[_WARM_UP:]:
        before = time.process_time()
        found, milliseconds = _timed(view, query, k)
        worked.append((time.process_time() - before) * 1000)
        expected, exact = _compared(view, query, k)
        took.append(milliseconds)
        exact_took.append(exact)
        shares.append(len(found & expected) / len(expected))
    return SizeSpeed(
        passages=len(view),
        made=made,
        segments=len(view.segments),
        bytes_each=round(written / len(view), 1),
        seconds_first=round(first / 1000, 3),
        milliseconds=Times.of(took),
        processor_milliseconds=Times.of(worked),
        exact_milliseconds=Times.of(exact_took),
        times_as_fast=round(float(np.median(exact_took) / np.median(took)), 2),
        recall=round(float(np.mean(shares)), 4),
        lowest_recall=min(shares),
    )


def _timed(view: PassageView, query: DenseRows, k: int) -> tuple[set[int], float]:
    """Return the k passages that a search finds for a row (dim,), and its milliseconds."""
    started = time.perf_counter()
    places, _ = view.search(query[None], k)
    taken = (time.perf_counter() - started) * 1000
    return {place for place in places[0].tolist() if place >= 0}, taken


def _compared(view: PassageView, query: DenseRows, k: int) -> tuple[set[int], float]:
    """Return the same by the products of all rows."""
    started = time.perf_counter()
    scores = np.concatenate([one.rows.products(query[None])[0] for one in view.segments])
    most = min(k, len(scores))
    places = np.argpartition(-scores, most - 1)[:most]
    return set(places.tolist()), (time.perf_counter() - started) * 1000


def as_text(report: PassageSpeed) -> str:
    """Return the report as a table, a row a size."""
    lines = [
        f"{report.hardware}, {report.threads} threads, load {report.load}",
        f"{report.queries} passages of {report.source} ask, one at a time, for {report.k}",
        f"made rows: {report.made_of}",
        f"{'passages':>10}{'made':>10}{'segments':>10}{'bytes':>8}{'first s':>9}{'p50 ms':>9}{'p95 ms':>9}"
        f"{'worked':>9}{'all p50':>9}{'p95 ms':>9}{'x':>7}{'recall':>9}{'lowest':>8}",
    ]
    for one in report.sizes:
        took, exact = one.milliseconds, one.exact_milliseconds
        lines.append(
            f"{one.passages:>10,}{one.made:>10,}{one.segments:>10}{one.bytes_each:>8.1f}"
            f"{one.seconds_first:>9.2f}{took.p50:>9.1f}{took.p95:>9.1f}{one.processor_milliseconds.p50:>9.1f}{exact.p50:>9.1f}{exact.p95:>9.1f}"
            f"{one.times_as_fast:>7.2f}{one.recall:>9.4f}{one.lowest_recall:>8.2f}"
        )
    return "\n".join(lines)
