"""The mix of a comparison's score, fitted and kept beside the encoder with what scores mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.compare import document_score
from engine.compare.document_score import Calibration, Mix
from engine.encoders.colde import ColdeEncoder, ColdeSettings
from engine.research.matching.pair_set import load_pair_set
from engine.research.measures import colde_mix
from tests.training.long import write_long_data


@pytest.mark.usefixtures("few_pairs")
def test_a_mix_is_fitted_kept_and_taken_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, folder = write_long_data(tmp_path / "data"), tmp_path / "colde"
    settings = ColdeSettings(chunk_tokens=8, lstm_dim=8, dim=8, skip=True, late_share=1.0)
    untrained = ColdeEncoder.untrained(data / "tiny", settings).with_facts({"hardware": "ours"})
    untrained.save(folder)
    (folder / "README.md").write_text("What we know of it.")
    options = ["--data", str(data), "--encoder", str(folder), "--cache", str(tmp_path / "kept")]
    options += ["--calibration-sets", "ours", "more"]
    colde_mix.main([*options, "--sets", "ours", "--word-sets", "ours", "more"])
    encoder = ColdeEncoder.load(folder)
    assert (folder / "README.md").read_text() == "What we know of it."
    mix = Mix.from_facts(encoder.facts)
    assert mix is not None and len(mix.common) > 5
    about = encoder.facts["mix_fitted_on"]
    assert (about["sets"], about["words_of"], encoder.facts["hardware"]) == (["ours"], ["ours", "more"], "ours")
    known = Calibration.from_facts(encoder.facts).unrelated["paper, paper"]
    assert known.pairs == 12 and list(known.quantiles) == sorted(known.quantiles)
    assert encoder.facts["calibrated_on"]["sets"] == ["ours", "more"]
    share = mix.shares["paper, paper"]
    out = capsys.readouterr().out
    assert f"paper, paper: {1 - share.words - share.second:.3f} similarity + {share.words:.3f} shared words" in out
    assert "ours: AUC on valid similarity" in out and "paper, paper: 12 unrelated pairs" in out
    colde_mix.main([*options, "--without"])
    again = ColdeEncoder.load(folder)
    assert again.card.fingerprint == untrained.card.fingerprint
    assert Mix.from_facts(again.facts) is None and "mix_fitted_on" not in again.facts
    assert Calibration.from_facts(again.facts).unrelated["paper, paper"] != known


def test_unrelated_valid_pairs_are_drawn_by_the_seed(tmp_path: Path) -> None:
    whole = load_pair_set(write_long_data(tmp_path) / "ours", form=None)
    drawn = colde_mix.drawn(whole, 4, seed=1)
    assert len(drawn.pairs) == 4
    assert all(pair.split == "valid" and not pair.related for pair in drawn.pairs)
    assert drawn.pairs == colde_mix.drawn(whole, 4, seed=1).pairs
    assert drawn.pairs != colde_mix.drawn(whole, 4, seed=2).pairs
    assert len(colde_mix.drawn(whole, 99, seed=1).pairs) == 6


@pytest.fixture
def few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_score, "_FEWEST_PAIRS", 5)
