"""Students between two, measured on a small benchmark of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.evaluation import load_benchmark, measure_systems
from engine.research.measures import student_shares
from tests.encoders.student.test_encoder import moved, tiny
from tests.evaluation.small import QUERIES, write_benchmark


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A benchmark of valid queries alone, beside two students."""
    made = write_benchmark(tmp_path / "data" / "small")
    (made / "query-splits.tsv").write_text("".join(f"{query.id}\tvalid\n" for query in QUERIES))
    tiny().save(tmp_path / "one")
    moved().save(tmp_path / "other")
    return made


def test_every_share_is_measured(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(tmp_path / "one"), str(tmp_path / "other"), "--data", str(tmp_path / "data"), "--sets", "small"]
    student_shares.main([*words, "--shares", "0", "0.5", "1", "--tokens", "9", "--save", str(tmp_path / "new.json")])
    report = json.loads((tmp_path / "new.json").read_text())
    figures = report["figures"]["small"]
    assert list(figures) == ["0", "0.5", "1"]
    assert len({found["fingerprint"] for found in figures.values()}) == 3
    assert report["documents"] == {"small": len(load_benchmark(folder).corpus)}
    assert str(tmp_path) not in (tmp_path / "new.json").read_text()
    assert (tmp_path / "new.md").read_text() in capsys.readouterr().out

    moved().reading(9).save(tmp_path / "read")
    alone = measure_systems(load_benchmark(folder, part="valid"), f"it={tmp_path / 'read'}").metrics
    assert figures["1"]["student"]["nDCG@10"] == pytest.approx(alone["nDCG@10"], abs=1e-4)
