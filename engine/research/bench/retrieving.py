"""Measures how long an index of binary codes takes to answer as it grows, beside one that compares all rows."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np

from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Report, silent
from engine.core.rows import DenseRows
from engine.encoders import Encoder, processor
from engine.research.bench.retrieval_rows import MADE, Source
from engine.research.bench.searching import Times
from engine.vectors import VectorIndex, open_index
from engine.vectors.binary import BinaryIndex, BinarySettings
from engine.vectors.dense import DenseIndex

_WARM_UP = 20
_ROWS_AT_ONCE = 8_192


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
        """The report as a JSON value."""
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
        threads=processor.threads(),
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
    """An index of binary codes for the rows of another, kept as that one keeps them."""

    def opened(settings: BinarySettings | None) -> BinaryIndex:
        precision = cast(DenseIndex, like).precision
        return BinaryIndex(folder, fingerprint=like.fingerprint, dim=like.dim, precision=precision, settings=settings)

    usual = opened(None)
    return usual if codes_from is None else opened(replace(usual.settings, fewest=codes_from))


@contextmanager
def _built(exact: VectorIndex, folder: Path, codes_from: int | None) -> Iterator[tuple[BinaryIndex, float]]:
    """An index of binary codes over the rows of another, opened from the disk, and the seconds that making it took."""
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
    """Milliseconds and ids of every query after those that warm up, one at a time."""
    times, found = [], []
    for number in range(len(queries)):
        started = time.perf_counter()
        (hits,) = index.search(queries[number : number + 1], k)
        if number >= _WARM_UP:
            times.append((time.perf_counter() - started) * 1000)
            found.append({hit.id for hit in hits})
    return times, found
