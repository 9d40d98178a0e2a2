"""A small transformer that several tests of CTPE read by."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.encoders.ctpe.embeddings import TransformerTokens
from engine.encoders.transformer import Transformer
from tests.encoders.tiny_transformer import write_tiny_transformer


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_transformer(tmp_path_factory.mktemp("tiny") / "model")


@pytest.fixture
def tokens(folder: Path) -> TransformerTokens:
    return TransformerTokens(Transformer.open(folder, precision="float32"))
