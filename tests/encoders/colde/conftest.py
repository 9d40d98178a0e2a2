"""A small transformer that the tests of CoLDE share."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.encoders.colde.encoder import ColdeEncoder
from engine.encoders.colde.network import Backbone
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A `transformers` folder with two small layers that knows the words of the contract's corpus."""
    return write_tiny_transformer(tmp_path_factory.mktemp("transformer") / "model")


@pytest.fixture(scope="session")
def colde(folder: Path) -> ColdeEncoder:
    """An untrained encoder with chunks of 16 tokens; an encoder is never changed by its use."""
    return tiny.encoder(folder)


@pytest.fixture(scope="session")
def placed(folder: Path) -> ColdeEncoder:
    """The same, its section and chunk embeddings drawn, as training would move them."""
    return tiny.placed(folder)


@pytest.fixture(scope="module")
def backbone(folder: Path) -> Backbone:
    """The transformer with drawn section and chunk embeddings."""
    return tiny.backbone(folder, moved=1.0)
