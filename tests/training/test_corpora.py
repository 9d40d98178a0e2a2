"""Corpora on disk: the queries that nothing is trained on."""

from __future__ import annotations

from pathlib import Path

from engine.documents import Document
from engine.training.corpora import HeldOut, to_train_on
from tests.evaluation.small import write_table
from tests.training.small import write_data


def test_queries_and_their_families_are_found_in_every_benchmark(tmp_path: Path) -> None:
    write_data(tmp_path)
    found = HeldOut.below(tmp_path).ids
    assert {"q-steam", "q-graph"} <= found
    assert "" not in found


def test_a_copy_of_a_query_is_left_out_under_any_id(tmp_path: Path) -> None:
    abstract = "Steam drives a piston, and a condenser cools what the piston leaves. " * 3
    query = Document("q", title="How the governor of a steam engine works", abstract=abstract)
    (tmp_path / "asked").mkdir()
    write_table(tmp_path / "asked" / "queries.parquet", [query])
    documents = [
        Document("same-title", title="How the Governor of a Steam Engine works", abstract="Another text."),
        Document("same-abstract", title="Governors", abstract=abstract),
        Document("other", title="How a boiler works", abstract="Another text."),
    ]
    left_out = {"a benchmark's query": 0, "an id seen before": 0}
    given = [("ours", document) for document in documents]
    kept = to_train_on(given, held_out=HeldOut.below(tmp_path), taken=(), left_out=left_out)
    assert [document.id for _, document in kept] == ["other"]
    assert left_out == {"a benchmark's query": 2, "an id seen before": 0}


def test_no_benchmark_query_is_in_the_real_corpora_that_are_trained_on(shared: Path) -> None:
    import pyarrow.parquet as parquet

    queries = HeldOut.below(shared / "data").ids
    assert len(queries) > 2000
    for name in ("arxiv-abstracts", "acm-citation", "patents-abstracts", "patents-citation"):
        ids = parquet.read_table(shared / "data" / name / "corpus.parquet", columns=["id"])["id"].to_pylist()
        assert queries.isdisjoint(ids)
