"""A person's own models: brought, offered once they were measured, encoders of the registry then, and taken out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import DownloadError, EncoderError, StorageError, UnknownEncoderError
from engine.documents import Document
from engine.encoders import model_folder, registry
from engine.encoders.kept_models import KeptModel, models_folder
from engine.encoders.model_folder import ModelFacts, facts_of
from engine.encoders.registry import bring_model
from engine.encoders.sentence_transformer import SentenceTransformerEncoder
from tests.contracts.encoder import corpus
from tests.encoders.tiny_sentences import write
from tests.encoders.tiny_transformer import write_tiny_transformer


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PRIORSCOPE_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


@pytest.fixture
def brought(tmp_path: Path) -> str:
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


def offered(place: Path, **how: str) -> str:
    name = bring_model(str(place), **how).name
    KeptModel.read(name).add_measured("small", {"queries": 12})
    KeptModel.read(name).offer()
    return name


def test_the_encoder_of_the_registry_makes_the_rows_of_the_folder(tmp_path: Path) -> None:
    folder = write(tmp_path / "tiny", whole={"prompts": {"query": "boiler "}})
    (folder / "README.md").write_text("---\nlicense: mit\ndatasets: [one]\n---\n# Tiny Model of ours\n")
    name = offered(folder)
    encoder, plain = registry.load(name), SentenceTransformerEncoder.open(folder)
    for way in ("encode_queries", "encode_documents"):
        np.testing.assert_allclose(getattr(encoder, way)(corpus()), getattr(plain, way)(corpus()), atol=1e-6)
    card = registry.find(name).card
    assert encoder.card == card
    assert (card.name, card.licence, card.trained_on, card.dim) == ("tiny", "mit", ("one",), 32)
    assert card.fingerprint == plain.card.fingerprint
    assert (KeptModel.read(name).folder / "README.md").read_text().endswith("ours\n")
    assert str(tmp_path) not in (KeptModel.read(name).folder / "card.json").read_text()


def test_a_transformer_without_modules_is_brought_too(tmp_path: Path) -> None:
    name = offered(write_tiny_transformer(tmp_path / "plain"), name="my plain one")
    assert name == "my-plain-one" and registry.label(name) == name
    assert registry.load(name).encode_documents([Document("a", abstract="boiler")]).shape == (1, 32)


@pytest.mark.parametrize("name", ["blend", "Blend", "default", "keywords", "CTPE"])
def test_the_name_of_an_encoder_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="Expected a name that no encoder has"):
        bring_model(str(write(tmp_path / "tiny")), name=name)


def test_a_model_in_use_is_not_replaced_by_another(tmp_path: Path) -> None:
    offered(write(tmp_path / "tiny"))
    assert bring_model(str(tmp_path / "tiny")).offered  # the same weights: nothing to do
    other = write(tmp_path / "other" / "tiny", lengths={"max_seq_length": 20})
    with pytest.raises(EncoderError, match="'tiny' is in use"):
        bring_model(str(write(tmp_path / "third" / "tiny", lengths={"max_seq_length": 30})), name="Tiny")
    with pytest.raises(EncoderError, match="Remove that model first"):
        bring_model(str(other))
    KeptModel.remove("tiny")
    assert not bring_model(str(other)).offered


def test_a_name_that_is_not_here_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "fetched")
    monkeypatch.setattr(model_folder, "local_folder", lambda name: None)
    monkeypatch.setattr(model_folder, "facts_on_hub", lambda name: facts_of(folder, place=name))
    monkeypatch.setattr(registry, "fetch", lambda name: folder)
    assert bring_model("owner/small").facts.place == "owner/small"

    def fails(name: str) -> None:
        raise DownloadError("it cannot be reached")

    monkeypatch.setattr(model_folder, "facts_on_hub", fails)
    with pytest.raises(DownloadError):
        ModelFacts.of("owner/other")
