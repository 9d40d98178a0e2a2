"""Long documents for CoLDE, and the chunks that a frozen transformer makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer

from engine.encoders import Transformer
from engine.encoders.colde import Backbone, Cutter
from engine.training.colde.chunks import KeptChunks, read_chunk_vectors
from engine.training.colde.trainer import Untrained
from engine.training.long_corpus import LongCorpus, read_long_corpora
from tests.training.long import recipe, write_long_data


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_long_data(tmp_path_factory.mktemp("long"))


@pytest.fixture(scope="module")
def corpus(data: Path) -> LongCorpus:
    return read_long_corpora(["ours", "more"], data)


@pytest.fixture(scope="module")
def reader(data: Path) -> tuple[Backbone, Cutter]:
    opened = Transformer.open(data / "tiny", precision="float32")
    modules = Untrained.of(recipe(data)).modules
    backbone = modules["backbone"]
    assert isinstance(backbone, Backbone)
    return backbone.eval(), Cutter(Tokenizer.from_str(opened.tokenizer), 8)


@pytest.fixture(scope="module")
def kept(corpus: LongCorpus, reader: tuple[Backbone, Cutter], tmp_path_factory: pytest.TempPathFactory) -> KeptChunks:
    cache = tmp_path_factory.mktemp("chunks")
    return KeptChunks(read_chunk_vectors(corpus.documents, reader, sections=1, cache=cache), torch.device("cpu"))
