"""Dense modules: as torch computes them, kept with the encoder, refused where they do not fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from engine.core.errors import EncoderError
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.encoders.model_folder import facts_of
from engine.encoders.sentence_transformer import ACTIVATIONS, SentenceTransformerEncoder
from tests.contracts.encoder import EncoderContract, corpus
from tests.encoders.tiny_sentences import write

TWO = ("Transformer", "Pooling", "Dense", "Dense", "Normalize")


def two_layers(folder: Path, activation: str = "Tanh") -> Path:
    return write(folder, modules=TWO, dense={2: (32, 48, "Identity"), 3: (48, 24, activation)})


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self, tmp_path_factory: pytest.TempPathFactory) -> Encoder:
        folder = two_layers(tmp_path_factory.mktemp("dense") / "model")
        return SentenceTransformerEncoder.open(folder, precision="float32")


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_rows_go_through_the_layers_as_torch_computes_them(activation: str, tmp_path: Path) -> None:
    folder = two_layers(tmp_path / "model", activation)
    plain = SentenceTransformerEncoder.open(
        write(tmp_path / "plain", modules=TWO[:2], whole={"similarity_fn_name": "dot"}), precision="float32"
    )
    rows = torch.from_numpy(plain.encode_documents(corpus()))
    for place, name in (("2_Dense", "Identity"), ("3_Dense", activation)):
        arrays = load_file(folder / place / "model.safetensors")
        made = torch.nn.functional.linear(rows, arrays["linear.weight"], arrays["linear.bias"])
        rows = getattr(torch.nn, name)()(made)
    expected = torch.nn.functional.normalize(rows).numpy()
    found = SentenceTransformerEncoder.open(folder, precision="float32")
    assert found.card.dim == 24 == facts_of(folder).dim
    np.testing.assert_allclose(found.encode_documents(corpus()), expected, atol=1e-5)


def test_another_layer_makes_another_fingerprint(tmp_path: Path) -> None:
    one, other = (two_layers(tmp_path / name, name) for name in ("Tanh", "ReLU"))
    fingerprints = {SentenceTransformerEncoder.open(folder).card.fingerprint for folder in (one, other)}
    path = one / "3_Dense" / "model.safetensors"
    arrays = load_file(path)
    save_file({**arrays, "linear.bias": arrays["linear.bias"] + 1}, path)
    fingerprints.add(SentenceTransformerEncoder.open(one).card.fingerprint)
    assert len(fingerprints) == 3


def test_weights_of_16_bits_and_without_a_bias_are_read(tmp_path: Path) -> None:
    folder = two_layers(tmp_path / "model")
    path = folder / "3_Dense" / "model.safetensors"
    save_file({"linear.weight": load_file(path)["linear.weight"].bfloat16()}, path)
    encoder = SentenceTransformerEncoder.open(folder, precision="float32")
    encoder.save(tmp_path / "kept")
    again = registry.load_folder(tmp_path / "kept")
    np.testing.assert_allclose(again.encode_documents(corpus()), encoder.encode_documents(corpus()), atol=1e-6)


def _pickled(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def _narrow(folder: Path) -> None:
    save_file({"linear.weight": torch.zeros(24, 7)}, folder / "model.safetensors")


def _strange(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "activation_function": "os.system"}))


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (_pickled, "Take a version of the model with safetensors"),
        (_narrow, "Expected a matrix for rows of 48 numbers in .*, got 24x7"),
        (_strange, "Expected an activation among Identity, .*, got 'os.system'"),
    ],
)
def test_a_layer_that_cannot_be_read_is_told(harm: Callable[[Path], None], said: str, tmp_path: Path) -> None:
    folder = two_layers(tmp_path / "model")
    harm(folder / "3_Dense")
    with pytest.raises(EncoderError, match=said):
        SentenceTransformerEncoder.open(folder)
