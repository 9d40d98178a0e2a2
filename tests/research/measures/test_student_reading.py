"""How much the student reads, measured on a small benchmark of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest

from engine.encoders import registry
from engine.encoders.student import StudentEncoder
from engine.evaluation import load_benchmark, measure_systems
from engine.research.measures import student_reading
from tests.evaluation.small import QUERIES, write_benchmark


def test_every_length_is_measured_and_the_first_one_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_benchmark(tmp_path / "data" / "small")
    (folder / "query-splits.tsv").write_text("".join(f"{query.id}\tvalid\n" for query in QUERIES))
    shipped_settings = cast(StudentEncoder, registry.load("student")).settings
    usual = f"{shipped_settings.max_tokens}/{shipped_settings.query_tokens}"
    words = ["--data", str(tmp_path / "data"), "--sets", "small", "--tokens", "5/9", "5", usual]
    student_reading.main([*words, "--save", str(tmp_path / "report.json"), "--write", str(tmp_path / "student")])
    figures = json.loads((tmp_path / "report.json").read_text())["figures"]["small"]
    assert list(figures) == ["5/9", "5", usual]
    assert all(found["speed"] > 0 for found in figures.values())
    assert len({found["fingerprint"] for found in figures.values()}) == 3
    written = registry.load_folder(tmp_path / "student")
    assert isinstance(written, StudentEncoder)
    assert (written.settings.max_tokens, written.settings.query_tokens) == (5, 9)
    assert (tmp_path / "report.md").read_text() in capsys.readouterr().out

    benchmark = load_benchmark(folder, part="valid")
    alone = measure_systems(benchmark, "student").metrics
    shipped = figures[usual]
    assert shipped["student"]["nDCG@10"] == pytest.approx(alone["nDCG@10"], abs=1e-4)
    assert shipped["fingerprint"] == registry.card("student").fingerprint
