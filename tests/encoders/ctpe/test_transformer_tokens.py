"""A transformer's token vectors as what CTPE's network reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from engine.encoders.base import Encoder
from engine.encoders.ctpe.embeddings import TransformerTokens
from engine.encoders.ctpe.settings import CtpeSettings
from tests.contracts.encoder import EncoderContract, corpus
from tests.encoders.ctpe import tiny


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self, tokens: TransformerTokens, monkeypatch: pytest.MonkeyPatch) -> Encoder:
        monkeypatch.setattr("engine.encoders.ctpe.encoder.reading_precision", lambda: "float32")
        return tiny.encoder(tokens, CtpeSettings(whole_below_tokens=1_000))


def test_vectors_are_the_models_own(tokens: TransformerTokens, folder: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    texts = [corpus()[0].abstract, "", corpus()[1].title]
    found, lengths = tokens.encode(texts, 9)
    model, tokenizer = AutoModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    for text, vectors, length in zip(texts, found, lengths.tolist(), strict=True):
        given = tokenizer(text, truncation=True, max_length=9, return_tensors="pt")
        assert length == (given["input_ids"].shape[1] if text else 0)
        with torch.inference_mode():
            torch.testing.assert_close(vectors[:length], model(**given).last_hidden_state[0, :length])


@pytest.mark.parametrize("text", ["", "  ", "42 + 17", "<b></b>"])
def test_a_text_without_a_word_has_no_token(tokens: TransformerTokens, text: str) -> None:
    assert tokens.ids(text, 20).shape == (0,)


def test_no_more_is_read_than_the_model_has_places_for(tokens: TransformerTokens) -> None:
    assert len(tokens.ids("boiler valve " * 25_000, 200)) == 64
    assert len(tokens.ids("boiler valve " * 25_000, 10)) == 10


def test_a_network_learns_on_frozen_vectors(tokens: TransformerTokens) -> None:
    network = tiny.network(tokens.dim)
    network(*tokens.encode(["boiler valve", "", "gene"], 20)).sum().backward()
    assert all(np.isfinite(parameter.grad.numpy()).all() for parameter in network.parameters())


def test_the_saved_folder_needs_no_other(tokens: TransformerTokens, tmp_path: Path) -> None:
    encoder = tiny.encoder(tokens)
    encoder.save(tmp_path / "saved")
    assert {path.name for path in (tmp_path / "saved").iterdir()} == {
        "card.json",
        "vocabulary.txt",
        "weights.safetensors",
    }
    assert str(tmp_path.parent) not in (tmp_path / "saved" / "card.json").read_text()
