"""Models that are kept: offered once they were measured, and taken out again."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EncoderError, StorageError, UnknownEncoderError
from engine.encoders import kept_models, registry
from engine.encoders.bring import bring_model
from tests.encoders.tiny_sentences import write


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PRIORSCOPE_MODELS", str(tmp_path / "models"))
    return bring_model(str(write(tmp_path / "tiny"))).name


def test_a_model_is_offered_only_after_it_was_measured(brought: str) -> None:
    assert brought not in registry.encoder_names()
    with pytest.raises(EncoderError, match="Measure it first"):
        kept_models.offer_kept(brought)
    kept_models.add_measured(brought, "small", {"queries": 12})
    kept_models.add_measured(brought, "judged", {"queries": 3})
    assert brought not in registry.encoder_names()
    kept_models.offer_kept(brought)
    assert registry.encoder_names()[-1] == registry.search_names()[-1] == brought
    assert registry.is_own(brought) and not registry.is_own("blend")
    assert kept_models.read_kept(brought).measured == {"small": {"queries": 12}, "judged": {"queries": 3}}


def test_a_model_that_is_taken_out_is_gone(brought: str) -> None:
    kept_models.remove_kept(brought)
    assert not kept_models.list_kept()
    with pytest.raises(UnknownEncoderError, match="none yet"):
        kept_models.remove_kept(brought)


@pytest.mark.parametrize("name", ["../tiny", "tiny/..", "", ".", "a/b", "x" * 300])
def test_a_name_never_leads_out_of_the_folder(name: str, brought: str) -> None:
    with pytest.raises(UnknownEncoderError):
        kept_models.remove_kept(name)
    assert [one.name for one in kept_models.list_kept()] == [brought]


@pytest.mark.parametrize("content", ["{", "[]", '{"facts": {"place": 1}, "measured": {}, "offered": true}'])
def test_a_damaged_model_is_left_out_and_hides_no_other(content: str, brought: str) -> None:
    (kept_models.kept_folder(brought) / "model.json").write_text(content)
    assert kept_models.list_kept() == [] and "blend" in registry.encoder_names()
    with pytest.raises(StorageError):
        kept_models.read_kept(brought)
    kept_models.remove_kept(brought)
    assert not kept_models.kept_folder(brought).exists()


def test_a_model_without_a_card_that_can_be_read_is_not_offered(brought: str) -> None:
    kept_models.add_measured(brought, "small", {"queries": 12})
    kept_models.offer_kept(brought)
    (kept_models.kept_folder(brought) / "card.json").write_text("{")
    assert brought not in registry.encoder_names()
