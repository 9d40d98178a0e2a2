"""What `priorscope evaluate` prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.evaluating import run
from tests.evaluation.small import write_benchmark


def test_the_table_is_printed_and_the_report_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "query-splits.tsv").write_text("q-steam\tvalid\n")
    saved = tmp_path / "report.json"
    run("evaluate", "--benchmark", str(folder), "--encoders", "tfidf", "--queries", "valid", "--save", str(saved))
    printed = capsys.readouterr().out
    assert "small: 1 queries, 40 documents" in printed
    assert "nDCG@10" in printed
    value = json.loads(saved.read_text())
    assert value["part"] == "valid"
    assert value["command"] == "priorscope evaluate --benchmark small --encoders tfidf --queries valid"
    assert str(tmp_path) not in saved.read_text()


def test_rows_are_held_to_one_of_them_which_is_measured_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, saved = write_benchmark(tmp_path / "small"), tmp_path / "report.json"
    run("evaluate", "--benchmark", str(folder), "--encoders", "tfidf", "--against", "bm25", "--save", str(saved))
    printed = capsys.readouterr().out
    assert "nDCG@10 against bm25; 95 % interval, p by paired randomisation, corrected after Holm" in printed
    assert "R@100 against bm25" in printed
    value = json.loads(saved.read_text())
    assert list(value["encoders"]) == ["bm25", "tfidf"]
    assert {(one["ours"], one["theirs"]) for one in value["contrasts"]} == {("tfidf", "bm25")}
    assert value["command"].endswith("--encoders bm25,tfidf --queries all --against bm25")
