"""The quick suite: its set is whole and tells systems apart, and one command measures every row on it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from engine.evaluation.systems import PRODUCT
from engine.research import quick
from engine.research.baselines.rows import FETCHED, ROWS


def test_the_small_set_is_whole() -> None:
    benchmark = quick.load()
    assert (len(benchmark.corpus), len(benchmark.queries), benchmark.left_out) == (60, 12, 0)
    assert {document.kind for document in benchmark.corpus} == {"paper", "patent"}
    assert {query.kind for query in benchmark.queries} == {"paper", "patent", "query"}
    assert all(document.title and document.abstract and document.categories for document in benchmark.corpus)
    assert len({document.text for document in benchmark.corpus}) == 60
    assert {grade for grades in benchmark.qrels.values() for grade in grades.values()} == {1, 2}


def test_a_patent_that_asks_does_not_find_its_own_family() -> None:
    benchmark = quick.load()
    family = {document.id for document in benchmark.corpus if document.family == "hub"}
    run = PRODUCT.measure(benchmark, "bm25").run
    assert family == {"gears-1", "gears-2"}
    assert not family & set(run["q-gears"])
    assert all(len(ranking) >= 20 for ranking in run.values())


def test_one_command_measures_every_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "quick.json"
    _run("--save", str(saved))
    printed = capsys.readouterr().out
    value = json.loads(saved.read_text())
    assert list(value["encoders"]) == quick.rows()
    assert set(ROWS.names()) - set(quick.rows()) == FETCHED == {"minilm", "minilm-passages", "sentence-mean-minilm"}
    assert value["command"] == "python -m engine.research quick"
    assert set(value["sha256"]) == {"corpus.jsonl", "queries.jsonl", "qrels/test.tsv"}
    reached = {name: figures["nDCG@10"] for name, figures in value["encoders"].items()}
    assert reached["random"] < 0.2 < 0.7 < reached["bm25"] < reached["default"]
    verdicts = {one["ours"]: one["verdict"] for one in value["contrasts"] if one["metric"] == "nDCG@10"}
    assert verdicts["random"] == "worse"
    assert "nDCG@10 against bm25" in printed
    assert "The queries that move most stand in the report" in printed
    assert "## Against bm25" in saved.with_suffix(".md").read_text()


def test_a_row_that_cannot_be_had_here_is_left_out_and_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ot", None)
    monkeypatch.setattr(quick, "rows", lambda: ["bm25", "tfidf", "wmd"])
    _run("--save", str(tmp_path / "quick.json"))
    value = json.loads((tmp_path / "quick.json").read_text())
    assert list(value["encoders"]) == ["bm25", "tfidf"]
    assert "pip install 'priorscope[research]'" in value["left_out"]["wmd"]
    assert "wmd: left out; " in capsys.readouterr().out


def test_rows_may_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    _run("--encoders", "tfidf", "--json")
    value = json.loads(capsys.readouterr().out)
    assert list(value["encoders"]) == ["tfidf"]
    assert "contrasts" not in value


def _run(*arguments: str) -> None:
    quick.main(arguments)
