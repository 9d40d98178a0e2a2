"""A saved report can be judged and repeated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.evaluation.benchmarks import load_benchmark
from engine.evaluation.measure import measure
from engine.evaluation.metrics import METRICS
from engine.evaluation.report import Report
from tests.evaluation.small import write_benchmark


@pytest.fixture
def report(tmp_path: Path) -> Report:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    return Report(benchmark, [measure(benchmark, name) for name in ("tfidf", "bm25")], command="priorscope evaluate")


def test_the_json_keeps_figures_and_circumstances(report: Report, tmp_path: Path) -> None:
    report.save(tmp_path / "saved" / "small.json")
    value = json.loads((tmp_path / "saved" / "small.json").read_text())
    assert value["benchmark"] == "small"
    assert {*METRICS, "documents_per_second", "fingerprint", "seconds"} <= value["encoders"]["tfidf"].keys()
    assert {"command", "sha256", "commit", "hardware", "seed", "queries", "part"} <= value.keys()
    assert set(value["sha256"]) == {"corpus.parquet", "queries.parquet", "qrels.tsv"}
    assert "by_query" not in value["encoders"]["tfidf"]


def test_each_querys_scores_are_kept_where_asked_for(report: Report, tmp_path: Path) -> None:
    report.save(tmp_path / "small.json", by_query=True)
    value = json.loads((tmp_path / "small.json").read_text())
    assert set(value["encoders"]["bm25"]["by_query"]["q-steam"]) == set(METRICS)


def test_the_table_has_a_row_a_system(report: Report, tmp_path: Path) -> None:
    report.save(tmp_path / "small.json")
    table = (tmp_path / "small.md").read_text().splitlines()
    header, rows = table[2], [line for line in table if line.startswith(("| tfidf", "| bm25"))]
    assert header.count("|") == rows[0].count("|") == rows[1].count("|")
    assert any(line.startswith("* command: priorscope evaluate") for line in table)
