"""Measures how many documents a second encoders read, beside a peer and beside what the processor could do."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from engine.cli import options
from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders import Encoder, processor
from engine.encoders.minilm import MINILM
from engine.encoders.processor import ComputePrecision, dtype_of
from engine.evaluation import load_benchmark
from engine.evaluation.systems import name_of
from engine.library import Library
from engine.research import measurement
from engine.research.baselines.rows import ROWS
from engine.research.bench.searching import threads
from engine.search import cut_passages, passage_text

_PRODUCTS = 5
_WARM_UP = 32


@runtime_checkable
class CountsOperations(Protocol):
    """An encoder that knows how much arithmetic a document costs it."""

    def operations(self, documents: Sequence[Document]) -> int:
        """Return floating point operations that encoding these documents takes."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure over all rounds."""

    median: float
    min: float
    max: float


@dataclass(frozen=True, slots=True)
class EncoderSpeed:
    """One encoder's speed; a figure is None if the encoder does not count it, or is the peer itself.

    `share_of_limit` is the achieved share of the processor's matrix limit in the number format that networks run in.
    """

    fingerprint: str
    documents_per_second: Spread
    times_the_peer: Spread | None
    gigaflop_a_document: float | None
    gigaflops: float | None
    share_of_limit: float | None


@dataclass(frozen=True, slots=True)
class EncodeSpeed:
    """What was measured, on what; `matrix_limit` is in GFLOP/s by number format, `precision` the one networks use."""

    hardware: str
    threads: int
    commit: str
    source: str
    documents: int
    median_words: int
    rounds: int
    seed: int
    peer: str
    precision: str
    matrix_limit: Mapping[str, float]
    encoders: Mapping[str, EncoderSpeed]

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Plan:
    """How often each encoder reads how many documents, and the size of the matrices that show the limit."""

    documents: int = 1_000
    rounds: int = 5
    seed: int = 0
    matrix_size: int = 4_096

    def __post_init__(self) -> None:
        """Refuse to measure nothing."""
        if self.documents < 1 or self.rounds < 1:
            raise EvaluationError(
                f"Expected at least 1 document and 1 round to measure; got {self.documents} and {self.rounds}."
            )


def measure_encoding(
    corpus: Sequence[Document], encoders: Mapping[str, Encoder], plan: Plan, *, peer: str, source: str
) -> EncodeSpeed:
    """Let every encoder read the same drawn documents, in turn, in each round; `encoders` holds the peer by its name.

    Raises EvaluationError if `corpus` is empty.
    """
    drawn = _draw(corpus, plan)
    for encoder in encoders.values():
        encoder.encode_documents(drawn[:_WARM_UP])
    seconds: dict[str, list[float]] = {name: [] for name in encoders}
    for _ in range(plan.rounds):
        for name, encoder in encoders.items():
            started = time.perf_counter()
            encoder.encode_documents(drawn)
            seconds[name].append(time.perf_counter() - started)
    precision = processor.fastest_precision()
    formats = [name for name in processor.PRECISIONS if name in ("float32", precision)]  # another takes many minutes
    limit: dict[str, float] = {name: round(matrix_limit(name, size=plan.matrix_size), 4) for name in formats}
    return EncodeSpeed(
        hardware=provenance.hardware(),
        threads=threads(),
        commit=provenance.commit(),
        source=source,
        documents=len(drawn),
        median_words=int(np.median([len(document.text.split()) for document in drawn])),
        rounds=plan.rounds,
        seed=plan.seed,
        peer=peer,
        precision=precision,
        matrix_limit=limit,
        encoders={
            name: _speed(encoder, drawn, seconds[name], None if name == peer else seconds[peer], limit[precision])
            for name, encoder in encoders.items()
        },
    )


def passages_of(documents: Sequence[Document]) -> list[Document]:
    """Return the passages of documents as documents of their own, with the text that an import reads of each."""
    return [
        Document(f"{document.id} {number}", abstract=passage_text(document, passage))
        for document in documents
        for number, passage in enumerate(cut_passages(document))
    ]


def _draw(corpus: Sequence[Document], plan: Plan) -> list[Document]:
    if not corpus:
        raise EvaluationError("Expected documents to encode; there are none. Import some, or name a benchmark.")
    return random.Random(plan.seed).sample(list(corpus), min(plan.documents, len(corpus)))


def _speed(
    encoder: Encoder, drawn: Sequence[Document], seconds: Sequence[float], peer: Sequence[float] | None, limit: float
) -> EncoderSpeed:
    a_second = [len(drawn) / one for one in seconds]
    operations = encoder.operations(drawn) / 1e9 if isinstance(encoder, CountsOperations) else None
    achieved = None if operations is None else operations / float(np.median(seconds))
    return EncoderSpeed(
        fingerprint=encoder.card.fingerprint,
        documents_per_second=_spread(a_second, 1),
        times_the_peer=None
        if peer is None
        else _spread([slow / own for slow, own in zip(peer, seconds, strict=True)], 2),
        gigaflop_a_document=None if operations is None else round(operations / len(drawn), 4),
        gigaflops=None if achieved is None else round(achieved, 1),
        share_of_limit=None if achieved is None else round(achieved / limit, 3),
    )


def _spread(values: Sequence[float], digits: int) -> Spread:
    return Spread(*(round(float(one), digits) for one in (np.median(values), min(values), max(values))))


def matrix_limit(precision: ComputePrecision, *, size: int) -> float:
    """Return the GFLOP/s of the fastest of several products of two square matrices: the bound for an encoder."""
    import torch

    drawn = (torch.randn(size, size, generator=torch.Generator().manual_seed(n)) for n in range(2))
    one, other = (numbers.to(dtype_of(precision)) for numbers in drawn)
    seconds = []
    with torch.inference_mode():
        for _ in range(_PRODUCTS):
            started = time.perf_counter()
            one @ other
            seconds.append(time.perf_counter() - started)
    return 2 * size**3 / min(seconds) / 1e9


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("encode", help="documents a second of encoders, beside a peer's in the same run")
    options.add_library(parser)
    parser.add_argument(
        "--benchmark", metavar="DIR", type=Path, help="draw the documents from a benchmark's corpus, not the library"
    )
    parser.add_argument(
        "--encoders",
        metavar="NAMES",
        default="default",
        help="separated by commas: encoders' names, or NAME=FOLDER (default: default)",
    )
    parser.add_argument("--passages", action="store_true", help="read their passages, as an import does")
    parser.add_argument("--peer", metavar="NAME", default=MINILM, help="compared with (default: minilm)")
    parser.add_argument("--documents", type=int, default=1_000, metavar="N", help="how many are read (default: 1000)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="how often each reads them (default: 5)")
    parser.add_argument("--seed", type=int, default=0, help="which documents are drawn (default: 0)")
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure encoders beside the peer and print the report."""
    measurement.check_save(arguments)
    plan = Plan(arguments.documents, arguments.rounds, arguments.seed)
    rows = dict.fromkeys([*(row.strip() for row in arguments.encoders.split(",") if row.strip()), arguments.peer])
    encoders = {name_of(row): ROWS.trained_encoder(row) for row in rows}
    corpus, source = _documents(arguments)
    if arguments.passages:
        corpus, source = passages_of(corpus), f"passages of {source}"
    report = measure_encoding(corpus, encoders, plan, peer=name_of(arguments.peer), source=source)
    measurement.give(report.as_json(), as_text(report), arguments)


def _documents(arguments: argparse.Namespace) -> tuple[Sequence[Document], str]:
    """Return the documents to draw from, and what they are called."""
    if arguments.benchmark is not None:
        benchmark = load_benchmark(arguments.benchmark)
        return benchmark.corpus, benchmark.name
    with Library.open(options.library_folder(arguments)) as library:
        return library.get(library.summaries().ids), "library"


def as_text(report: EncodeSpeed) -> str:
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
