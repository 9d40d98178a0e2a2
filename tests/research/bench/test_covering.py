"""The time of a coverage, measured on papers of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.library import Library
from engine.research.__main__ import main
from engine.research.bench import covering
from engine.workspace import Workspace
from tests.compare.shelves import PAPERS, Reader, matcher, shelf


def test_a_document_has_as_many_words_as_were_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covering, "_FEWEST_PASSAGES", 3)
    made = covering.made(shelf(), 1_000, 0)
    assert len(made.text.split()) - len(made.title.split()) == 1_000
    assert made == covering.made(shelf(), 1_000, 0) != covering.made(shelf(), 1_000, 1)
    with pytest.raises(EvaluationError, match="Expected whole documents of 1000000 words in all"):
        covering.made(shelf(), 1_000_000, 0)


def test_the_command_prints_and_saves_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Library.open(tmp_path / "library", create=True) as held:
        held.add_file("k", "papers", PAPERS)
    monkeypatch.setattr(Workspace, "passage_encoder", lambda _: Reader())
    monkeypatch.setattr(Workspace, "passages", lambda _: matcher())
    monkeypatch.setattr(covering, "_FEWEST_PASSAGES", 3)
    saved = tmp_path / "report.json"
    given = ["bench", "coverage", "--library", str(tmp_path / "library"), "--words", "900", "--rounds", "2"]
    assert main([*given, "--documents", "4", "--save", str(saved)]) == 0
    report = json.loads(saved.read_text())
    assert report["columns"] == 4 and report["rounds"] == 2 and report["documents"] == 24
    assert 0 < report["seconds_first_row"] <= report["seconds"] <= report["seconds_longest"]
    assert "against 24 documents" in capsys.readouterr().out


def test_a_library_without_kept_passages_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Library.open(tmp_path / "library", create=True) as held:
        held.add_file("k", "papers", PAPERS)
    monkeypatch.setattr(Workspace, "passage_encoder", lambda _: Reader())
    assert main(["bench", "coverage", "--library", str(tmp_path / "library")]) == 2
    assert "Expected a library whose passages are kept" in capsys.readouterr().err
