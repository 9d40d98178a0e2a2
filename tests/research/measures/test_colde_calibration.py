"""What a CoLDE encoder's scores mean: the pairs that are drawn, and what is kept beside the encoder."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.encoders.colde import ColdeEncoder, ColdeSettings
from engine.research.matching.pair_set import load_pair_set
from engine.research.measures import colde_calibration
from tests.training.long import write_long_data


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_long_data(tmp_path_factory.mktemp("long"))


def test_unrelated_valid_pairs_are_drawn_by_the_seed(data: Path) -> None:
    whole = load_pair_set(data / "ours", form=None)
    drawn = colde_calibration.drawn(whole, 4, seed=1)
    assert len(drawn.pairs) == 4
    assert all(pair.split == "valid" and not pair.related for pair in drawn.pairs)
    assert drawn.pairs == colde_calibration.drawn(whole, 4, seed=1).pairs
    assert drawn.pairs != colde_calibration.drawn(whole, 4, seed=2).pairs
    assert len(colde_calibration.drawn(whole, 99, seed=1).pairs) == 6


def test_the_encoder_keeps_what_was_measured(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from engine.compare import calibration

    monkeypatch.setattr(calibration, "_FEWEST_PAIRS", 5)
    settings = ColdeSettings(chunk_tokens=8, lstm_dim=8, dim=8, skip=True)
    encoder = ColdeEncoder.untrained(data / "tiny", settings).with_facts({"hardware": "ours"})
    encoder.save(tmp_path / "colde")
    (tmp_path / "colde" / "README.md").write_text("What we know of it.")
    colde_calibration.main(["--data", str(data), "--encoder", str(tmp_path / "colde"), "--sets", "ours", "more"])
    again = ColdeEncoder.load(tmp_path / "colde")
    assert again.card.fingerprint == encoder.card.fingerprint
    assert (tmp_path / "colde" / "README.md").read_text() == "What we know of it."
    assert (again.facts["hardware"], again.facts["calibrated_on"]["sets"]) == ("ours", ["ours", "more"])
    known = calibration.Calibration.from_facts(again.facts).unrelated["paper, paper"]
    assert known.pairs == 12 and list(known.quantiles) == sorted(known.quantiles)
    assert "paper, paper: 12 unrelated pairs" in capsys.readouterr().out
