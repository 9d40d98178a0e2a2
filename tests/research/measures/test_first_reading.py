"""The first reading of a library is timed, with what it answers meanwhile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.library import Library
from engine.research.measures import first_reading
from engine.search import passages as module
from engine.workspace import Workspace, comparison
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.search.hashed_words import HashedWords, paper

ENCODER = "word2vec-sif"


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    encoder = tiny.placed(write_tiny_transformer(tmp_path / "model"))
    monkeypatch.setattr(module, "PassageEncoder", HashedWords)
    monkeypatch.setattr(comparison, "load_colde", lambda _: encoder)
    with Library.open(tmp_path / "library", create=True) as held:
        held.add_file("k", "papers", [paper(f"d{n}", body=0 if n % 2 else 120 + n) for n in range(20)])
    return tmp_path / "library"


def test_the_reading_is_timed_to_its_end(library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "report.json"
    first_reading.main([str(library), "--encoder", ENCODER, "--save", str(saved)])
    found = json.loads(capsys.readouterr().out)
    assert (found["documents"], found["long"]) == (20, 10)
    assert 0 <= found["seconds_to_first_hit"] <= found["seconds"] and found["seconds_to_map"] <= found["seconds"]
    assert None not in (found["seconds_to_meaning"], found["seconds_to_shown_passages"])
    assert found["seconds_to_compare"] >= 0 and found["answers"]["read"]["max"] > 0
    assert json.loads(saved.read_text("utf-8"))["commit"] and "| read |" in saved.with_suffix(".md").read_text("utf-8")
    with Workspace(library) as workspace:
        assert workspace.passages() is not None and any(workspace.library.chunks_folder.iterdir())


def test_a_library_that_was_read_is_refused(library: Path) -> None:
    with Workspace(library) as workspace:
        workspace.prepare(ENCODER)
    with pytest.raises(EvaluationError, match="Expected a library that was not read yet"):
        first_reading.first_reading(library, ENCODER)


def test_a_library_of_abstracts_is_refused(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as held:
        held.add_file("k", "papers", [paper("a", body=0)])
    with pytest.raises(EvaluationError, match="Expected a library with two long documents"):
        first_reading.first_reading(tmp_path, ENCODER)
