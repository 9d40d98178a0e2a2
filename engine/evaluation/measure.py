"""Ranks a benchmark's queries by one system and scores the rankings."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine import provenance
from engine.documents import Document, Hit
from engine.errors import EvaluationError
from engine.evaluation.benchmarks import Benchmark
from engine.evaluation.metrics import DEEPEST_RANK, METRICS, Judged, Metric
from engine.evaluation.systems import Prepared, prepare
from engine.progress import Report, silent

Run = Mapping[str, Sequence[str]]
"""Ranked document ids by query id, best first."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One system's figures on a benchmark: over all queries, and by query.

    `documents_per_second` is None where the documents' rows had been kept from an earlier run. `run` holds each
    query's ranking, cut at DEEPEST_RANK; `peak_bytes` is the most memory that the whole process had held by then,
    other systems' included, None where the system does not count it.
    """

    name: str
    fingerprint: str
    metrics: Mapping[str, float]
    by_query: Mapping[str, Mapping[str, float]]
    documents_per_second: float | None
    queries_per_second: float
    seconds: float
    run: Run
    peak_bytes: int | None = None


def measure(benchmark: Benchmark, row: str, *, cache: Path | None = None, report: Report = silent) -> Measured:
    """Rank every query by one system and score it; `cache` keeps the rows of each encoder and corpus for later runs.

    Raises EngineError as `prepare` and `score` do.
    """
    started = time.perf_counter()
    keep = None if cache is None else cache / benchmark.corpus_sha256
    prepared = prepare(row, benchmark.corpus, keep=keep, report=report)
    return measure_prepared(benchmark, prepared, started=started)


def measure_prepared(benchmark: Benchmark, prepared: Prepared, *, started: float | None = None) -> Measured:
    """Rank every query by a system that is ready and score it; `started` is when its preparation did."""
    ranked_from = time.perf_counter()
    run = rank(benchmark, prepared)
    ranking_seconds = time.perf_counter() - ranked_from
    metrics, by_query = score(run, benchmark)
    return Measured(
        name=prepared.name,
        fingerprint=prepared.fingerprint,
        metrics=metrics,
        by_query=by_query,
        documents_per_second=None if prepared.seconds is None else len(benchmark.corpus) / prepared.seconds,
        queries_per_second=len(benchmark.queries) / ranking_seconds,
        seconds=time.perf_counter() - (ranked_from if started is None else started),
        run={query: tuple(ids[:DEEPEST_RANK]) for query, ids in run.items()},
        peak_bytes=provenance.peak_memory_bytes(),
    )


def rank(benchmark: Benchmark, prepared: Prepared) -> dict[str, list[str]]:
    """Each query's ranking, without the query itself and, for patents, without its own family.

    Deep enough for bpref, which reads twice as many ranks as there are relevant documents.
    """
    depth = max(DEEPEST_RANK, *(2 * len(grades) for grades in benchmark.qrels.values()))
    family_of = {document.id: document.family for document in benchmark.corpus}
    spare = 1 + max(Counter(family for family in family_of.values() if family).values(), default=0)
    found = prepared.system.rank(benchmark.queries, depth + spare)
    return {
        query.id: _without_itself(hits, query, family_of)[:depth]
        for query, hits in zip(benchmark.queries, found, strict=True)
    }


def score(
    run: Run, benchmark: Benchmark, *, metrics: Mapping[str, Metric] = METRICS
) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Every metric over all queries, and by query. Raises EvaluationError where the queries are not the qrels'."""
    different = run.keys() ^ benchmark.qrels.keys()
    if different:
        raise EvaluationError(
            f"Expected a ranking of each of the {len(benchmark.qrels)} judged queries and no other, got {len(run)}; "
            f"{min(different)!r} is on one side only. Rank the benchmark's own queries."
        )
    judged = {name: Judged.of(run[name], grades) for name, grades in benchmark.qrels.items()}
    every = list(judged.values())
    over_all = {name: metric.over(every) for name, metric in metrics.items()}
    by_query = {query: {name: metric.score(one) for name, metric in metrics.items()} for query, one in judged.items()}
    return over_all, by_query


def _without_itself(hits: Sequence[Hit], query: Document, family_of: Mapping[str, str]) -> list[str]:
    return [hit.id for hit in hits if hit.id != query.id and not (query.family and family_of[hit.id] == query.family)]
