"""Corpora on disk: the queries that nothing is trained on."""

from __future__ import annotations

from pathlib import Path

from engine.training.corpora import queries_in
from tests.training.small import write_data


def test_queries_and_their_families_are_found_in_every_benchmark(tmp_path: Path) -> None:
    write_data(tmp_path)
    assert {"q-steam", "q-graph"} <= queries_in(tmp_path)
    assert "" not in queries_in(tmp_path)


def test_no_benchmark_query_is_in_the_real_corpora_that_are_trained_on(shared: Path) -> None:
    import pyarrow.parquet as parquet

    queries = queries_in(shared / "data")
    assert len(queries) > 2000
    for name in ("arxiv-abstracts", "acm-citation", "patents-abstracts", "patents-citation"):
        ids = parquet.read_table(shared / "data" / name / "corpus.parquet", columns=["id"])["id"].to_pylist()
        assert queries.isdisjoint(ids)
