"""The command that measures comparisons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.library import LIBRARY_VARIABLE
from engine.research.__main__ import main
from engine.workspace import comparison
from tests.compare.texts import StandIn
from tests.research.bench.written import DOCUMENTS, PAIRS
from tests.research.matching.small_pairs import write_pairs


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(comparison, "load_encoder", lambda _: StandIn())
    monkeypatch.setenv(LIBRARY_VARIABLE, str(tmp_path / "no library"))
    rows = [f"{pair.a}\t{pair.b}\t{int(pair.related)}\t{pair.split}" for pair in PAIRS]
    return write_pairs(tmp_path / "ours", rows, list(DOCUMENTS.values()))


def test_the_command_measures_prints_and_saves(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bench", "compare", "--pairs", str(table), "--rounds", "1", "--length", "500", "--words", "40"]
    assert main([*words, "--save", str(tmp_path / "report.json"), "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert list(value) == ["speed", "planted", "roles"]
    assert json.loads((tmp_path / "report.json").read_text("utf-8")) == value
    assert value["planted"]["source"] == "ours, test" and value["roles"]["pairs"] == 4
    assert main(words) == 0
    text = capsys.readouterr().out
    assert "ours, test: a paragraph of 40 words or more in 3 unrelated documents" in text
    assert "a third of the words dropped" in text and "kept vectors" in text and "of 4 related pairs" in text
    assert main([*words, "--what", "roles", "--split", "test"]) == 0
    assert "kept vectors" not in capsys.readouterr().out


def test_the_command_refuses_what_it_does_not_measure(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "compare", "--pairs", str(table), "--what", "planted,beauty"]) == 2
    assert "Expected measurements among planted, roles, speed, got 'planted,beauty'." in capsys.readouterr().err
    assert main(["bench", "compare", "--pairs", str(table), "--split", "valid"]) == 2
    assert "found none of 0" in capsys.readouterr().err
