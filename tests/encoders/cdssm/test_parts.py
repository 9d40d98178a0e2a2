"""The parts of a C-DSSM encoder, kept in a folder and checked when they are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.encoders import registry
from engine.encoders.cdssm.encoder import CdssmEncoder
from engine.encoders.cdssm.settings import CdssmSettings
from tests.encoders.cdssm import tiny
from tests.encoders.cdssm.cosines import TWO


@pytest.mark.parametrize("settings", [TWO, CdssmSettings(words="vectors", channels=9, dim=4, stored="float16")])
def test_facts_and_settings_come_back(settings: CdssmSettings, tmp_path: Path) -> None:
    facts = {"recipe": {"epochs": 2}, "hardware": "a machine"}
    made = tiny.network(settings), tiny.entries(settings), settings
    encoder = CdssmEncoder.of(*made, trained_on=("ours",), facts=facts)
    encoder.save(tmp_path / "saved")
    again = CdssmEncoder.load(tmp_path / "saved")
    assert (again.settings, again.facts, again.card) == (settings, facts, encoder.card)
    assert registry.load("cdssm", folder=tmp_path / "saved").card == encoder.card
    assert registry.load_folder(tmp_path / "saved").card == encoder.card
    again.save(tmp_path / "twice")
    for name in ("weights.safetensors", "vocabulary.txt"):
        assert (tmp_path / "twice" / name).read_bytes() == (tmp_path / "saved" / name).read_bytes()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"entries": 0}, "entries must be from 1 to 10000000, got 0"),
        ({"entries": 7}, r"Expected the encoder \w+ in .*, found other"),
        ({"vector_dim": 3}, "vector_dim must be 0 for trigrams and 1 or more for vectors, got 3"),
        ({"reading": {"towers": "three"}}, "towers must be one of shared, two, got 'three'"),
        ({"reading": {"towers": "two"}}, "Expected the arrays"),
        ({"reading": {"channels": 64, "dim": 24, "max_tokens": 9}}, r"Expected the encoder \w+ in .*, found other"),
        ({"more": 1}, "unknown key more"),
    ],
)
def test_changed_settings_are_refused(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    tiny.encoder().save(tmp_path / "saved")
    value = files.read_json(tmp_path / "saved" / "card.json")
    value["facts"]["settings"] |= change
    files.write_json(tmp_path / "saved" / "card.json", value)
    with pytest.raises(StorageError, match=told):
        CdssmEncoder.load(tmp_path / "saved")


def test_folders_from_before_padding_was_a_setting_are_read_as_padded(tmp_path: Path) -> None:
    encoder = tiny.encoder()
    encoder.save(tmp_path / "padded")
    tiny.encoder(padding="none").save(tmp_path / "within")
    kept, within = (files.read_json(tmp_path / name / "card.json") for name in ("padded", "within"))
    assert "padding" not in kept["facts"]["settings"]["reading"]
    assert within["facts"]["settings"]["reading"]["padding"] == "none"
    assert CdssmEncoder.load(tmp_path / "padded").settings.padding == "zeros"
    assert CdssmEncoder.load(tmp_path / "padded").card.fingerprint == encoder.card.fingerprint
    assert CdssmEncoder.load(tmp_path / "within").settings.padding == "none"


def test_parts_that_do_not_fit_are_refused() -> None:
    with pytest.raises(EncoderError, match=r"Expected 2 different trigrams, got 2, 1 of them different\. Give one"):
        CdssmEncoder.of(tiny.network(), ["abc", "abc"], tiny.SETTINGS)
    with pytest.raises(EncoderError, match=r"Expected towers\.0\.filters of shape \(2, 192\), got \(242, 192\)"):
        CdssmEncoder.of(tiny.network(), ["abc", "abd"], tiny.SETTINGS)


@pytest.mark.parametrize("value", [float("nan"), 1e6])
def test_a_network_that_went_astray_is_refused(value: float) -> None:
    network = tiny.network()
    with torch.no_grad():
        network.towers[0].bias[3] = value
    with pytest.raises(EncoderError, match=r"finite numbers in every part, found others in towers\.0\.bias\. The tra"):
        CdssmEncoder.of(network, tiny.letters(), tiny.SETTINGS)
