"""Folders of tiny sentence encoders."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from tests.encoders.tiny_transformer import write_tiny_transformer

USUAL = ("Transformer", "Pooling", "Normalize")


def write(
    folder: Path,
    *,
    modules: tuple[str, ...] = USUAL,
    within: str = "",
    pooling: object = None,
    lengths: object = None,
    whole: object = None,
    dense: Mapping[int, tuple[int, int, str]] | None = None,
) -> Path:
    """Write a sentence-transformers folder around the tests' transformer.

    `dense` gives the numbers in and out and the activation of each Dense module, by its place among the modules.
    """
    dense = dense or {}
    write_tiny_transformer(folder / within)
    paths = {"Transformer": within}
    listed = [
        {"idx": number, "name": str(number), "type": f"sentence_transformers.models.{name}"}
        | {"path": paths.get(name, f"{number}_{name}")}
        for number, name in enumerate(modules)
    ]
    (folder / "modules.json").write_text(json.dumps(listed))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling or {"pooling_mode_mean_tokens": True}))
    (folder / within / "sentence_bert_config.json").write_text(json.dumps(lengths or {"max_seq_length": 40}))
    if whole is not None:
        (folder / "config_sentence_transformers.json").write_text(json.dumps(whole))
    for number, name in enumerate(modules):
        if name == "Dense":
            _write_dense(folder / f"{number}_Dense", *dense[number])
    return folder


def _write_dense(folder: Path, given: int, made: int, activation: str) -> None:
    """A Dense module with drawn weights."""
    from safetensors.numpy import save_file

    folder.mkdir()
    names = {"in_features": given, "out_features": made, "bias": True}
    config = {**names, "activation_function": f"torch.nn.modules.activation.{activation}"}
    (folder / "config.json").write_text(json.dumps(config))
    drawn = np.random.default_rng(given * made)
    arrays = {
        "linear.weight": drawn.normal(size=(made, given)) / given**0.5,
        "linear.bias": drawn.normal(size=made) / 9,
    }
    save_file({name: array.astype(np.float32) for name, array in arrays.items()}, folder / "model.safetensors")
