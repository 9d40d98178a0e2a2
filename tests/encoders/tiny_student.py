"""A tiny student."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from numpy.typing import NDArray

from engine.encoders.module_weights import RUNS
from engine.encoders.student.encoder import StudentEncoder
from engine.encoders.student.settings import StudentSettings
from engine.encoders.transformer import Transformer, bare_model
from tests.encoders.tiny_transformer import write_tiny_transformer


@cache
def teacher() -> Transformer:
    with TemporaryDirectory() as folder:
        return Transformer.open(write_tiny_transformer(Path(folder)), precision="float32")


def tiny(settings: StudentSettings | None = None) -> StudentEncoder:
    import torch

    model = bare_model(teacher().config)
    model.load_state_dict({name: torch.from_numpy(teacher().arrays[name]) for name in model.state_dict()})
    return StudentEncoder.of(model, teacher().tokenizer, settings or StudentSettings(max_tokens=64))


def weights(encoder: StudentEncoder) -> dict[str, NDArray[Any]]:
    """What an encoder stores, by name: numbers in float32, those kept as bytes made numbers again."""
    model = bare_model(teacher().config)
    RUNS.fill(model, encoder._arrays)
    return {name: part.numpy() for name, part in model.state_dict().items()}
