"""A model of a person's own, by its folder or its name on the hub, to an encoder of the registry."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import huggingface_hub
import numpy as np
import pytest
from huggingface_hub.errors import HTTPError, RepositoryNotFoundError

from engine.core.errors import DownloadError, EncoderError
from engine.documents import Document
from engine.encoders import model_folder, registry
from engine.encoders.kept_models import KeptModel
from engine.encoders.model_folder import ModelFacts, facts_of
from engine.encoders.registry import bring_model
from engine.encoders.sentence_transformer import SentenceTransformerEncoder
from tests.contracts.encoder import corpus
from tests.encoders.tiny_sentences import write
from tests.encoders.tiny_transformer import write_tiny_transformer

NAME = "owner/small-model"


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """A hub that has one model; the list holds what was asked of it."""
    folder = write(tmp_path / "served")
    (folder / "README.md").write_text("---\nlicense: mit\n---\n")
    asked: list[dict[str, object]] = []

    def model_info(_: object, name: str, **how: object) -> SimpleNamespace:
        asked.append({"name": name, **how})
        files = [path for path in folder.rglob("*") if path.is_file()]
        listed = [SimpleNamespace(rfilename=str(one.relative_to(folder)), size=one.stat().st_size) for one in files]
        return SimpleNamespace(siblings=listed, sha="abc")

    def snapshot_download(name: str, *, local_dir: str = "", **how: object) -> str:
        asked.append({"name": name, **how})
        if not local_dir:
            return str(folder)
        shutil.copytree(folder, local_dir, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.safetensors"))
        return local_dir

    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", model_info)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    return asked


def test_the_hub_describes_a_model_without_its_weights(served: list[dict[str, object]]) -> None:
    facts = model_folder.facts_on_hub(NAME)
    assert (facts.place, facts.name, facts.licence, facts.dim) == (NAME, "small-model", "mit", 32)
    assert facts.weight_bytes > 10_000 and facts.parameters is None
    assert served[1]["allow_patterns"] == ["*.json", "README.md"] and served[1]["revision"] == "abc"


def test_only_settings_words_and_safetensors_are_fetched(served: list[dict[str, object]]) -> None:
    assert (model_folder.fetch(NAME) / "model.safetensors").is_file()
    assert set(served[0]["allow_patterns"]) == {"*.json", "README.md", "*.txt", "*.model", "*.safetensors"}  # type: ignore[call-overload]


@pytest.mark.parametrize("fetches", [model_folder.facts_on_hub, model_folder.fetch])
@pytest.mark.parametrize("error", [HTTPError("[Errno -2] Name or service not known"), OSError("no route")])
def test_a_hub_that_cannot_be_reached_is_told_plainly(
    fetches: object, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", fails)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", fails)
    with pytest.raises(DownloadError, match=r"cannot be reached .* or download the model elsewhere"):
        fetches(NAME)  # type: ignore[operator]


def test_a_model_that_the_hub_lacks_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RepositoryNotFoundError("401", response=SimpleNamespace(headers={}, request=None))  # type: ignore[arg-type]

    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", fails)
    with pytest.raises(EncoderError, match="is not there or needs a login"):
        model_folder.facts_on_hub(NAME)


@pytest.mark.parametrize("place", ["/etc/passwd", "../x", "a/b/c", "a b", "", "x\0y", "https://huggingface.co/a/b"])
def test_the_hub_is_never_asked_for_what_is_no_name(place: str, served: list[dict[str, object]]) -> None:
    with pytest.raises(EncoderError, match="is neither"):
        model_folder.facts_on_hub(place)
    assert model_folder.on_this_machine(place) is None and not served


def test_a_folder_and_an_earlier_download_are_found_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "model")
    assert model_folder.on_this_machine(str(folder)) == folder
    monkeypatch.setattr(model_folder, "local_folder", lambda name: folder if name == NAME else None)
    assert model_folder.on_this_machine(NAME) == folder
    assert model_folder.on_this_machine("owner/other") is None
    (folder / "model.safetensors").unlink()  # a download that was stopped is fetched again
    assert model_folder.on_this_machine(NAME) is None


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PRIORSCOPE_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


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
    with pytest.raises(EncoderError, match="Remove that model first"):
        bring_model(str(other))
    KeptModel.remove("tiny")
    assert not bring_model(str(other)).offered


def test_what_a_folder_is_called_is_its_readmes_title_where_that_is_a_name(tmp_path: Path) -> None:
    folder = write(tmp_path / "model")
    (folder / "README.md").write_text("# owner/small-model\n")
    assert ModelFacts.of(str(folder)).name == "small-model"
    (folder / "README.md").write_text("# A model for all\n")
    assert ModelFacts.of(str(folder)).name == "model"


def test_a_download_is_called_by_its_name_on_the_hub(tmp_path: Path) -> None:
    snapshot = write(tmp_path / "models--owner--small" / "snapshots" / "0123abc")
    assert ModelFacts.of(str(snapshot)).place == "owner/small"


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


def test_facts_are_told_in_plain_words(tmp_path: Path) -> None:
    prompts = {"prompts": {"query": "ask: "}}
    folder = write(tmp_path / "tiny", whole=prompts, pooling={"pooling_mode_cls_token": True})
    told = ModelFacts.of(str(folder)).spoken()
    assert told["Licence"] == "its README names none: ask its author before you use it"
    assert told["A row is"] == "the vector of the first token, at unit length"
    assert told["Prompts"] == "“ask:” before questions"
    assert told["Reads"] == "the first 40 tokens" and told["Vector"] == "32 numbers"


def test_a_long_list_of_data_sets_is_cut(tmp_path: Path) -> None:
    folder = write(tmp_path / "tiny")
    (folder / "README.md").write_text(f"---\ndatasets: [{', '.join('abcdefg')}]\n---\n")
    assert ModelFacts.of(str(folder)).spoken()["Trained on"] == "a, b, c, d, 3 more"
