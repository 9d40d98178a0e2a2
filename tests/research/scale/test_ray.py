"""The measurement of workers: what it times, and by how much Ray takes longer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.research.scale import command, ray
from engine.workspace import Workers
from tests.evaluation.small import write_benchmark
from tests.workspace.test_workers import Threads


def test_all_kinds_do_the_same_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[str, int]] = []

    def pool(count: int) -> Workers:
        asked.append((ray.POOL, count))
        return Threads()

    @contextmanager
    def cluster(count: int) -> Iterator[Workers]:
        asked.append((ray.RAY, count))
        yield Threads()

    monkeypatch.setattr(ray, "open_workers", pool)
    monkeypatch.setattr(ray, "ray_workers", cluster)
    write_benchmark(tmp_path / "small")
    words = ["--data", str(tmp_path), "--sets", "small", "--documents", "3", "--encoder", "word2vec-mean"]
    command.main(["ray", *words, "--rounds", "1", "--save", str(tmp_path / "ray.json")])
    report = json.loads((tmp_path / "ray.json").read_text("utf-8"))
    assert asked == [(ray.POOL, 2), (ray.RAY, 2)] and report["documents"] == 3
    assert list(report["seconds"]) == [ray.HERE, ray.POOL, ray.RAY]
    assert all(one <= 1e-6 for one in report["largest difference of a number"].values())
    assert report["command"].startswith("python -m engine.research scale ray --sets small --documents=3 ")
    assert "| 3 documents | read, s | encode, s | largest difference of a number |" in capsys.readouterr().out


def test_by_how_much_ray_takes_longer() -> None:
    seconds = {ray.POOL: {"read": 10.0, "encode": 30.0}, ray.RAY: {"read": 12.0, "encode": 33.0}}
    assert ray.overhead(seconds) == {"read": 20.0, "encode": 10.0, "both": 12.5}
