"""Encoders by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.encoders import registry
from engine.errors import NotFittedError, UnknownEncoderError
from tests.contracts.encoder import corpus


def test_every_name_has_a_card_and_a_kind() -> None:
    assert {"tfidf", "lsa", "word2vec-mean"} <= set(registry.names())
    assert registry.DEFAULT in registry.names()
    for name in registry.names():
        card = registry.card(name)
        assert card.summary
        assert card.name == name
        assert bool(card.fingerprint) != registry.is_fitted_kind(name)


@pytest.mark.parametrize("name", [name for name in registry.names() if registry.is_fitted_kind(name)])
def test_a_fitted_encoder_is_loaded_from_its_folder(name: str, tmp_path: Path) -> None:
    encoder = registry.fit(name, corpus())
    encoder.save(tmp_path / name)
    assert registry.load(name, folder=tmp_path / name).card == encoder.card
    assert registry.card(name).sparse == encoder.card.sparse


@pytest.mark.parametrize("name", [name for name in registry.names() if not registry.is_fitted_kind(name)])
def test_a_trained_encoder_ships(name: str) -> None:
    encoder = registry.load(name)
    assert encoder.card == registry.card(name)
    assert encoder.encode_queries(corpus()[:2]).any(axis=1).all()


def test_default_names_the_default_encoder() -> None:
    assert registry.load("default").card.name == registry.DEFAULT


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(UnknownEncoderError, match=r"Expected an encoder among tfidf, .*, got 'bert'"):
        registry.load("bert")


def test_a_fitted_encoder_without_its_folder_is_refused() -> None:
    with pytest.raises(NotFittedError, match="Expected the folder of a fitted tfidf, got none"):
        registry.load("tfidf")


def test_a_trained_encoder_is_not_fitted() -> None:
    with pytest.raises(NotFittedError, match="got word2vec-mean, which is trained"):
        registry.fit("word2vec-mean", corpus())
