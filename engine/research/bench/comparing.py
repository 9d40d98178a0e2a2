"""`python -m engine.research bench compare`: planted passages, roles of sections, and speed of comparisons.

The speed is that of two long documents, cold and from what is kept, beside a plain reading.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from engine.cli import options
from engine.cli.terminal import bar
from engine.compare import Exclusions, ReadDocument, Words, compare
from engine.compare.read_document import LongEncoder
from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders import processor
from engine.encoders.colde import LongRows
from engine.research import measurement
from engine.research.bench.planted import Plan, Planted, RoleAgreement, measure_planted, measure_roles
from engine.research.bench.searching import Times, threads
from engine.research.matching.pair_set import PairSet, load_pair_set
from engine.training.long_corpus import SPLITS
from engine.workspace import Workspace
from engine.workspace.comparison import COMPARE_ENCODER

if TYPE_CHECKING:
    from engine.compare import Words
    from engine.encoders.colde import ColdeEncoder


class ChangesPrecision(LongEncoder, Protocol):
    """An encoder that can also read without the short numbers that a processor may have."""

    def in_precision(self, precision: processor.ComputePrecision) -> Self:
        """Return the same encoder, its transformer running in one precision."""


@dataclass(frozen=True, slots=True)
class CompareSpeed:
    """What was measured, on what.

    `cold`: both documents are read and compared, the encoder in memory. `kept_vectors`: the chunk vectors are at hand,
    as a library's are. `kept_sides`: both were compared before and only the exclusions change, all three of them: each
    choice of sentences comes first as a new one, then again with another least number of words. `plain` is the time to
    read the chunks of both in float32, one at a time; `times_plain` is how many times as fast reading them is here. The
    peak of memory is the whole process's, before the plain reading.
    """

    hardware: str
    threads: int
    commit: str
    encoder: str
    fingerprint: str
    source: str
    documents: Sequence[str]
    words: Sequence[int]
    chunks: Sequence[int]
    rounds: int
    milliseconds: Mapping[str, Times]
    times_plain: float
    peak_memory_mib: int

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        return asdict(self)


def measure_comparing(
    documents: Sequence[Document],
    encoder: ChangesPrecision,
    *,
    words: Words,
    length: int = 8_000,
    rounds: int = 5,
    source: str = "",
) -> CompareSpeed:
    """Compare the two of some documents whose length is nearest to `length` words, several times each way.

    Raises EvaluationError if there are not two, or nothing would be measured.
    """
    if rounds < 1 or len(documents) < 2:
        raise EvaluationError(
            f"Expected two documents to compare, and at least 1 round; got {len(documents)} and {rounds}."
        )
    sizes = [len(document.text.split()) for document in documents]
    chosen = np.argsort(np.abs(np.asarray(sizes) - length), kind="stable")[:2].tolist()
    a, b = (documents[place] for place in chosen)
    times, sides, peak = _times(a, b, encoder, words=words, rounds=rounds)
    return CompareSpeed(
        hardware=provenance.hardware(),
        threads=threads(),
        commit=provenance.commit(),
        encoder=encoder.card.name,
        fingerprint=encoder.card.fingerprint,
        source=source,
        documents=[a.id, b.id],
        words=[sizes[place] for place in chosen],
        chunks=[len(side.long.chunks) for side in sides],
        rounds=rounds,
        milliseconds=times,
        times_plain=round(times["plain"].p50 / times["read"].p50, 2),
        peak_memory_mib=peak,
    )


def _times(
    a: Document, b: Document, encoder: ChangesPrecision, *, words: Words, rounds: int
) -> tuple[dict[str, Times], list[ReadDocument], int]:
    """Return the times of each way, the sides that were read, and the peak of memory in MiB."""
    _cold(a, b, encoder, words)  # what is loaded on first use is not timed
    times = {"cold": _timed(lambda: _cold(a, b, encoder, words), rounds)}
    kept = encoder.read([a, b])
    times["kept_vectors"] = _timed(lambda: _compared(a, b, encoder, words, kept), rounds)
    sides = [ReadDocument.read(one, encoder, words, long=long) for one, long in zip((a, b), kept, strict=True)]
    compare(*sides)
    choices = [Exclusions(n % 2 == 0, n % 4 < 2, min_words=n) for n in range(rounds, 0, -1)]
    times["kept_sides"] = _timed(lambda: compare(*sides, exclusions=choices.pop()), rounds)
    peak = _peak_mib()
    times["read"] = _timed(lambda: encoder.read([a, b]), rounds)
    plain = encoder.in_precision("float32")
    chunks = [chunk.text for side in sides for chunk in side.long.chunks]
    alone = [Document(id=f"{number}", abstract=text) for number, text in enumerate(chunks)]
    times["plain"] = _timed(lambda: [plain.read([one]) for one in alone], rounds)
    return times, sides, peak


def _cold(a: Document, b: Document, encoder: LongEncoder, words: Words) -> None:
    _compared(a, b, encoder, words, encoder.read([a, b]))


def _compared(a: Document, b: Document, encoder: LongEncoder, words: Words, read: Sequence[LongRows]) -> None:
    compare(*(ReadDocument.read(one, encoder, words, long=long) for one, long in zip((a, b), read, strict=True)))


def _timed(call: Callable[[], object], rounds: int) -> Times:
    milliseconds = []
    for _ in range(rounds):
        started = time.perf_counter()
        call()
        milliseconds.append((time.perf_counter() - started) * 1000)
    p50, p95 = np.percentile(milliseconds, [50, 95])
    return Times(round(float(p50), 1), round(float(p95), 1), round(max(milliseconds), 1))


def _peak_mib() -> int:
    """Return the most memory that this process has held so far, in MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10))


_PARTS = ("planted", "roles", "speed")


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("compare", help="planted passages, roles of sections, and speed of comparisons")
    parser.add_argument(
        "--pairs", metavar="FILE", type=Path, required=True, help="a pairs.tsv with corpus.parquet beside it"
    )
    parser.add_argument(
        "--encoder", metavar="NAME", default=COMPARE_ENCODER, help=f"a name, or a folder (default: {COMPARE_ENCODER})"
    )
    parser.add_argument(
        "--what", metavar="PARTS", default=",".join(_PARTS), help=f"among {','.join(_PARTS)} (default: all)"
    )
    parser.add_argument("--split", choices=SPLITS, default="test", help="which pairs (default: test)")
    parser.add_argument("--most", type=int, default=200, metavar="N", help="how many pairs of each kind (default: 200)")
    parser.add_argument("--words", type=int, default=80, metavar="N", help="of a planted paragraph (default: 80)")
    parser.add_argument("--length", type=int, default=8_000, metavar="N", help="words of a timed text (default: 8000)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="how often each is timed (default: 5)")
    parser.add_argument("--seed", type=int, default=0, help="which pairs and paragraphs are drawn (default: 0)")
    options.add_library(parser)
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure what was asked for and print the report."""
    parts = [part.strip() for part in arguments.what.split(",") if part.strip()]
    if not parts or set(parts) - set(_PARTS):
        raise EvaluationError(f"Expected measurements among {', '.join(_PARTS)}, got {arguments.what!r}.")
    measurement.check_save(arguments)
    pairs = load_pair_set(arguments.pairs, form=None)
    encoder, words = _read_with(arguments)
    measured: dict[str, Any] = {}
    held = {document.id: document for document in pairs.documents}
    chosen = [pair for pair in pairs.pairs if pair.split == arguments.split]
    source = f"{pairs.name}, {arguments.split}"
    if "speed" in parts:  # first: the peak of memory is of the whole process
        measured["speed"] = measure_comparing(
            _documents(pairs), encoder, words=words, length=arguments.length, rounds=arguments.rounds, source=source
        )
    if "planted" in parts:
        plan = Plan(arguments.most, arguments.words, arguments.seed, source)
        measured["planted"] = measure_planted(held, chosen, encoder, words=words, plan=plan, report=bar())
    if "roles" in parts:
        measured["roles"] = measure_roles(held, chosen, encoder, most=arguments.most, source=source, report=bar())
    report = {name: one.as_json() for name, one in measured.items()}
    measurement.give(report, "\n\n".join(_AS_TEXT[name](one) for name, one in measured.items()), arguments)


def _read_with(arguments: argparse.Namespace) -> tuple[ColdeEncoder, Words]:
    """Return the encoder, and the words of the library that was named, or of the default one if it exists."""
    with Workspace(options.library_folder(arguments)) as workspace:
        comparer = workspace.comparer(arguments.encoder)
        if arguments.library is not None:
            _ = workspace.library  # a library that was named must exist
        return comparer.encoder(), comparer.words()


def _documents(pairs: PairSet) -> list[Any]:
    return list(pairs.documents)


def planted_as_text(report: Planted) -> str:
    """Return a line a way of planting."""
    lines = [
        f"{report.source}: a paragraph of {report.words} words or more in {report.pairs} unrelated documents "
        f"({report.left_out} pairs left out), encoder {report.encoder}",
        f"{'found first by':<34}{'cell':>8}{'chunks alone':>14}{'passage':>9}",
    ]
    for way, found in report.found.items():
        lines.append(f"{way:<34}{found.cell:>8.1%}{found.cell_by_chunks:>14.1%}{found.passage:>9.1%}")
    return "\n".join(lines)


def roles_as_text(report: RoleAgreement) -> str:
    """Return one sentence."""
    return (
        f"{report.source}: the largest section cell joins sections of one role in {report.agree:.1%} of {report.pairs} "
        f"related pairs ({report.by_chance:.1%} of all cells do; {report.left_out} pairs left out)"
    )


def speed_as_text(report: CompareSpeed) -> str:
    """Return a line a way of comparing."""
    lines = [
        f"{report.hardware}, {report.threads} threads",
        f"two documents of {report.words[0]:,} and {report.words[1]:,} words, {report.rounds} rounds; peak memory "
        f"{report.peak_memory_mib:,} MiB; reading is {report.times_plain:.1f} x as fast as plainly in float32",
        f"{'':<14}{'p50 ms':>10}{'p95 ms':>10}{'max ms':>10}",
    ]
    for name, times in report.milliseconds.items():
        lines.append(f"{name.replace('_', ' '):<14}{times.p50:>10,.1f}{times.p95:>10,.1f}{times.max:>10,.1f}")
    return "\n".join(lines)


_AS_TEXT: dict[str, Any] = {"planted": planted_as_text, "roles": roles_as_text, "speed": speed_as_text}
