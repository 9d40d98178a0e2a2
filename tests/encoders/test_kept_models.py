"""Models that are kept: offered once they were measured, and taken out again."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EncoderError, StorageError, UnknownEncoderError
from engine.encoders import registry
from engine.encoders.kept_models import KeptModel, models_folder
from engine.encoders.registry import bring_model
from tests.encoders.tiny_sentences import write


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PRIORSCOPE_MODELS", str(tmp_path / "models"))
    return bring_model(str(write(tmp_path / "tiny"))).name


def test_a_model_is_offered_only_after_it_was_measured(brought: str) -> None:
    assert brought not in registry.encoder_names()
    with pytest.raises(EncoderError, match="Measure it first"):
        KeptModel.read(brought).offer()
    KeptModel.read(brought).add_measured("small", {"queries": 12})
    KeptModel.read(brought).add_measured("judged", {"queries": 3})
    assert brought not in registry.encoder_names()
    KeptModel.read(brought).offer()
    assert registry.encoder_names()[-1] == registry.search_names()[-1] == brought
    assert registry.find(brought).is_own and not registry.find("blend").is_own
    assert KeptModel.read(brought).measured == {"small": {"queries": 12}, "judged": {"queries": 3}}


def test_a_model_that_is_taken_out_is_gone(brought: str) -> None:
    KeptModel.remove(brought)
    assert not KeptModel.read_all()
    with pytest.raises(UnknownEncoderError, match="none yet"):
        KeptModel.remove(brought)


@pytest.mark.parametrize("name", ["../tiny", "tiny/..", "", ".", "a/b", "x" * 300])
def test_a_name_never_leads_out_of_the_folder(name: str, brought: str) -> None:
    with pytest.raises(UnknownEncoderError):
        KeptModel.remove(name)
    assert [one.name for one in KeptModel.read_all()] == [brought]


@pytest.mark.parametrize("content", ["{", "[]", '{"facts": {"place": 1}, "measured": {}, "offered": true}'])
def test_a_damaged_model_is_left_out_and_hides_no_other(content: str, brought: str) -> None:
    (models_folder() / brought / "model.json").write_text(content)
    assert KeptModel.read_all() == [] and "blend" in registry.encoder_names()
    with pytest.raises(StorageError):
        KeptModel.read(brought)
    KeptModel.remove(brought)
    assert not (models_folder() / brought).exists()


def test_a_model_without_a_card_that_can_be_read_is_not_offered(brought: str) -> None:
    KeptModel.read(brought).add_measured("small", {"queries": 12})
    KeptModel.read(brought).offer()
    (KeptModel.read(brought).folder / "card.json").write_text("{")
    assert brought not in registry.encoder_names()
