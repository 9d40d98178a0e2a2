"""Each stage of long work is cancelled once, and how soon it ends is told."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.core.errors import EvaluationError, StorageError
from engine.core.progress import Progress, Report
from engine.library import Library
from engine.research.bench import cancelling
from engine.research.bench.command import main
from engine.workspace import Workspace
from tests.contracts.encoder import corpus


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancelling, "_INTO", 0.02)


def test_each_stage_is_cancelled_once_and_its_time_is_that_of_its_own_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, clock, ended = {"read": 0.05, "write": 0.4}, [0.0], set[str]()
    monkeypatch.setattr(cancelling, "time", SimpleNamespace(perf_counter=lambda: clock[0], monotonic=time.monotonic))

    def work(report: Report) -> str:
        for stage, seconds in slow.items():
            report(Progress(stage, 1, 3, 0.0))
            if stage not in ended:
                ended.add(stage)
                _wait_to_be_cancelled(workspace)
                clock[0] += seconds
            report(Progress(stage, 3, 3, 0.0))
        return "done"

    with Workspace(tmp_path / "library", create=True) as workspace:
        assert dict(cancelling._cancelled(workspace, work, 30)) == slow
        assert workspace.jobs.last() is not None and workspace.jobs.in_line() == ()


def _wait_to_be_cancelled(workspace: Workspace) -> None:
    job = workspace.jobs.running()
    assert job is not None and job.stopping.wait(60)


def test_work_without_another_stage_is_ended_in_time(tmp_path: Path) -> None:
    def work(report: Report) -> str:
        report(Progress("read", 1, 3, 0.0))
        _wait_to_be_cancelled(workspace)
        report(Progress("read", 2, 3, 0.0))
        return "done"

    with Workspace(tmp_path / "library", create=True) as workspace:
        assert list(dict(cancelling._cancelled(workspace, work, 0.1))) == ["read"]
        assert workspace.jobs.in_line() == ()


def test_work_that_fails_is_told(tmp_path: Path) -> None:
    def work(report: Report) -> str:
        raise StorageError("Expected room on the disk; there is none. Make some.")

    with Workspace(tmp_path / "library", create=True) as workspace:
        with pytest.raises(EvaluationError, match="Expected room on the disk"):
            list(cancelling._cancelled(workspace, work, 30))


def test_the_command_prints_and_saves_what_it_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Library.open(tmp_path / "unread", create=True) as library:
        library.add_file("key", "texts", corpus())
    given, saved = tmp_path / "given.md", tmp_path / "cancel.json"
    given.write_text("# Kites\n\nAbstract\n\nKites pull generators.\n", "utf-8")
    line = ["cancel", str(given), "--library", str(tmp_path / "unread"), "--encoder", "word2vec-sif"]
    main([*line, "--save", str(saved)])
    report = json.loads(saved.read_text("utf-8"))
    assert list(report["seconds"]) == ["import", "encode", "map", "passages"]
    assert report["documents"] == len(corpus()) and report["seconds"]["map"]
    shown = capsys.readouterr().out
    assert all(f"{name}: {stage}" in shown for name, each in report["seconds"].items() for stage in each)
    with Workspace(tmp_path / "unread") as left:
        assert left.vector_count("word2vec-sif") == 0
