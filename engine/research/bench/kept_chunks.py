"""How long two whole documents of a library take to be compared from kept chunks, and what their precision changes."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from engine import encoders
from engine.cli.terminal import bar
from engine.compare import Comparison, Exclusions, ReadDocument, compare
from engine.core import files, provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Meter, Report, silent
from engine.documents import Document
from engine.encoders import processor
from engine.encoders.colde import ColdeEncoder, LongRows
from engine.evaluation.benchmarks import CORPUS
from engine.library import is_long
from engine.research import measurement
from engine.research.bench.searching import Times, load, threads
from engine.research.matching.pair_set import PairSet, load_pair_set
from engine.training.long_corpus import PAIRS
from engine.vectors import PassageView
from engine.workspace import Workspace
from engine.workspace.comparison import COMPARE_ENCODER, Comparer
from engine.workspace.passages import chunk_view, keep_chunks

_SETS = ("acl-long", "patents-long", "pmc-long")

Pairs = Sequence[tuple[Document, Document]]


@dataclass(frozen=True, slots=True)
class KeptChunks:
    """What was measured on the pairs of one set; no document is in two pairs, and the first pair only warms up.

    `milliseconds`: "kept" is a comparison of two documents that this process has not seen, their chunks in the store,
    "processor" how long it kept processors busy, and "read" how long the encoder reads both. `largest` has the largest
    change of any number against chunks kept in float32; `passages` says in how many pairs other passages are shown.
    """

    source: str
    sha256: str
    pairs: int
    median_words: int
    chunks: int
    bytes_each: float
    milliseconds: dict[str, Times]
    largest: dict[str, float]
    passages: int


@dataclass(frozen=True, slots=True)
class KeptChunksReport:
    """Every set, and where it was measured."""

    hardware: str
    threads: int
    precision: str
    load: float
    commit: str
    encoder: str
    fingerprint: str
    seed: int
    sets: Sequence[KeptChunks]

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        return asdict(self)


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("chunks", help="two documents of a library compared from their kept chunks")
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--sets", nargs="+", metavar="NAME", default=_SETS, help=f"default: {' '.join(_SETS)}")
    parser.add_argument("--pairs", type=int, default=12, metavar="N", help="of each set (default: 12)")
    parser.add_argument("--seed", type=int, default=0, help="which pairs (default: 0)")
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print the report."""
    measurement.check_save(arguments)
    busy, found = load(), []
    for name in arguments.sets:
        held = load_pair_set(arguments.data / name / PAIRS, form=None)
        pairs = drawn(held, arguments.pairs, arguments.seed)
        sha256 = files.sha256_file(arguments.data / name / CORPUS)
        found.append(measure(pairs, f"{name}, test", sha256, report=bar()))
    card = encoders.find(COMPARE_ENCODER).card
    report = KeptChunksReport(
        provenance.hardware(),
        threads(),
        processor.reading_precision(),
        busy,
        provenance.commit(),
        card.name,
        card.fingerprint,
        arguments.seed,
        found,
    )
    measurement.give(report.as_json(), as_text(report), arguments)


def drawn(held: PairSet, count: int, seed: int) -> Pairs:
    """Test pairs of long documents, no document in two; one more than `count`, to warm up.

    Raises EvaluationError for fewer.
    """
    of = {document.id: document for document in held.documents}
    tests = [pair for pair in held.pairs if pair.split == "test"]
    found, seen = list[tuple[Document, Document]](), set[str]()
    for place in np.random.default_rng(seed).permutation(len(tests)).tolist():
        a, b = of[tests[place].a], of[tests[place].b]
        if not {a.id, b.id} & seen and a.id != b.id and is_long(a) and is_long(b):
            seen |= {a.id, b.id}
            found.append((a, b))
        if len(found) == count + 1:
            return found
    raise EvaluationError(
        f"Expected {count + 1} test pairs of long documents of their own in {held.name}, found {len(found)}. "
        "Ask for fewer pairs."
    )


def measure(
    pairs: Pairs, source: str, sha256: str, *, name: str = COMPARE_ENCODER, report: Report = silent
) -> KeptChunks:
    """Compare the pairs of documents in a library of them, then from rows in float32."""
    documents = [document for pair in pairs for document in pair]
    with tempfile.TemporaryDirectory() as folder, Workspace(Path(folder), create=True) as workspace:
        workspace.library.add_file("pairs", source, documents)
        comparer = workspace.comparer(name)
        encoder = comparer.encoder()
        times: dict[str, list[float]] = defaultdict(list)
        meter = Meter("read pairs", len(pairs), report)
        rows = [_read(encoder, pair, times["read"], meter) for pair in pairs]
        for document, long in zip(documents, chain(*rows), strict=True):
            keep_chunks(workspace.library, encoder.card, document.id, long)
        workspace.whole(encoders.DEFAULT)
        size = sum(path.stat().st_size for path in workspace.library.chunks_folder.glob("*/*"))
        count = len(_held(workspace, encoder))
        workspace.forget()
        held = [(_of(workspace, a), _of(workspace, b)) for a, b in pairs]
        comparer.warm()
        kept = [_timed(comparer, pair, times) for pair in held]
        full = [_in_full(comparer, pair, long) for pair, long in zip(held, rows, strict=True)]
    changes = [_changes(ours, theirs) for ours, theirs in zip(kept, full, strict=True)]
    return KeptChunks(
        source,
        sha256,
        len(pairs) - 1,
        int(np.median([len(document.text.split()) for document in documents])),
        count,
        round(size / count, 1),
        {what: Times.of(some[1:]) for what, some in times.items()},
        {what: round(max(one[what] for one in changes), 5) for what in changes[0]},
        sum(_shown(ours) != _shown(theirs) for ours, theirs in zip(kept, full, strict=True)),
    )


def _held(workspace: Workspace, encoder: ColdeEncoder) -> PassageView:
    found = chunk_view(workspace.library, encoder.card)
    assert found is not None
    return found


def _of(workspace: Workspace, document: Document) -> Document:
    return workspace.library.get([document.id])[0]


def _timed(comparer: Comparer, pair: tuple[Document, Document], times: dict[str, list[float]]) -> Comparison:
    started, busy = time.perf_counter(), time.process_time()
    found = comparer.compare(*pair, Exclusions())
    times["kept"].append((time.perf_counter() - started) * 1000)
    times["processor"].append((time.process_time() - busy) * 1000)
    return found


def _read(
    encoder: ColdeEncoder, pair: tuple[Document, Document], times: list[float], meter: Meter
) -> Sequence[LongRows]:
    started = time.perf_counter()
    rows = encoder.read(pair)
    times.append((time.perf_counter() - started) * 1000)
    meter.add()
    return rows


def _in_full(comparer: Comparer, pair: tuple[Document, Document], rows: Sequence[LongRows]) -> Comparison:
    """Return the same comparison from rows in float32."""
    encoder, words = comparer.encoder(), comparer.words()
    sides = [ReadDocument.read(one, encoder, words, long=long) for one, long in zip(pair, rows, strict=True)]
    return compare(*sides)


def _changes(ours: Comparison, theirs: Comparison) -> dict[str, float]:
    """Return the largest difference of each kind of number."""
    grids = {"section cells": (ours.sections, theirs.sections), "chunk cells": (ours.chunks, theirs.chunks)}
    cells = {
        name: max(
            float(np.abs(one - other).max(initial=0))
            for one, other in zip(
                *((grid.across, grid.within_a, grid.within_b) for grid in both),
                strict=True,
            )
        )
        for name, both in grids.items()
    }
    attention = float(np.abs(ours.attention - theirs.attention).max(initial=0))
    return {"document score": abs(ours.score - theirs.score), **cells, "attention": attention}


def _shown(found: Comparison) -> list[tuple[str, str]]:
    """Return the passages of both that are shown."""
    return [(one.a.text, one.b.text) for one in found.passages]


def as_text(report: KeptChunksReport) -> str:
    """Return the report as a table, a row a set."""
    lines = [
        f"{report.hardware}, {report.threads} threads, {report.precision}, load {report.load}",
        f"{'set':<20}{'pairs':>6}{'words':>8}{'bytes':>8}"
        + "".join(f"{name + ' p50':>10}{'p95':>8}" for name in ("kept", "busy", "read")),
    ]
    for one in report.sets:
        shown = [one.milliseconds[what] for what in ("kept", "processor", "read")]
        lines.append(
            f"{one.source:<20}{one.pairs:>6}{one.median_words:>8,}{one.bytes_each:>8.0f}"
            + "".join(f"{times.p50:>10.1f}{times.p95:>8.1f}" for times in shown)
        )
    for one in report.sets:
        said = ", ".join(f"{what} {change:.4f}" for what, change in one.largest.items())
        lines.append(f"{one.source}: largest change {said}; other passages in {one.passages} pairs")
    return "\n".join(lines)
