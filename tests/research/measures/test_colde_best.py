"""The share of a document's chunks that count, measured on valid pairs and kept beside the encoder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.encoders.colde import ColdeEncoder, ColdeSettings
from engine.research.measures import colde_best
from tests.training.long import write_long_data


@pytest.fixture
def data(tmp_path: Path) -> Path:
    data = write_long_data(tmp_path / "data")
    settings = ColdeSettings(chunk_tokens=8, lstm_dim=8, dim=8, skip=True, late_share=1.0)
    ColdeEncoder.untrained(data / "tiny", settings).with_facts({"hardware": "ours"}).save(tmp_path / "colde")
    return data


def options(data: Path) -> list[str]:
    folder = data.parent
    return ["--data", str(data), "--encoder", str(folder / "colde"), "--sets", "ours", "more", "--cache", str(folder)]


def test_each_set_is_measured_with_each_share_and_one_is_kept(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = data.parent / "best.json"
    colde_best.main([*options(data), "--shares", "0.25", "0.5", "--save", str(report), "--keep", "0.25"])
    told = json.loads(report.read_text())
    assert list(told["auc"]) == ["ours", "more"]
    assert all(list(by) == ["0.25", "0.5", "1"] for by in told["auc"].values())
    assert told["pairs"]["ours"] > 0 and set(told["sha256"]) == {"ours", "more"}
    printed = capsys.readouterr().out
    assert printed.strip() == report.with_suffix(".md").read_text().strip()
    assert "| 25% |" in printed and "share that the others choose" in printed
    again = ColdeEncoder.load(data.parent / "colde")
    assert again.settings.late_best == 0.25 and again.facts == {"hardware": "ours"}
    whole = again.with_late_best(1)
    assert whole.card.fingerprint == told["fingerprint"]


def test_the_share_is_chosen_by_other_sets_and_of_equal_ones_all_chunks_win() -> None:
    found = {"a": {0.3: 0.9, 1.0: 0.8}, "b": {0.3: 0.7, 1.0: 0.75}, "c": {0.3: 0.6, 1.0: 0.6}}
    assert colde_best.chosen_by(found, ["a", "c"]) == 0.3
    assert colde_best.chosen_by(found, ["b", "c"]) == 1.0
    assert colde_best.chosen_by(found, ["c"]) == 1.0
    table = colde_best.as_markdown(found, {"command": "so"})
    assert "| b | 30% | 0.7000 | 0.7500 |" in table


@pytest.mark.parametrize("wrong", [["--shares", "0"], ["--keep", "1.5"]])
def test_a_share_outside_its_range_is_refused_before_anything_is_read(data: Path, wrong: list[str]) -> None:
    with pytest.raises(EvaluationError, match="Expected shares above 0 and up to 1"):
        colde_best.main([*options(data), *wrong])
    assert not list(data.parent.glob("*/*/vectors.safetensors"))
