"""Ranks a benchmark's queries by one system and scores the rankings; in training, by an encoder after each epoch.

Rankings are scored without the query itself, versions of its work, its family, and what a collection excludes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from engine.core import files, provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Meter, Report
from engine.core.rows import Rows
from engine.documents import Document, Hit
from engine.documents.works import lacks_most_words, same_family, same_work
from engine.encoders import Encoder
from engine.evaluation.benchmarks import Benchmark, load_benchmark
from engine.evaluation.formats import Qrels, read_run
from engine.evaluation.metrics import DEEPEST_RANK, METRICS, TREC, TREC_DEPTH, Judged, Metric

Run = Mapping[str, Sequence[str]]
"""Ranked document ids by query id, best first."""
_DOCUMENTS_AT_ONCE, _QUERIES_AT_ONCE = 2_000, 20


@dataclass(frozen=True, slots=True)
class MetricSet:
    """How rankings are scored: metrics by name, and how many ranks they read.

    Systems are compared in the `main` ones first. With `whole_bpref`, a query with many relevant documents is read
    deeper: only bpref counts relevant documents down to twice their number.
    """

    metrics: Mapping[str, Metric]
    depth: int
    main: tuple[str, ...]
    whole_bpref: bool = False

    def ranks(self, grades: Mapping[str, int]) -> int:
        """Return how many ranks are read for a query with these judgements."""
        relevant = sum(grade > 0 for grade in grades.values())
        return max(self.depth, 2 * relevant) if self.whole_bpref else self.depth

    def most_ranks(self, qrels: Qrels) -> int:
        """Return the most ranks read for any query."""
        return max(self.ranks(grades) for grades in qrels.values())


METRIC_SETS: Mapping[str, MetricSet] = {
    "ctpe": MetricSet(METRICS, DEEPEST_RANK, ("nDCG@10", "R@100"), whole_bpref=True),
    "trec": MetricSet(TREC, TREC_DEPTH, ("ndcg_cut_10", "recall_100")),
}
"""CTPE's metrics with two of trec_eval's; and trec_eval's alone, by its names."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One system's figures on a benchmark: over all queries, and by query.

    `documents_per_second` is None where the rows came from an earlier run; both speeds are None for a ranking from a
    file. `run` holds each query's ranking, as deep as it was scored. `peak_bytes` is the peak memory of the whole
    process so far, including other rows; None where the system does not count it. `summary` is as of PreparedSystem.
    """

    name: str
    fingerprint: str
    metrics: Mapping[str, float]
    by_query: Mapping[str, Mapping[str, float]]
    documents_per_second: float | None
    queries_per_second: float | None
    seconds: float
    run: Run
    peak_bytes: int | None = None
    summary: str = ""

    @property
    def speed_in_words(self) -> str:
        """Documents a second, or a note that rows came from an earlier run or rankings from a file."""
        if self.documents_per_second is not None:
            return f"{self.documents_per_second:,.0f}"
        return "a file" if self.queries_per_second is None else "kept"

    @classmethod
    def of_run(
        cls,
        benchmark: Benchmark,
        name: str,
        path: Path,
        *,
        scale: MetricSet = METRIC_SETS["ctpe"],
        complete: bool = False,
    ) -> Measured:
        """Score a ranking from a TREC run file as a row of this name.

        Queries that are not asked are skipped, and so is what `rank` leaves out of each ranking. With `complete`, a
        judged query that the file lacks counts as an empty ranking (trec_eval's -c), because a run cannot show one;
        otherwise such a file is refused. Raises EvaluationError where the file ranks other queries or documents,
        InputError where it cannot be read.
        """
        started = time.perf_counter()
        given = read_run(path)
        itself = Itself(benchmark)
        strange = sorted(
            {found for ids in given.values() for found in ids if found not in itself.family_of} - given.keys()
        )
        if strange:
            raise EvaluationError(
                f"Expected {path.name} to rank documents of {benchmark.name}, {len(strange)} are not there, the first "
                f"{strange[0]!r}. Rank the benchmark's own documents."
            )
        asked = {query.id: query for query in benchmark.queries}
        run = {
            query: tuple(
                (itself.left_out(ids, asked[query]) if query in asked else ids)[: _ranks(scale, benchmark, query)]
            )
            for query, ids in given.items()
            if query not in benchmark.others
        }
        if complete and run:  # a run without any of these queries is not an empty ranking
            run = {**dict.fromkeys(benchmark.qrels, ()), **run}
        metrics, by_query = score(run, benchmark, metrics=scale.metrics)
        seconds = time.perf_counter() - started
        return cls(name, files.sha256_file(path)[:16], metrics, by_query, None, None, seconds, run=run)


class System(Protocol):
    """Ranks the documents of one corpus."""

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """Return the k best documents of each query, best first."""


@dataclass(frozen=True, slots=True)
class PreparedSystem:
    """A system ready to rank.

    `seconds` is the time from the documents' text to there, including fitting; None where kept rows were used.
    `summary` says of a baseline what it is, as what word mover's distance ranks again.
    """

    name: str
    system: System
    fingerprint: str
    seconds: float | None
    summary: str = ""

    def stepwise(self, report: Report) -> PreparedSystem:
        """Return the same system, reporting progress while it ranks many queries."""
        return replace(self, system=_Stepwise(self.name, self.system, report))

    def measure(
        self, benchmark: Benchmark, *, started: float | None = None, scale: MetricSet = METRIC_SETS["ctpe"]
    ) -> Measured:
        """Rank every query and score the rankings; `started` is when preparation began (time.perf_counter)."""
        ranked_from = time.perf_counter()
        run = rank(benchmark, self, scale=scale)
        ranking_seconds = time.perf_counter() - ranked_from
        metrics, by_query = score(run, benchmark, metrics=scale.metrics)
        return Measured(
            name=self.name,
            fingerprint=self.fingerprint,
            metrics=metrics,
            by_query=by_query,
            documents_per_second=None if self.seconds is None else len(benchmark.corpus) / self.seconds,
            queries_per_second=len(benchmark.queries) / ranking_seconds,
            seconds=time.perf_counter() - (ranked_from if started is None else started),
            run={query: tuple(ids) for query, ids in run.items()},
            peak_bytes=provenance.peak_memory_bytes(),
            summary=self.summary,
        )


@dataclass(frozen=True, slots=True)
class _Stepwise:
    name: str
    system: System
    report: Report

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        meter = Meter(f"rank by {self.name}", len(queries), self.report)
        found: list[list[Hit]] = []
        for first in range(0, len(queries), _QUERIES_AT_ONCE):
            batch = queries[first : first + _QUERIES_AT_ONCE]
            found += self.system.rank(batch, k)
            meter.add(len(batch))
        meter.finish()
        return found


def rank(
    benchmark: Benchmark, prepared: PreparedSystem, *, scale: MetricSet = METRIC_SETS["ctpe"]
) -> dict[str, list[str]]:
    """Return each query's ranking without what `Itself` leaves out, as deep as the scale reads."""
    itself = Itself(benchmark)
    found = prepared.system.rank(itself.asking(), scale.most_ranks(benchmark.qrels) + itself.most())
    return {
        query.id: itself.left_out([hit.id for hit in hits], query)[: _ranks(scale, benchmark, query.id)]
        for query, hits in zip(benchmark.queries, found, strict=True)
    }


def score(
    run: Run, benchmark: Benchmark, *, metrics: Mapping[str, Metric] = METRICS
) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Return every metric over all queries, and by query. Raises EvaluationError where queries and qrels differ."""
    different = run.keys() ^ benchmark.qrels.keys()
    if different:
        raise EvaluationError(
            f"Expected a ranking of each of the {len(benchmark.qrels)} judged queries and no other, got {len(run)}; "
            f"{min(different)!r} is on one side only. Rank the benchmark's own queries; "
            "where a file lacks those that found nothing, say so by --complete-runs."
        )
    judged = {name: Judged.of(run[name], grades) for name, grades in benchmark.qrels.items()}
    every = list(judged.values())
    over_all = {name: metric.over(every) for name, metric in metrics.items()}
    by_query = {query: {name: metric.score(one) for name, metric in metrics.items()} for query, one in judged.items()}
    return over_all, by_query


def _ranks(scale: MetricSet, benchmark: Benchmark, query: str) -> int:
    return scale.ranks(benchmark.qrels.get(query, {}))


# What rankings leave out -------------------------------------------------------------------------


class Itself:
    """What rankings of a query leave out: itself, its own works, a patent's family, and what the benchmark excludes.

    A document with the query's id is the query, unless it is relevant to it, or lacks more than half of its words and
    cannot be a version of it, as a paper's record is: some collections number queries and documents from 1, both.
    """

    def __init__(self, benchmark: Benchmark) -> None:
        """Take a benchmark's queries, judgements and corpus."""
        self.family_of = {document.id: document.family for document in benchmark.corpus}
        self._benchmark = benchmark
        asked = {query.id for query in benchmark.queries}
        alike = {document.id: document for document in benchmark.corpus if document.id in asked}
        self._namesakes = frozenset(
            query.id for query in benchmark.queries if query.id in alike and self._is_other(query, alike[query.id])
        )

    def asking(self) -> list[Document]:
        """Return the queries given to systems; one that has a document's id by chance gets another id."""
        return [
            replace(query, id=self._free(query.id)) if query.id in self._namesakes else query
            for query in self._benchmark.queries
        ]

    def most(self) -> int:
        """Return the largest number of documents left out of one ranking."""
        families = Counter(family for family in self.family_of.values() if family)
        named = (self._benchmark.own_works, self._benchmark.excluded)
        return 1 + max(families.values(), default=0) + sum(max(map(len, ids.values()), default=0) for ids in named)

    def left_out(self, ids: Sequence[str], query: Document) -> list[str]:
        """Return the ids without them."""
        own = {*self._benchmark.own_works.get(query.id, ()), *self._benchmark.excluded.get(query.id, ())}
        if query.id not in self._namesakes:
            own.add(query.id)
        return [name for name in ids if name not in own and not same_family(query.family, self.family_of.get(name, ""))]

    def _is_other(self, query: Document, document: Document) -> bool:
        """Return whether a document has a query's id by chance."""
        if _is_relevant(query.id, self._benchmark):
            return True
        return lacks_most_words(query, document) and not same_work(query, document)

    def _free(self, name: str) -> str:
        while name in self.family_of:
            name = f"query {name}"
        return name


def _is_relevant(name: str, benchmark: Benchmark) -> bool:
    """Return whether the document of a query's id is relevant to it."""
    return benchmark.qrels.get(name, {}).get(name, 0) > 0


# Scores during training --------------------------------------------------------------------------


class Validated(Protocol):
    """The data of a recipe whose epochs are scored."""

    @property
    def valid(self) -> tuple[str, ...]:
        """Names of benchmarks."""

    @property
    def metric(self) -> str:
        """The metric that epochs are compared by."""


@dataclass(frozen=True, slots=True)
class Validation:
    """Benchmarks with their valid queries, and the metric that compares epochs."""

    benchmarks: Sequence[Benchmark]
    metric: str

    @classmethod
    def load(cls, names: Sequence[str], data: Path, *, metric: str) -> Validation:
        """Read the benchmarks of these names below a folder. Raises EvaluationError where one is incomplete."""
        if metric not in METRICS:
            raise EvaluationError(f"Expected a metric among {', '.join(METRICS)}, got {metric!r}.")
        return cls([load_benchmark(data / name, part="valid") for name in names], metric)

    @classmethod
    def of(cls, settings: Validated, data: Path) -> Validation | None:
        """Return what a recipe's data settings ask for; None where they name no benchmark. Raises EvaluationError."""
        return cls.load(settings.valid, data, metric=settings.metric) if settings.valid else None

    def __call__(self, encoder: Encoder) -> dict[str, float]:
        """Return the metric of each benchmark, by its name; without an index, holding one block of rows at a time."""
        scores = {}
        for benchmark in self.benchmarks:
            system = Blockwise(encoder, benchmark.corpus)
            run = rank(benchmark, PreparedSystem(encoder.card.name, system, encoder.card.fingerprint, None))
            scores[benchmark.name] = score(run, benchmark)[0][self.metric]
        return scores


class Encodes(Protocol):
    """The part of an encoder that a ranking needs."""

    def encode_queries(self, documents: Sequence[Document]) -> Rows:
        """Encode documents as queries: (n, dim)."""

    def encode_documents(self, documents: Sequence[Document]) -> Rows:
        """Encode documents: (n, dim)."""


@dataclass(frozen=True, slots=True)
class Blockwise:
    """Ranks a corpus without an index, holding one block of its rows at a time."""

    encoder: Encodes
    corpus: Sequence[Document]

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """Return the k best documents of each query, best first, by the products of all rows."""
        asked = np.asarray(self.encoder.encode_queries(queries))
        similarities = np.empty((len(queries), len(self.corpus)), dtype=np.float32)
        for first in range(0, len(self.corpus), _DOCUMENTS_AT_ONCE):
            block = self.corpus[first : first + _DOCUMENTS_AT_ONCE]
            similarities[:, first : first + len(block)] = asked @ np.asarray(self.encoder.encode_documents(block)).T
        best = np.argsort(-similarities, axis=1, kind="stable")[:, :k]
        return [
            [Hit(self.corpus[place].id, float(row[place])) for place in places]
            for row, places in zip(similarities, best, strict=True)
        ]
