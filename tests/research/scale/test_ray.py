"""The measurement of workers: what it times, and by how much Ray takes longer."""

from __future__ import annotations

import argparse
import json
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.library import Library
from engine.research.scale import ray
from engine.research.scale.ray import PROCESSES, RAY, WorkerSpeed, overheads
from engine.workspace import Workers
from tests.contracts.encoder import corpus
from tests.workspace.test_compute import Threads


def run(*given: str) -> None:
    parser = argparse.ArgumentParser()
    ray.add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["ray", *given])
    arguments.run(arguments)


def test_all_kinds_do_the_same_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[str, int]] = []

    def opened(kind: str, count: int) -> AbstractContextManager[Workers | None]:
        asked.append((kind, count))
        return Threads() if count else nullcontext()

    monkeypatch.setattr(ray, "_opened", opened)
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("own", "own", corpus()[:4])
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "kites.md").write_text("# Kites\n\nThey fly.\n")
    where = ("--library", str(tmp_path / "library"), "--files", str(tmp_path / "files"))
    what = ("--encoder", "word2vec-mean", "--documents", "3", "--workers", "2", "--rounds", "1")
    run(*where, *what, "--save", str(tmp_path / "ray.json"))
    report = json.loads((tmp_path / "ray.json").read_text("utf-8"))
    assert asked == [("this process", 0), (PROCESSES, 2), (RAY, 2)]
    assert report["documents"] == 3 and report["encoder"] == "word2vec-mean"
    assert [one["difference"] <= 1e-6 for one in report["speeds"]] == [True] * 3
    assert all(one["per_second"].keys() == {"files", "vectors", "passages"} for one in report["speeds"])
    printed = capsys.readouterr().out
    assert "| kind | workers | start, s | files/s | vectors/s | passages/s | difference |" in printed
    assert "Ray takes longer with 2 workers by " in printed


def test_by_how_much_ray_takes_longer() -> None:
    speeds = [
        WorkerSpeed(PROCESSES, 2, 0.1, {"vectors": 120.0}, 0.0),
        WorkerSpeed(RAY, 2, 9.0, {"vectors": 100.0}, 0.0),
    ]
    assert overheads(speeds) == {"2": {"vectors": 20.0}}


def test_a_library_without_documents_is_refused(tmp_path: Path) -> None:
    Library.open(tmp_path / "library", create=True).close()
    with pytest.raises(EvaluationError, match=r"Expected documents to encode; there are none\. Import some first\."):
        run("--library", str(tmp_path / "library"))


def test_both_kinds_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int | None, str]] = []
    monkeypatch.setattr(ray, "open_workers", lambda count, address: asked.append((count, address)))
    for kind, count in ((ray.HERE, 0), (PROCESSES, 2), (RAY, 2)):
        ray._opened(kind, count)
    assert asked == [(None, ""), (2, ""), (2, "local")]
