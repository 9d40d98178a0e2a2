"""S-BERT on a tiny transformer: its arithmetic, what it learns, and the encoder that a training gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from engine.core.config import from_mapping, with_settings
from engine.core.errors import EncoderError
from engine.documents import Document
from engine.encoders import TransformerMeanEncoder, registry, storage
from engine.research.matchers import trainer
from engine.research.matchers.networks import encode_reads
from engine.research.matchers.trainer import SBertRecipe, SBertStart
from engine.training import Folders
from tests.contracts.encoder import EMPTY, corpus
from tests.training.long import write_long_data


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_long_data(tmp_path_factory.mktemp("s-bert") / "data")


def recipe(data: Path, *settings: str) -> SBertRecipe:
    values: dict[str, Any] = {
        "method": "s-bert",
        "device": "cpu",
        "data": {"corpora": ["ours"]},
        "network": {"source": str(data / "tiny"), "max_tokens": 16},
        "optimizer": {"learning_rate": 0.003, "batch": 12},
        "schedule": {"epochs": 6},
    }
    made: SBertRecipe = from_mapping(with_settings(values, settings), SBertRecipe, origin="test")
    return made


def train(data: Path, run: Path, *settings: str, resume: bool = False) -> TransformerMeanEncoder:
    encoder = trainer.train(recipe(data, *settings), Folders(data, run, run / "cache"), resume=resume)
    assert isinstance(encoder, TransformerMeanEncoder)
    return encoder


@torch.inference_mode()
def test_untrained_it_is_the_mean_of_the_first_token_vectors(data: Path) -> None:
    start = SBertStart.of(recipe(data))
    documents = [*corpus()[:5], EMPTY]
    rows = encode_reads(start.network, [start.read(document) for document in documents]).numpy()
    wanted = TransformerMeanEncoder.open(data / "tiny", max_tokens=16, precision="float32").encode_documents(documents)
    np.testing.assert_allclose(rows[:5] / np.linalg.norm(rows[:5], axis=1, keepdims=True), wanted[:5], atol=1e-5)
    assert not rows[5].any()


def test_it_learns_two_subjects_and_is_read_like_any_transformer(data: Path, tmp_path: Path) -> None:
    encoder = train(data, tmp_path / "run")
    curve = encoder.facts["curve"]
    assert curve[-1]["loss"] < 0.6 * curve[0]["loss"]
    assert curve[encoder.facts["best_epoch"] - 1]["scores"]["ours"] >= 0.9
    assert (encoder.facts["documents"], encoder.facts["pairs"]) == (14, 24)
    assert encoder.card.max_tokens == 16 and encoder.card.trained_on == ("tiny", "ours")
    before = TransformerMeanEncoder.open(data / "tiny", max_tokens=16)
    assert encoder.card.fingerprint != before.card.fingerprint
    encoder.save(tmp_path / "out")
    again = registry.load_folder(tmp_path / "out")
    np.testing.assert_array_equal(again.encode_documents(corpus()), encoder.encode_documents(corpus()))
    assert again.card == encoder.card
    assert isinstance(again, TransformerMeanEncoder) and again.facts == encoder.facts
    assert storage.read_head(tmp_path / "out")[1]["method"] == TransformerMeanEncoder.method


def test_a_run_follows_from_its_seed_and_goes_on_as_it_was(data: Path, tmp_path: Path) -> None:
    settings = ["optimizer.word_dropout=0.3", "schedule.epochs=2"]
    whole = train(data, tmp_path / "whole", *settings)
    train(data, tmp_path / "half", settings[0], "schedule.epochs=1")
    torch.manual_seed(9)
    resumed = train(data, tmp_path / "half", *settings, resume=True)
    assert resumed.card.fingerprint == whole.card.fingerprint
    run = json.loads((tmp_path / "half" / "run.json").read_text())
    assert run["recipe"]["network"]["max_tokens"] == 16
    assert list(run["sources"]) == ["network.source"]


def test_what_stands_behind_the_first_tokens_is_not_read(data: Path) -> None:
    start = SBertStart.of(recipe(data))
    words = corpus()[0].text.split()
    first, longer = (Document("a", abstract=" ".join(one)) for one in (words, words * 3))
    assert len(start.read(first)) == 16
    np.testing.assert_array_equal(start.read(first).numbers[:15], start.read(longer).numbers[:15])


def test_a_transformer_that_is_not_there_or_too_short_is_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="to be a folder of a transformers model"):
        SBertStart.of(recipe(data, f"network.source={tmp_path / 'none'}"))
    with pytest.raises(EncoderError, match="Expected max_tokens between 1 and 64"):
        SBertStart.of(recipe(data, "network.max_tokens=65"))
