"""`priorscope evaluate`, by its own parser."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from engine.cli import encoders, evaluate
from engine.encoders import registry
from engine.errors import EvaluationError
from engine.evaluation.metrics import METRICS
from tests.evaluation.small import write_benchmark


def run(*arguments: str) -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    evaluate.add_parser(commands)
    encoders.add_parser(commands)
    namespace = parser.parse_args(arguments)
    namespace.run(namespace)


def test_json_has_every_metric_of_every_encoder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_benchmark(tmp_path / "small")
    run("evaluate", "--benchmark", str(folder), "--encoders", "tfidf,bm25,default", "--json")
    value = json.loads(capsys.readouterr().out)
    assert value["benchmark"] == "small"
    assert list(value["encoders"]) == ["tfidf", "bm25", "default"]
    for figures in value["encoders"].values():
        assert {*METRICS, "documents_per_second"} <= figures.keys()


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


@pytest.mark.parametrize(("given", "named"), [("tfidf,bert", "got bert"), (",", "got none")])
def test_an_unknown_name_is_refused_before_any_work(given: str, named: str, tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=f"Expected encoders among tfidf, .*, or NAME=FOLDER; {named}"):
        run("evaluate", "--benchmark", str(tmp_path), "--encoders", given)


def test_encoders_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    run("encoders")
    printed = capsys.readouterr().out
    assert f"{registry.DEFAULT} (default)" in printed
    assert "learns from your library" in printed
    run("encoders", "--json")
    value = json.loads(capsys.readouterr().out)
    assert value["default"] == registry.DEFAULT
    assert [one["name"] for one in value["encoders"]] == list(registry.names())
    assert {"fingerprint", "dim", "summary", "trained_on", "licence", "fitted"} <= value["encoders"][0].keys()
