"""Folders of tiny sentence encoders."""

from __future__ import annotations

import json
from pathlib import Path

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
) -> Path:
    """Write a sentence-transformers folder around the tests' transformer."""
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
    return folder
