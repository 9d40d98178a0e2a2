"""Ranks a benchmark's queries by one system and scores the rankings."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.core import files, provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Report, silent
from engine.evaluation.benchmarks import Benchmark
from engine.evaluation.formats import Qrels, read_run
from engine.evaluation.itself import Itself
from engine.evaluation.metrics import DEEPEST_RANK, METRICS, TREC, TREC_DEPTH, Judged, Metric
from engine.evaluation.systems import PRODUCT, Catalogue, Prepared

Run = Mapping[str, Sequence[str]]
"""Ranked document ids by query id, best first."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One system's figures on a benchmark: over all queries, and by query.

    `documents_per_second` is None where the rows came from an earlier run; both speeds are None for a ranking from a
    file. `run` holds each query's ranking, as deep as it was scored. `peak_bytes` is the peak memory of the whole
    process so far, including other rows; None where the system does not count it. `summary` is as of Prepared.
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


@dataclass(frozen=True, slots=True)
class Scale:
    """How rankings are scored: metrics by name, and how many ranks they read.

    Systems are compared in the `main` ones first. With `whole_bpref`, a query with many relevant documents is read
    deeper: only bpref counts relevant documents down to twice their number.
    """

    metrics: Mapping[str, Metric]
    depth: int
    main: tuple[str, ...]
    whole_bpref: bool = False

    def ranks(self, grades: Mapping[str, int]) -> int:
        """How many ranks are read for a query with these judgements."""
        relevant = sum(grade > 0 for grade in grades.values())
        return max(self.depth, 2 * relevant) if self.whole_bpref else self.depth

    def most_ranks(self, qrels: Qrels) -> int:
        """The most ranks read for any query."""
        return max(self.ranks(grades) for grades in qrels.values())


SCALES: Mapping[str, Scale] = {
    "ctpe": Scale(METRICS, DEEPEST_RANK, ("nDCG@10", "R@100"), whole_bpref=True),
    "trec": Scale(TREC, TREC_DEPTH, ("ndcg_cut_10", "recall_100")),
}
"""CTPE's metrics with two of trec_eval's; and trec_eval's alone, by its names."""


def measure_systems(
    benchmark: Benchmark,
    row: str,
    *,
    cache: Path | None = None,
    scale: Scale = SCALES["ctpe"],
    rows: Catalogue = PRODUCT,
    report: Report = silent,
) -> Measured:
    """Rank every query by one system and score it; `cache` keeps the rows of each encoder and corpus for later runs.

    Raises EngineError as `Catalogue.prepare` and `score` do.
    """
    started = time.perf_counter()
    keep = None if cache is None else cache / benchmark.corpus_sha256
    prepared = rows.prepare(row, benchmark.corpus, keep=keep, report=report)
    return measure_prepared(benchmark, prepared, started=started, scale=scale)


def measure_prepared(
    benchmark: Benchmark, prepared: Prepared, *, started: float | None = None, scale: Scale = SCALES["ctpe"]
) -> Measured:
    """Rank every query by a prepared system and score it; `started` is when preparation began."""
    ranked_from = time.perf_counter()
    run = rank(benchmark, prepared, scale=scale)
    ranking_seconds = time.perf_counter() - ranked_from
    metrics, by_query = score(run, benchmark, metrics=scale.metrics)
    return Measured(
        name=prepared.name,
        fingerprint=prepared.fingerprint,
        metrics=metrics,
        by_query=by_query,
        documents_per_second=None if prepared.seconds is None else len(benchmark.corpus) / prepared.seconds,
        queries_per_second=len(benchmark.queries) / ranking_seconds,
        seconds=time.perf_counter() - (ranked_from if started is None else started),
        run={query: tuple(ids) for query, ids in run.items()},
        peak_bytes=provenance.peak_memory_bytes(),
        summary=prepared.summary,
    )


def measure_run(
    benchmark: Benchmark, name: str, path: Path, *, scale: Scale = SCALES["ctpe"], complete: bool = False
) -> Measured:
    """Score a ranking from a TREC run file as a row of this name.

    Queries that are not asked are skipped, and so is what `rank` leaves out of each ranking. With `complete`, a judged
    query that the file lacks counts as an empty ranking (trec_eval's -c), because a run cannot show one; otherwise such
    a file is refused. Raises EvaluationError where the file ranks other queries or documents, InputError where it
    cannot be read.
    """
    started = time.perf_counter()
    given = read_run(path)
    itself = Itself(benchmark)
    strange = sorted({found for ids in given.values() for found in ids if found not in itself.family_of} - given.keys())
    if strange:
        raise EvaluationError(
            f"Expected {path.name} to rank documents of {benchmark.name}, {len(strange)} are not there, the first "
            f"{strange[0]!r}. Rank the benchmark's own documents."
        )
    asked = {query.id: query for query in benchmark.queries}
    run = {
        query: tuple((itself.left_out(ids, asked[query]) if query in asked else ids)[: _ranks(scale, benchmark, query)])
        for query, ids in given.items()
        if query not in benchmark.others
    }
    if complete and run:  # a run without any of these queries is not an empty ranking
        run = {**dict.fromkeys(benchmark.qrels, ()), **run}
    metrics, by_query = score(run, benchmark, metrics=scale.metrics)
    seconds = time.perf_counter() - started
    return Measured(name, files.sha256_file(path)[:16], metrics, by_query, None, None, seconds, run=run)


def rank(benchmark: Benchmark, prepared: Prepared, *, scale: Scale = SCALES["ctpe"]) -> dict[str, list[str]]:
    """Each query's ranking without what `Itself` leaves out, as deep as the scale reads."""
    itself = Itself(benchmark)
    found = prepared.system.rank(itself.asking(), scale.most_ranks(benchmark.qrels) + itself.most())
    return {
        query.id: itself.left_out([hit.id for hit in hits], query)[: _ranks(scale, benchmark, query.id)]
        for query, hits in zip(benchmark.queries, found, strict=True)
    }


def score(
    run: Run, benchmark: Benchmark, *, metrics: Mapping[str, Metric] = METRICS
) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Every metric over all queries, and by query. Raises EvaluationError where queries and qrels differ."""
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


def _ranks(scale: Scale, benchmark: Benchmark, query: str) -> int:
    return scale.ranks(benchmark.qrels.get(query, {}))
