"""Our BERT beside that of `transformers`: the same weights, the same numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from engine.encoders import bert, registry
from engine.encoders.bert import Bert, is_plain
from engine.encoders.student.encoder import StudentEncoder
from engine.encoders.transformer import bare_model, config_of, empty_model
from tests.encoders.tiny_transformer import write_tiny_transformer

LENGTHS = (1, 7, 3, 33, 33)


@pytest.fixture
def theirs(tmp_path: Path) -> Any:  # noqa: ANN401  a class of transformers, which has no types
    from transformers import AutoModel

    model = AutoModel.from_pretrained(write_tiny_transformer(tmp_path)).eval()
    model.pooler = None
    for name, part in model.named_parameters():
        if name.endswith("bias"):
            nn.init.normal_(part, std=0.3)
    return model


def ours_of(theirs: nn.Module) -> Bert:
    ours = Bert(config_of(theirs)).eval()
    ours.load_state_dict(theirs.state_dict(), strict=True)
    return ours


def batch(words: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids of texts of other lengths, padded, and where there is a token: (b, t) both."""
    inside = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS)[:, None]
    drawn = torch.randint(1, words, inside.shape, generator=torch.Generator().manual_seed(2))
    return drawn * inside, inside


@torch.inference_mode()
def apart(ours: nn.Module, theirs: nn.Module, words: int) -> float:
    """The largest difference of two models' vectors, padding left out."""
    ids, inside = batch(words)
    one, other = (model(input_ids=ids, attention_mask=inside.long()).last_hidden_state for model in (ours, theirs))
    assert float(one[inside].std()) > 0.01
    return float((one - other)[inside].abs().max())


def test_padded_texts_of_other_lengths_get_the_vectors_of_transformers(theirs: nn.Module) -> None:
    assert apart(ours_of(theirs), theirs, 30) <= 1e-5


@pytest.mark.parametrize("name", ["student", "student-large"])
def test_shipped_weights_give_the_vectors_of_transformers(name: str) -> None:
    encoder = registry.load(name)
    assert isinstance(encoder, StudentEncoder)
    config, held = encoder._config, encoder.to_train().state_dict()
    ours, theirs = bare_model(config).eval(), empty_model(config).eval()
    theirs.pooler = None
    for model in (ours, theirs):
        model.load_state_dict(held, strict=True)
    assert isinstance(ours, Bert)
    assert apart(ours, theirs, 30_000) <= 1e-5


@torch.inference_mode()
def test_word_vectors_instead_of_ids_and_no_mask_give_the_vectors_of_transformers(theirs: nn.Module) -> None:
    ids, _ = batch(30)
    ours = ours_of(theirs)
    words = ours.get_input_embeddings()(ids)
    by_words, by_ids = ours(inputs_embeds=words), ours(ids)
    torch.testing.assert_close(by_words.last_hidden_state, by_ids.last_hidden_state)
    torch.testing.assert_close(by_ids.last_hidden_state, theirs(input_ids=ids).last_hidden_state, atol=1e-5, rtol=0)


def test_training_has_the_gradients_of_transformers(theirs: nn.Module) -> None:
    ids, inside = batch(30)
    ours = ours_of(theirs)
    for model in (ours, theirs):
        model.zero_grad()
        model(input_ids=ids, attention_mask=inside.long()).last_hidden_state[inside].square().sum().backward()
    wanted = dict(theirs.named_parameters())
    for name, part in ours.named_parameters():
        torch.testing.assert_close(part.grad, wanted[name].grad, atol=1e-3, rtol=1e-4, msg=name)


def test_only_training_drops_numbers(theirs: nn.Module) -> None:
    ours = Bert({**config_of(theirs), "hidden_dropout_prob": 0.5, "attention_probs_dropout_prob": 0.5})
    ours.load_state_dict(theirs.state_dict(), strict=True)
    ids, _ = batch(30)
    for training in (False, True):
        one, other = (ours.train(training)(ids).last_hidden_state for _ in range(2))
        assert torch.equal(one, other) is not training


def test_a_new_model_waits_for_weights_and_keeps_its_settings(theirs: nn.Module) -> None:
    made, settings = Bert(config_of(theirs)), config_of(theirs)
    assert not any(part.any() for name, part in made.state_dict().items() if "LayerNorm" not in name)
    assert all(part.requires_grad for part in made.parameters())
    assert config_of(made) == settings


def test_models_of_other_arithmetic_are_left_to_transformers(theirs: nn.Module) -> None:
    settings = config_of(theirs)
    assert is_plain(settings)
    for other in ({"model_type": "roberta"}, {"hidden_act": "relu"}, {"is_decoder": True}, {"hidden_size": None}):
        assert not is_plain({**settings, **other})
    relu = bare_model({**settings, "hidden_act": "relu"})
    assert not isinstance(relu, Bert)
    assert relu.pooler is None


@pytest.mark.parametrize("at_once", [1, 10_000, 1 << 20])
@pytest.mark.parametrize("is_padded", [True, False])
def test_attention_in_blocks_is_that_of_torch(at_once: int, is_padded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bert, "_SCORES_AT_ONCE", at_once)
    drawn = torch.randn(3, len(LENGTHS), 4, 33, 8, generator=torch.Generator().manual_seed(1))
    inside = torch.arange(33) < torch.tensor(LENGTHS)[:, None]
    seen = inside[:, None, None, :] if is_padded else None
    found = bert._in_blocks(*drawn, seen)
    torch.testing.assert_close(found, nn.functional.scaled_dot_product_attention(*drawn, attn_mask=seen))


def test_attention_in_blocks_withstands_texts_without_tokens() -> None:
    drawn = torch.randn(3, 2, 4, 5, 8)
    seen = torch.zeros(2, 1, 1, 5, dtype=torch.bool)
    seen[0] = True
    assert bool(bert._in_blocks(*drawn, seen).isfinite().all())
    assert bert._in_blocks(*drawn[:, :, :, :0], None).shape == (2, 4, 0, 8)


@torch.inference_mode()
def test_bfloat16_gives_the_vectors_of_float32_but_for_rounding(theirs: nn.Module) -> None:
    ours = ours_of(theirs)
    ids, inside = batch(30)
    found = [
        one(input_ids=ids, attention_mask=inside.long()).last_hidden_state[inside].float()
        for one in (ours, ours_of(theirs).bfloat16())
    ]
    assert 0 < float((found[0] - found[1]).abs().max()) < 0.1
