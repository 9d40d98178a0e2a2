"""Encoders by name."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from engine.core import files
from engine.core.errors import NotFittedError, StorageError, UnknownEncoderError
from engine.encoders import registry
from engine.encoders.kept_models import MODELS_VARIABLE, KeptModel
from engine.encoders.registry import USUAL_KEYWORD_WEIGHT as USUAL
from engine.encoders.registry import bring_model, keyword_weights
from tests.contracts.encoder import corpus
from tests.encoders.test_sentence_transformer import write_words
from tests.encoders.tiny_sentences import write


def test_every_name_has_a_card_and_a_kind() -> None:
    assert {"tfidf", "lsa", "word2vec-mean"} <= set(registry.encoder_names())
    assert registry.DEFAULT in registry.encoder_names()
    for name in registry.encoder_names():
        card = registry.find(name).card
        assert card.summary
        assert card.name == name
        assert bool(card.fingerprint) != registry.find(name).learns


def test_what_to_choose_comes_first() -> None:
    names = registry.encoder_names()
    assert names[0] == registry.DEFAULT
    assert names[1] == "blend-large" and names.index("student") < names.index("tfidf") < names.index("word2vec-mean")


@pytest.mark.parametrize("name", [name for name in registry.encoder_names() if registry.find(name).learns])
def test_a_fitted_encoder_is_loaded_from_its_folder(name: str, tmp_path: Path) -> None:
    encoder = registry.fit(name, corpus())
    encoder.save(tmp_path / name)
    assert registry.load(name, folder=tmp_path / name).card == encoder.card
    assert registry.find(name).card.sparse == encoder.card.sparse


@pytest.mark.parametrize("name", [name for name in registry.encoder_names() if not registry.find(name).learns])
def test_a_trained_encoder_ships(name: str) -> None:
    encoder = registry.load(name)
    assert encoder.card == registry.find(name).card
    assert encoder.encode_queries(corpus()[:2]).any(axis=1).all()


def test_a_folder_is_read_by_the_method_in_its_card(tmp_path: Path) -> None:
    for name in ("tfidf", "lsa"):
        encoder = registry.fit(name, corpus())
        encoder.save(tmp_path / name)
        assert registry.load_folder(tmp_path / name).card == encoder.card
    assert registry.load_folder(registry.PRETRAINED / "word2vec").card.name == "word2vec-mean"


def test_a_shipped_card_is_told_in_words_of_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    value = files.read_json(registry.PRETRAINED / "keyvec" / "card.json")
    value["card"] |= {"name": "old", "summary": "As it was."}
    files.write_json(tmp_path / "keyvec" / "card.json", value)
    today = registry.find("keyvec").card
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    assert registry.find("keyvec").card == today


def test_every_entry_names_the_class_that_reads_its_folder() -> None:
    for name, entry in registry.ENTRIES.items():
        assert entry.name == name and entry.label and entry.summary, name
        module, _, kind = entry.loader.rpartition(".")
        assert issubclass(getattr(import_module(module), kind), registry.Encoder), name


def test_people_have_names_for_encoders() -> None:
    assert registry.label("lsa") == "LSA" and registry.label("own") == "own"


def test_keywords_count_as_the_entry_says_and_beside_others_as_usual() -> None:
    assert keyword_weights("blend")[:2] == (0.75, 1.5)
    assert keyword_weights("lsa")[:2] == keyword_weights("own")[:2] == (USUAL, None)


def test_keywords_count_beside_a_model_of_sentences_as_beside_those_that_come_with_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path / "models"))
    sentences, words = (
        bring_model(str(write(tmp_path / "ours"))).name,
        bring_model(str(write_words(tmp_path / "words"))).name,
    )
    assert keyword_weights("student")[:2] == (0.75, None)
    assert keyword_weights(sentences) == (0.75, None, "as beside the sentence encoders that come with Priorscope")
    assert keyword_weights(words) == (USUAL, None, "the usual weight beside an encoder for which none was chosen")
    (KeptModel.read(sentences).folder / "card.json").write_text("{}")
    assert keyword_weights(sentences)[:2] == (USUAL, None)


def test_a_folder_of_another_method_or_of_none_is_refused(tmp_path: Path) -> None:
    registry.fit("tfidf", corpus()).save(tmp_path / "other")
    card = files.read_json(tmp_path / "other" / "card.json")
    files.write_json(tmp_path / "other" / "card.json", {**card, "method": "other/9"})
    with pytest.raises(StorageError, match=r"Expected an encoder of blend/1, .*, found one of other/9"):
        registry.load_folder(tmp_path / "other")
    with pytest.raises(StorageError, match=r"Expected the file card\.json"):
        registry.load_folder(tmp_path)


def test_default_names_the_default_encoder() -> None:
    assert registry.load("default").card.name == registry.DEFAULT


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(UnknownEncoderError, match=r"Expected an encoder among blend, .*, got 'bert'"):
        registry.load("bert")


def test_a_fitted_encoder_without_its_folder_is_refused() -> None:
    with pytest.raises(NotFittedError, match="Expected the folder of a fitted tfidf, got none"):
        registry.load("tfidf")


def test_a_trained_encoder_is_not_fitted() -> None:
    with pytest.raises(NotFittedError, match="got word2vec-mean, which is trained"):
        registry.fit("word2vec-mean", corpus())


def test_what_an_encoder_is_made_of_ships_with_it() -> None:
    assert registry.find("lsa").joins == ()
    blends = [name for name in registry.encoder_names() if registry.find(name).joins]
    assert "blend" in blends
    for name in blends:
        parts = [registry.find(part).card for part in registry.find(name).joins]
        assert registry.find(name).card.dim == sum(part.dim for part in parts) + 1
