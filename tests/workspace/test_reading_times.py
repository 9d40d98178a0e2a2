"""How long an encoder will need to read a library: measured in the background, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.documents import Document
from engine.library import Library
from engine.workspace import reading_times
from engine.workspace.workspace import Workspace
from tests.explorer.conftest import OWN


def test_the_time_to_read_is_no_estimate_where_it_cannot_be_measured(tmp_path: Path) -> None:
    with Workspace(tmp_path / "library", create=True) as workspace:
        assert reading_times.reading_seconds(workspace.library, "lsa") == 0
        workspace.library.add_file("own", "own.jsonl", [Document("d", title="…")])
        workspace.rehearse("lsa")
        assert workspace.reading_seconds("lsa") == 0


def test_time_in_which_the_processor_did_other_work_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    passed, used = iter([10.0, 70.0, 80.0, 82.0]), iter([1.0, 3.0, 4.0, 8.0])
    monkeypatch.setattr(reading_times.time, "perf_counter", lambda: next(passed))
    monkeypatch.setattr(reading_times.time, "process_time", lambda: next(used))
    assert reading_times._Clock().seconds() == 2.0  # busy elsewhere
    assert reading_times._Clock().seconds() == 2.0  # on two cores


def test_times_to_read_are_measured_in_the_background_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timed: list[str] = []

    def seconds(_: Library, name: str) -> float:
        timed.append(name)
        return 42.0

    monkeypatch.setattr(reading_times, "reading_seconds", seconds)
    with Workspace(tmp_path / "library", create=True) as workspace:
        workspace.library.add_file("own", "own.jsonl", OWN)
        for names in (("lsa", "cdssm"), ("lsa", "ctpe")):
            workspace.measure_reading(names).join(60)
        assert timed == ["lsa", "cdssm", "ctpe"]
        assert workspace.reading_seconds("cdssm") == 42.0
        assert workspace.reading_seconds("word2vec-sif") is None
