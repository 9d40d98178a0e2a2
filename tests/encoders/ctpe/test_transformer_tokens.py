"""A transformer's token vectors as what CTPE's network reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.encoders.base import Encoder
from engine.encoders.ctpe.remembered_vectors import remembering
from engine.encoders.ctpe.settings import CtpeSettings
from engine.encoders.ctpe.transformer_tokens import TransformerTokens
from engine.encoders.transformer import Transformer
from tests.contracts.encoder import EncoderContract, corpus
from tests.encoders.ctpe import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_transformer(tmp_path_factory.mktemp("tiny") / "model")


@pytest.fixture
def tokens(folder: Path) -> TransformerTokens:
    return TransformerTokens(Transformer.open(folder, precision="float32"))


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self, tokens: TransformerTokens, monkeypatch: pytest.MonkeyPatch) -> Encoder:
        monkeypatch.setattr("engine.encoders.ctpe.encoder.fastest_precision", lambda: "float32")
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


def counted(tokens: TransformerTokens, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts each call of the transformer reads, from now on."""
    calls: list[int] = []
    plain = tokens.transformer.token_vectors

    def read(given: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        calls.append(len(given))
        return plain(given)

    monkeypatch.setattr(tokens.transformer, "token_vectors", read)
    return calls


def test_a_text_is_read_once_while_vectors_are_remembered(
    tokens: TransformerTokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["boiler valve", "", "gene pathway of the cell", "boiler valve"]
    wanted, wanted_lengths = tokens.encode(texts, 20)
    calls = counted(tokens, monkeypatch)
    with remembering():
        for _ in range(2):
            found, lengths = tokens.encode(texts, 20)
            assert lengths.tolist() == wanted_lengths.tolist()
            for row, plain, length in zip(found, wanted, lengths.tolist(), strict=True):
                torch.testing.assert_close(row[:length], plain[:length], atol=2e-3, rtol=0)
        tokens.encode(["steam", "gene pathway of the cell"], 20)
        tokens.encode(["gene pathway of the cell"], 3)  # other tokens: cut earlier
    assert calls == [3, 1, 1]
    tokens.encode(texts, 20)
    assert calls == [3, 1, 1, 4]


def test_what_has_no_room_is_read_again(tokens: TransformerTokens, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(tokens, monkeypatch)
    texts = ["boiler valve", "gene pathway of the cell"]
    with remembering(most_bytes=0):
        found, lengths = tokens.encode(texts, 20)
        tokens.encode(texts, 20)
    assert calls == [2, 2] and found.isfinite().all() and min(lengths) > 2


def test_a_network_learns_on_vectors_that_were_remembered_while_it_only_read(tokens: TransformerTokens) -> None:
    network = tiny.network(tokens.dim)
    with remembering():
        with torch.inference_mode():
            tokens.encode(["boiler valve"], 20)
        network(*tokens.encode(["boiler valve", "gene"], 20)).sum().backward()
    assert all(np.isfinite(parameter.grad.numpy()).all() for parameter in network.parameters())


def test_two_models_do_not_share_what_is_remembered(tokens: TransformerTokens, tmp_path: Path) -> None:
    folder = write_tiny_transformer(tmp_path / "other", max_positions=40)
    other = TransformerTokens(Transformer.open(folder, precision="float32"))
    with remembering():
        one, another = (each.encode(["boiler valve"], 20)[0] for each in (tokens, other))
    assert not torch.allclose(one, another)


def test_the_saved_folder_needs_no_other(tokens: TransformerTokens, tmp_path: Path) -> None:
    encoder = tiny.encoder(tokens)
    encoder.save(tmp_path / "saved")
    assert {path.name for path in (tmp_path / "saved").iterdir()} == {
        "card.json",
        "vocabulary.txt",
        "weights.safetensors",
    }
    assert str(tmp_path.parent) not in (tmp_path / "saved" / "card.json").read_text()
