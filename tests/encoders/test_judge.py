"""The judge of passages: its network, what is kept of it, and what it reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from engine.core.errors import EncoderError, StorageError
from engine.encoders.judge import AlignmentNetwork, Judge, JudgeSettings, Tokens, TokenVectors, rarity
from engine.encoders.transformer import Transformer
from tests.encoders.tiny_transformer import write_tiny_transformer

TEXTS = ("kites fly in the wind", "the wind carries a kite", "steel boilers burn coal and make steam for engines")


@pytest.fixture
def transformer(tmp_path: Path) -> Transformer:
    return Transformer.open(write_tiny_transformer(tmp_path / "tiny"), precision="float32")


def made(transformer: Transformer) -> Judge:
    torch.manual_seed(1)
    settings = JudgeSettings("f" * 16, transformer.dim, dim=8, vocabulary=int(transformer.config["vocab_size"]))
    return Judge(AlignmentNetwork(settings), settings, transformer)


def test_each_pair_has_its_logit_whatever_else_is_asked(transformer: Transformer) -> None:
    judge, pairs = made(transformer), [(0, 0), (0, 1), (1, 0), (1, 1)]
    together = judge.judge(TEXTS[:2], TEXTS[1:], pairs)
    alone = [judge.judge([TEXTS[:2][one]], [TEXTS[1:][other]], [(0, 0)])[0] for one, other in pairs]
    assert together == pytest.approx(alone, abs=1e-5)
    assert len(set(together.round(6).tolist())) == 4


def test_a_judge_is_kept_and_judges_as_before(transformer: Transformer, tmp_path: Path) -> None:
    judge = made(transformer)
    judge.save(tmp_path / "kept", {"epochs": 1})
    again = Judge.load(tmp_path / "kept", transformer, "f" * 16)
    asked = (TEXTS, TEXTS, [(0, 1), (2, 0)])
    assert again.judge(*asked) == pytest.approx(judge.judge(*asked), abs=2e-2)


def test_another_encoder_and_a_damaged_folder_are_refused(transformer: Transformer, tmp_path: Path) -> None:
    made(transformer).save(tmp_path / "kept", {})
    with pytest.raises(EncoderError, match="Expected the encoder of passages ffffffffffffffff"):
        Judge.load(tmp_path / "kept", transformer, "a" * 16)
    (tmp_path / "kept" / "weights.safetensors").write_bytes(b"x")
    with pytest.raises(StorageError):
        Judge.load(tmp_path / "kept", transformer, "f" * 16)


def test_a_text_without_words_is_judged_all_the_same(transformer: Transformer) -> None:
    assert np.isfinite(made(transformer).judge(["", TEXTS[0]], [""], [(0, 0), (1, 0)])).all()


def test_padding_is_never_a_counterpart() -> None:
    settings = JudgeSettings("f" * 16, 4, dim=4, vocabulary=10)
    torch.manual_seed(2)
    network = AlignmentNetwork(settings).eval()
    asked = TokenVectors(torch.tensor([1, 2]), torch.randn(2, 4))
    short, long = (TokenVectors(torch.arange(1, n + 1), torch.randn(n, 4)) for n in (2, 7))
    with torch.inference_mode():
        alone = network(Tokens.of([asked]), Tokens.of([short]))[0]
        beside = network(Tokens.of([asked, long]), Tokens.of([short, long]))[0]
    assert float(beside[0]) == pytest.approx(float(alone[0]), abs=1e-5)


def test_a_token_of_every_text_tells_least() -> None:
    found = rarity([[1, 2], [1, 3], [1, 3]], 5)
    assert found[1] < found[3] < found[2] < found[4]
