"""A saved report can be judged and repeated.

What was measured, kept as JSON: the same when it is read again, nothing damaged, not without end.
"""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError, StorageError
from engine.documents import Document, Section
from engine.evaluation.benchmarks import Benchmark, from_parts, load_benchmark
from engine.evaluation.formats import read_run
from engine.evaluation.measure import METRIC_SETS
from engine.evaluation.metrics import METRICS
from engine.evaluation.report import EvaluationReport, KeptResults, MeasuredRow, opening
from engine.evaluation.systems import PRODUCT
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_benchmark


@pytest.fixture
def report(tmp_path: Path) -> EvaluationReport:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    return EvaluationReport(
        benchmark, [PRODUCT.measure(benchmark, name) for name in ("tfidf", "bm25")], command="priorscope evaluate"
    )


def test_the_json_keeps_figures_and_circumstances(report: EvaluationReport, tmp_path: Path) -> None:
    report.save(tmp_path / "saved" / "small.json")
    value = json.loads((tmp_path / "saved" / "small.json").read_text())
    assert value["benchmark"] == "small"
    assert {*METRICS, "documents_per_second", "fingerprint", "seconds"} <= value["encoders"]["tfidf"].keys()
    assert {"command", "sha256", "commit", "hardware", "seed", "queries", "part"} <= value.keys()
    assert set(value["sha256"]) == {"corpus.parquet", "queries.parquet", "qrels.tsv"}
    assert "by_query" not in value["encoders"]["tfidf"]


def test_each_querys_scores_are_kept_where_asked_for(report: EvaluationReport, tmp_path: Path) -> None:
    report.save(tmp_path / "small.json", by_query=True)
    value = json.loads((tmp_path / "small.json").read_text())
    assert set(value["encoders"]["bm25"]["by_query"]["q-steam"]) == set(METRICS)


def test_the_table_has_a_row_a_system(report: EvaluationReport, tmp_path: Path) -> None:
    report.save(tmp_path / "small.json")
    table = (tmp_path / "small.md").read_text().splitlines()
    header, rows = table[2], [line for line in table if line.startswith(("| tfidf", "| bm25"))]
    assert header.count("|") == rows[0].count("|") == rows[1].count("|")
    assert any(line.startswith("* command: priorscope evaluate") for line in table)


def test_intervals_hold_their_figure_and_a_figure_of_means_has_none(report: EvaluationReport) -> None:
    value = report.as_json()["encoders"]["bm25"]
    assert set(value["intervals"]) == set(METRICS) - {"F1@20"}
    for name, (low, high) in value["intervals"].items():
        assert low <= value[name] <= high
    assert value["peak_memory_mib"] > 1
    assert "95 % intervals over queries" in report.as_markdown()


def test_contrasts_are_kept_in_every_metric_and_shown_in_the_main_ones(report: EvaluationReport) -> None:
    compared = dataclasses.replace(report, against="bm25")
    found = compared.as_json()["contrasts"]
    assert [one["metric"] for one in found][:2] == ["nDCG@10", "R@100"]
    assert {one["metric"] for one in found} == set(METRICS)
    table = compared.as_markdown()
    assert "## Against bm25" in table
    assert table.count("| tfidf | nDCG@10 |") == 1
    assert "| tfidf | bpref |" not in table
    assert "contrasts" not in report.as_json()


def test_what_was_left_out_is_told_with_why(report: EvaluationReport) -> None:
    told = dataclasses.replace(report, skipped={"lda": "it needs gensim"})
    assert told.as_json()["left_out"] == {"lda": "it needs gensim"}
    assert "* left_out: lda it needs gensim" in told.as_markdown()
    assert "left_out" not in report.as_json()


def test_queries_that_found_nothing_are_counted(report: EvaluationReport) -> None:
    first, other = report.measured
    emptied = dataclasses.replace(first, run={**first.run, "q-steam": (), "q-graph": ()})
    told = dataclasses.replace(report, measured=[emptied, other])
    assert told.as_json()["queries_that_found_nothing"] == {"tfidf": 2}
    assert "* queries_that_found_nothing: tfidf 2" in told.as_markdown()
    assert "queries_that_found_nothing" not in report.as_json()


def test_a_report_says_how_deep_bpref_was_read(report: EvaluationReport) -> None:
    assert report.as_json()["ranks_read"] == 100
    assert "ranks_read_for_bpref_at_most" not in report.as_json()
    grades = {document.id: 1 for document in report.benchmark.corpus}
    many = dataclasses.replace(report.benchmark, qrels={**report.benchmark.qrels, "q-steam": {**grades, "a": 0}})
    deeper = dataclasses.replace(report, benchmark=many, scale=dataclasses.replace(report.scale, depth=50))
    assert deeper.as_json()["ranks_read"] == 50
    assert deeper.as_json()["ranks_read_for_bpref_at_most"] == 2 * len(grades)


def test_rankings_are_written_as_trec_runs(report: EvaluationReport, tmp_path: Path) -> None:
    named = [dataclasses.replace(one, name=name) for one, name in zip(report.measured, ("bm25", "a/b c"), strict=True)]
    paths = dataclasses.replace(report, measured=named).save_runs(tmp_path / "runs")
    assert [path.name for path in paths] == ["bm25.run", "a-b-c.run"]
    assert read_run(paths[0]) == named[0].run
    assert paths[1].read_text().splitlines()[0].endswith(" a-b-c")
    alike = [dataclasses.replace(one, name=name) for one, name in zip(named, ("a/b", "a-b"), strict=True)]
    with pytest.raises(EvaluationError, match="differ in letters or digits, a file each, got a/b, a-b"):
        dataclasses.replace(report, measured=alike).save_runs(tmp_path / "runs")


def test_a_query_is_known_by_its_first_words() -> None:
    assert opening(Document("q", title="two words")) == "two words"
    assert opening(Document("q", abstract="w " * 20)) == "w " * 12 + "…"


def test_trec_evals_columns_are_shown_under_their_names(tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    scale = METRIC_SETS["trec"]
    report = EvaluationReport(benchmark, [PRODUCT.measure(benchmark, "bm25", scale=scale)], scale=scale)
    assert set(report.as_json()["encoders"]["bm25"]["intervals"]) == set(scale.metrics)
    assert "| ndcg_cut_10 |" in report.as_markdown()
    assert report.as_json()["ranks_read"] == 1_000


WHEN = "2024-02-29T12:00:00+00:00"
QUERY = Document(
    "q1",
    "patent",
    "A “valve”",
    "steam",
    (Section("Field", "Pumps of steam."),),
    year=1890,
    categories=("F16K",),
    claims=("A valve.",),
)


@pytest.fixture(scope="module")
def benchmark() -> Benchmark:
    made = from_parts("ours", corpus(), [QUERY], {"q1": {"steam0": 1, "graph1": 0}})
    own, excluded = {"q1": frozenset({"steam9"})}, {"q1": frozenset({"graph2"})}
    return replace(made, left_out=3, others=frozenset({"q2"}), own_works=own, excluded=excluded)


@pytest.fixture(scope="module")
def result(benchmark: Benchmark) -> MeasuredRow:
    return MeasuredRow(PRODUCT.measure(benchmark, "bm25"), WHEN)


def test_what_was_kept_comes_back_the_same(tmp_path: Path, benchmark: Benchmark, result: MeasuredRow) -> None:
    KeptResults(tmp_path).keep("a set", benchmark, result)
    found = KeptResults(tmp_path).read("a set")
    assert found == (benchmark.names_only(), {"bm25": result})
    assert found[0].queries == [QUERY]
    assert {document.abstract for document in found[0].corpus} == {""}


def test_results_come_together_and_a_newer_one_replaces(
    tmp_path: Path, benchmark: Benchmark, result: MeasuredRow
) -> None:
    KeptResults(tmp_path).keep("a set", benchmark, result)
    KeptResults(tmp_path).keep("a set", benchmark, MeasuredRow(replace(result.measured, name="other"), WHEN))
    KeptResults(tmp_path).keep("a set", benchmark, replace(result, when="2025-01-01T00:00:00+00:00"))
    found = KeptResults(tmp_path).read("a set")
    assert found is not None
    assert {name: one.when[:4] for name, one in found[1].items()} == {"bm25": "2025", "other": "2024"}
    assert KeptResults(tmp_path).read("another set") is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda fields: fields.update(format=99),
        lambda fields: fields["measured"].pop("run"),
        lambda fields: fields["measured"]["metrics"].pop("nDCG@10"),
        lambda fields: fields.update(measured=[]),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, benchmark: Benchmark, result: MeasuredRow, damage: object) -> None:
    KeptResults(tmp_path).keep("a set", benchmark, result)
    path = next(tmp_path.rglob("row-*.json"))
    fields = json.loads(path.read_text("utf-8"))
    damage(fields)  # type: ignore[operator]
    path.write_text(json.dumps(fields))
    with pytest.raises(StorageError, match=r"Expected what was measured in .* Measure it again"):
        KeptResults(tmp_path).read("a set")
    again = MeasuredRow(replace(result.measured, name="other"), WHEN)
    KeptResults(tmp_path).keep(
        "a set", benchmark, again
    )  # what cannot be read must not stand in the way of what comes after
    assert KeptResults(tmp_path).read("a set") == (benchmark.names_only(), {"other": again})


def test_damaged_questions_give_way_too(tmp_path: Path, benchmark: Benchmark, result: MeasuredRow) -> None:
    KeptResults(tmp_path).keep("a set", benchmark, result)
    next(tmp_path.rglob("benchmark.json")).write_text("{")
    with pytest.raises(StorageError):
        KeptResults(tmp_path).read("a set")
    KeptResults(tmp_path).keep("a set", benchmark, result)
    assert KeptResults(tmp_path).read("a set") == (benchmark.names_only(), {"bm25": result})


def test_the_oldest_sets_give_way(tmp_path: Path, benchmark: Benchmark, result: MeasuredRow) -> None:
    for number in range(9):
        KeptResults(tmp_path).keep(f"set {number}", benchmark, result)
        for folder in tmp_path.iterdir():  # make what is there older, whatever this file system's clock can tell apart
            os.utime(folder, (folder.stat().st_mtime - 10,) * 2)
    assert KeptResults(tmp_path).read("set 0") is None
    assert all(KeptResults(tmp_path).read(f"set {number}") for number in range(1, 9))
