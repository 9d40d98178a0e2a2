"""The command that measures retrieval by codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.research.__main__ import main
from tests.research.bench.many_texts import ENCODER


def test_the_command_prints_and_saves_the_report(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, common = tmp_path / "report.json", ["bench", "retrieve", "--data", str(data), "--encoder", ENCODER]
    given = [*common, "--sets", "one, two", "--sizes", "20,110", "--queries", "5", "--cache", str(tmp_path / "cache")]
    assert main([*given, "--save", str(saved)]) == 0
    printed = capsys.readouterr().out
    assert "5 documents of one, two ask, one at a time, for 10; encoder word2vec-mean" in printed
    value = json.loads(saved.read_text())
    assert [size["made"] for size in value["sizes"]] == [0, 15]
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [value["fingerprint"]]
    assert main([*given, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["source"] == "one, two"
    assert main([*common, "--sizes", "20,many"]) != 0
    assert "Expected whole numbers separated by commas for --sizes, got '20,many'" in capsys.readouterr().err
