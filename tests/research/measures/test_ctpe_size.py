"""`python -m engine.research ctpe_size`, on a small benchmark and an untrained network of our own."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EvaluationError, StorageError
from engine.research.measures import ctpe_size
from tests.encoders.ctpe import tiny
from tests.evaluation.small import write_benchmark


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    tiny.encoder().save(tmp_path / "encoder")
    benchmark = write_benchmark(tmp_path / "small")
    places = ["--encoder", str(tmp_path / "encoder"), "--benchmarks", str(benchmark)]
    return [*places, "--queries", "all", "--save", str(tmp_path / "report.json")]


def test_every_size_stands_beside_all_floats(line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    ctpe_size.main([*line, "--dims", "8", "4"])
    report = json.loads((tmp_path / "report.json").read_text())
    first, *others = report["figures"]
    assert (first["dim"], first["bits"], first["bytes_a_document"], first["lost"]) == (64, "float32", 512, 0)
    assert len(others) == 2 * 2 * 4
    sizes = {(one["dim"], one["bits"]): one["bytes_a_document"] for one in others}
    assert (sizes[8, "float32"], sizes[4, "float16"]) == (64, 16)
    assert (sizes[8, "int8"], sizes[8, "int4"]) == (20, 12)
    for one in others:
        whole = first["metrics"]["MAP@20"]
        assert one["lost"] == pytest.approx(1 - one["metrics"]["MAP@20"] / whole, abs=1e-3)
    assert {"commit", "hardware", "fingerprint", "sha256", "seed", "part", "fitted_on"} <= report.keys()
    assert report["fitted_on"] == ["small"]
    table = (tmp_path / "report.md").read_text()
    assert table in capsys.readouterr().out
    assert "## mean" in table and "## small" in table
    assert str(tmp_path) not in table + json.dumps(report)


def test_the_smallest_is_small_enough_and_good_enough() -> None:
    def figure(size: int, lost: float, benchmark: str = "a") -> ctpe_size.Figure:
        metrics = dict.fromkeys(ctpe_size.METRICS, 0.5)
        return ctpe_size.Figure(benchmark, size, True, "int8", size, metrics, lost)

    figures = [figure(64, 0.02), figure(128, 0.009), figure(512, 0.001), figure(2048, 0.0)]
    assert ctpe_size.smallest(figures) == figure(128, 0.009, "mean")
    assert ctpe_size.smallest([figure(64, 0.02), figure(2048, 0.0)]) is None
    assert ctpe_size.smallest([figure(64, 0.0), figure(64, 0.03, "b")]) is None


def test_four_bits_are_whole_steps_of_a_seventh() -> None:
    rows = np.array([[0.7, -0.7, 0.32, 0.04], [0, 0, 0, 0]], np.float32)
    np.testing.assert_allclose(ctpe_size.four_bits(rows), [[0.7, -0.7, 0.3, 0.0], [0, 0, 0, 0]], atol=1e-6)


def test_dimensions_beyond_a_half_are_told(line: list[str]) -> None:
    with pytest.raises(EvaluationError, match="Expected dimensions up to 64, those of a half; got none"):
        ctpe_size.main([*line, "--dims", "65"])


def test_the_report_has_a_place_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="Expected to write"):
        ctpe_size.main(["--encoder", "nowhere", "--benchmarks", "nowhere", "--save", str(tmp_path)])
