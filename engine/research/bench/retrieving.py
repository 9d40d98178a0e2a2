"""`python -m engine.research bench retrieve`: search by binary codes as the index grows, beside comparing all rows.

The rows are of all real documents at hand, then of made ones between them.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from engine.cli import options
from engine.cli.terminal import bar
from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders import Encoder
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.research import measurement
from engine.research.baselines.rows import ROWS
from engine.research.bench.searching import Times, threads
from engine.vectors import VectorIndex, open_index
from engine.vectors.binary import BinaryIndex, BinarySettings
from engine.vectors.exact import DenseIndex

_DOCUMENTS_AT_ONCE = 2_048
_ROWS_AT_ONCE = 8_192
_SECONDS_BETWEEN_WRITES = 120
_PARTNERS = 10
_PARTNER_SAMPLE = 20_000
_NEAREST_END = 0.25  # a made row lies at least this share of the way from each of its two parents

MADE = (
    f"a point between a real row and one of its {_PARTNERS} nearest among {_PARTNER_SAMPLE:,} real ones, "
    f"{_NEAREST_END:.0%} to {1 - _NEAREST_END:.0%} of the way, of the length between theirs"
)


def read_sets(data: Path, names: Sequence[str]) -> list[Document]:
    """Return the documents of several sets, the first of those that share an id. Raises EvaluationError."""
    held: dict[str, Document] = {}
    for name in names:
        corpus = data / name / CORPUS
        if not corpus.is_file():
            raise EvaluationError(f"Expected {CORPUS} in {data / name}; it is missing. Name sets that have one.")
        for document in read_documents(corpus):
            held.setdefault(document.id, document)
    return list(held.values())


def encode_kept(
    encoder: Encoder, documents: Sequence[Document], folder: Path, *, report: Report = silent
) -> VectorIndex:
    """Return the documents' rows in an index that is kept in `folder` and goes on where an earlier call stopped.

    Raises EvaluationError for an encoder of sparse rows.
    """
    card = encoder.card
    if card.sparse:
        raise EvaluationError(f"Expected an encoder of dense rows, got {card.name} of sparse ones. Name another.")
    index = open_index(
        folder / card.fingerprint, fingerprint=card.fingerprint, dim=card.dim, kind="embedded", precision=card.stored
    )
    held = set(index.ids)
    left = [document for document in documents if document.id not in held]
    meter, written = Meter(f"encode by {card.name}", len(left), report), time.monotonic()
    for first in range(0, len(left), _DOCUMENTS_AT_ONCE):
        batch = left[first : first + _DOCUMENTS_AT_ONCE]
        index.add([document.id for document in batch], encoder.encode_documents(batch))
        meter.add(len(batch))
        if time.monotonic() - written > _SECONDS_BETWEEN_WRITES:
            index.flush()
            written = time.monotonic()
    meter.finish()
    if left:
        index.flush()
    return index


@dataclass(frozen=True, slots=True)
class Source:
    """Real rows by their ids in the order of use, and any number of rows made from them."""

    real: VectorIndex
    ids: Sequence[str]
    seed: int = 0

    def batches(self, first: int, last: int, *, report: Report = silent) -> Iterator[tuple[list[str], DenseRows]]:
        """Give ids and rows from number `first` to before `last`: real ones first, made ones once they run out."""
        for start in range(first, min(last, len(self.ids)), _ROWS_AT_ONCE):
            names = list(self.ids[start : min(start + _ROWS_AT_ONCE, last)])
            yield names, np.asarray(self.real.rows(names))
        start = max(first, len(self.ids))
        if start < last:
            partners = self._partners(report)
            for begin in range(start, last, _ROWS_AT_ONCE):
                numbers = np.arange(begin, min(begin + _ROWS_AT_ONCE, last))
                yield [f"made:{number}" for number in numbers], self._made(numbers, partners)

    def _partners(self, report: Report) -> NDArray[np.int32]:
        """Return numbers (n, 10) of the nearest real rows of each, itself left out, among a sample."""
        sample = self.ids[:_PARTNER_SAMPLE]
        number_of = {name: number for number, name in enumerate(sample)}
        count = min(_PARTNERS, len(sample) - 1)
        if count < 1:
            raise EvaluationError(
                f"Expected at least 2 real documents to make others of, got {len(sample)}. Name more."
            )
        found = np.empty((len(self.ids), count), np.int32)
        meter = Meter("find real neighbours", len(self.ids), report)
        with tempfile.TemporaryDirectory() as folder:
            index = open_index(
                Path(folder) / "sample", fingerprint=self.real.fingerprint, dim=self.real.dim, kind="embedded"
            )
            index.add(sample, self.real.rows(sample))
            for first in range(0, len(self.ids), _ROWS_AT_ONCE):
                names = self.ids[first : first + _ROWS_AT_ONCE]
                for own, hits in enumerate(index.search(self.real.rows(names), count + 1)):
                    others = [number_of[hit.id] for hit in hits if hit.id != names[own]]
                    found[first + own] = others[:count]
                meter.add(len(names))
        meter.finish()
        return found

    def _made(self, numbers: NDArray[np.int64], partners: NDArray[np.int32]) -> DenseRows:
        """Return rows (m, dim) that depend on their numbers, the real rows and the seed alone."""
        chance = np.random.default_rng([self.seed, int(numbers[0])])
        parents = numbers % len(self.ids)
        others = partners[parents, chance.integers(partners.shape[1], size=len(numbers))]
        share = chance.uniform(_NEAREST_END, 1 - _NEAREST_END, size=(len(numbers), 1)).astype(np.float32)
        one = np.asarray(self.real.rows([self.ids[number] for number in parents]))
        other = np.asarray(self.real.rows([self.ids[number] for number in others]))
        rows = (1 - share) * one + share * other  # (m, dim)
        lengths = [np.linalg.norm(row, axis=1, keepdims=True) for row in (one, other, rows)]
        wanted = (1 - share) * lengths[0] + share * lengths[1]
        made: DenseRows = rows * (wanted / np.maximum(lengths[2], np.finfo(np.float32).tiny))
        return made


_WARM_UP = 20


@dataclass(frozen=True, slots=True)
class SizeSpeed:
    """One size: milliseconds a query of both indexes, and how much of the exact answer the codes find, as a share.

    `times_the_size_before` is how many times as long the median query takes as at the size before. Candidates are
    the rows whose codes are compared. Bytes count a document's code and its part of the hash tables.
    """

    documents: int
    real: int
    made: int
    milliseconds: Times
    exact_milliseconds: Times
    recall: float
    lowest_recall: float
    times_the_size_before: float | None
    candidates: Times
    code_bytes: float
    table_bytes: float
    seconds_to_build: float


@dataclass(frozen=True, slots=True)
class RetrievalSpeed:
    """What was measured, on what, by an index of what settings; queries are real documents that no index holds."""

    hardware: str
    threads: int
    commit: str
    encoder: str
    fingerprint: str
    dim: int
    precision: str
    source: str
    made_of: str
    settings: Mapping[str, object]
    queries: int
    k: int
    seed: int
    sizes: Sequence[SizeSpeed]

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Plan:
    """Numbers of documents in rising order, queries, and how many hits each is asked for.

    Codes are made from `codes_from` documents on, where None by the index's own settings; fewer are all compared.
    """

    sizes: Sequence[int]
    queries: int = 300
    k: int = 10
    seed: int = 0
    codes_from: int | None = None

    def __post_init__(self) -> None:
        """Refuse to measure nothing."""
        rising = all(one < other for one, other in zip(self.sizes, self.sizes[1:], strict=False))
        least = min([*self.sizes, self.queries, self.k, 1 if self.codes_from is None else self.codes_from])
        if not self.sizes or not rising or least < 1:
            raise EvaluationError(
                "Expected sizes of at least 1 in rising order, at least 1 query, and k and codes_from of at least 1; "
                f"got {list(self.sizes)}, {self.queries}, {self.k} and {self.codes_from}."
            )


def measure_retrieval(
    encoder: Encoder, real: VectorIndex, plan: Plan, *, source: str, work: Path | None = None, report: Report = silent
) -> RetrievalSpeed:
    """Grow both indexes from size to size and ask them, one query at a time; `work` has room for their files.

    Raises EvaluationError if fewer real documents are held than are to ask and one more.
    """
    ids = [real.ids[number] for number in np.random.default_rng(plan.seed).permutation(len(real))]
    asked = plan.queries + _WARM_UP
    if len(ids) < asked + 2:
        raise EvaluationError(
            f"Expected more than {asked + 1} real documents for {plan.queries} queries and {_WARM_UP} to warm up, "
            f"got {len(ids)}. Name more sets, or ask for fewer queries."
        )
    queries = np.asarray(encoder.as_queries(real.rows(ids[:asked])))
    documents = Source(real, ids[asked:], plan.seed)
    with tempfile.TemporaryDirectory(dir=work) as folder:
        settings = asdict(_coded(real, Path(folder) / "none", plan.codes_from).settings)
        sizes = list(_measured(documents, queries, plan, folder=Path(folder), report=report))
    return RetrievalSpeed(
        hardware=provenance.hardware(),
        threads=threads(),
        commit=provenance.commit(),
        encoder=encoder.card.name,
        fingerprint=encoder.card.fingerprint,
        dim=encoder.card.dim,
        precision=encoder.card.stored,
        source=source,
        made_of=MADE,
        settings=settings,
        queries=plan.queries,
        k=plan.k,
        seed=plan.seed,
        sizes=sizes,
    )


def _measured(
    documents: Source, queries: DenseRows, plan: Plan, *, folder: Path, report: Report
) -> Iterator[SizeSpeed]:
    held, before = 0, None
    real = documents.real
    exact = open_index(
        folder / "exact",
        fingerprint=real.fingerprint,
        dim=real.dim,
        kind="embedded",
        precision=cast(DenseIndex, real).precision,
    )
    for size in plan.sizes:
        for names, rows in documents.batches(held, size, report=report):
            exact.add(names, rows)
        held = size
        with _built(exact, folder, plan.codes_from) as (index, seconds):
            took, found = _asked(index, queries, plan.k)
            looked_up = index.looked_up(queries[_WARM_UP:])
            code_bytes, table_bytes = index.code_bytes, index.table_bytes
        exact_took, expected = _asked(exact, queries, plan.k)
        shares = [len(one & other) / len(other) for one, other in zip(found, expected, strict=True)]
        median = float(np.median(took))
        yield SizeSpeed(
            documents=size,
            real=min(size, len(documents.ids)),
            made=max(0, size - len(documents.ids)),
            milliseconds=Times.of(took),
            exact_milliseconds=Times.of(exact_took),
            recall=round(float(np.mean(shares)), 4),
            lowest_recall=min(shares),
            times_the_size_before=None if before is None else round(median / before, 2),
            candidates=Times.of(looked_up),
            code_bytes=round(code_bytes, 2),
            table_bytes=round(table_bytes, 2),
            seconds_to_build=round(seconds, 2),
        )
        before = median


def _coded(like: VectorIndex, folder: Path, codes_from: int | None) -> BinaryIndex:
    """Return an index of binary codes for the rows of another, kept as that one keeps them."""

    def opened(settings: BinarySettings | None) -> BinaryIndex:
        precision = cast(DenseIndex, like).precision
        return BinaryIndex(folder, fingerprint=like.fingerprint, dim=like.dim, precision=precision, settings=settings)

    usual = opened(None)
    return usual if codes_from is None else opened(replace(usual.settings, fewest=codes_from))


@contextmanager
def _built(exact: VectorIndex, folder: Path, codes_from: int | None) -> Iterator[tuple[BinaryIndex, float]]:
    """Give an index of binary codes over the rows of another, opened from disk, and the seconds that making it took."""
    with tempfile.TemporaryDirectory(dir=folder) as room:
        index, names = _coded(exact, Path(room) / "binary", codes_from), exact.ids
        started = time.perf_counter()
        for first in range(0, len(names), _ROWS_AT_ONCE):
            some = names[first : first + _ROWS_AT_ONCE]
            index.add(some, exact.rows(some))
        index.flush()
        seconds = time.perf_counter() - started
        yield _coded(exact, Path(room) / "binary", codes_from), seconds


def _asked(index: VectorIndex, queries: DenseRows, k: int) -> tuple[list[float], list[set[str]]]:
    """Return milliseconds and ids of every query after those that warm up, one at a time."""
    times, found = [], []
    for number in range(len(queries)):
        started = time.perf_counter()
        (hits,) = index.search(queries[number : number + 1], k)
        if number >= _WARM_UP:
            times.append((time.perf_counter() - started) * 1000)
            found.append({hit.id for hit in hits})
    return times, found


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
    measurement.add_asking(parser, "documents", queries=300, k=10)
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep the encoded rows here, and work here")
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print the report."""
    plan = Plan(_sizes(arguments.sizes), arguments.queries, arguments.k, arguments.seed, arguments.codes_from)
    measurement.check_save(arguments)
    names = [name.strip() for name in arguments.sets.split(",") if name.strip()]
    encoder = ROWS.trained_encoder(arguments.encoder)
    documents = read_sets(arguments.data, names)
    with tempfile.TemporaryDirectory() as temporary:
        cache = arguments.cache or Path(temporary)
        real = encode_kept(encoder, documents, cache, report=bar())
        del documents
        report = measure_retrieval(encoder, real, plan, source=", ".join(names), work=cache, report=bar())
    measurement.give(report.as_json(), as_text(report), arguments)


def _sizes(text: str) -> list[int]:
    """Return whole numbers, separated by commas."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdigit() for part in parts):
        raise EvaluationError(f"Expected whole numbers separated by commas for --sizes, got {text!r}.")
    return [int(part) for part in parts]


def as_text(report: RetrievalSpeed) -> str:
    """Return the report as a table, a row a size."""
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
