"""Planted paragraphs, roles of sections and speed, measured on a few documents of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.compare import Words
from engine.core.errors import EvaluationError
from engine.library import LIBRARY_VARIABLE
from engine.research.__main__ import main
from engine.research.bench.comparing import measure_comparing
from engine.workspace import comparison
from tests.compare.texts import StandIn
from tests.research.bench.written import DOCUMENTS, PAIRS, written
from tests.research.matching.small_pairs import write_pairs


def test_the_two_documents_of_the_wanted_length_are_timed(words: Words) -> None:
    documents = [written(f"d{n}", "steam", sentences=n) for n in (2, 8, 9, 20)]
    report = measure_comparing(documents, StandIn(), words=words, length=440, rounds=2, source="ours")
    assert set(report.documents) == {"d8", "d9"} and report.source == "ours"
    assert set(report.milliseconds) == {"cold", "kept_vectors", "kept_sides", "read", "plain"}
    assert all(0 < times.p50 <= times.max for times in report.milliseconds.values())
    assert report.peak_memory_mib > 10 and report.times_plain > 0 and len(report.chunks) == 2
    for few, rounds in ((documents[:1], 2), (documents, 0)):
        with pytest.raises(
            EvaluationError, match=r"Expected two documents to compare, and at least 1 round; got \d and \d"
        ):
            measure_comparing(few, StandIn(), words=words, rounds=rounds)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(comparison, "load_colde", lambda _: StandIn())
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
