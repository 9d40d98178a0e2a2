"""The mean of a transformer's chunk vectors: the contract and the arithmetic."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.documents import Document, Section
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.encoders.transformer_mean import TransformerChunksEncoder, TransformerMeanEncoder
from tests.contracts.encoder import EncoderContract, corpus
from tests.encoders.tiny_transformer import write_tiny_transformer


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_transformer(tmp_path_factory.mktemp("tiny") / "model")


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self, tiny: Path) -> Encoder:
        return TransformerChunksEncoder.open(tiny, max_tokens=8, precision="float32")


def test_a_row_is_the_mean_of_its_chunks_rows(tiny: Path) -> None:
    chunks = TransformerChunksEncoder.open(tiny, max_tokens=8, precision="float32")
    first = TransformerMeanEncoder.open(tiny, max_tokens=8, precision="float32")
    words = corpus()[0].text.replace(".", "").split()[:15]  # chunks of six words, two of six and one of three
    parts = [Document(str(number), abstract=" ".join(words[number : number + 6])) for number in (0, 6, 12)]
    whole = Document("whole", sections=(Section("One", " ".join(words[:5])), Section("Two", " ".join(words[5:]))))
    mean = first.encode_documents(parts).mean(axis=0)
    np.testing.assert_allclose(chunks.encode_documents([whole])[0], mean / np.linalg.norm(mean), atol=1e-6)


def test_a_short_text_is_read_as_its_first_tokens_are(tiny: Path) -> None:
    chunks = TransformerChunksEncoder.open(tiny, max_tokens=60, precision="float32")
    first = TransformerMeanEncoder.open(tiny, max_tokens=60, precision="float32")
    short = [Document(document.id, sections=document.sections) for document in corpus()]
    np.testing.assert_allclose(chunks.encode_documents(short), first.encode_documents(short), atol=1e-6)


def test_the_card_says_that_all_is_read_and_a_folder_keeps_the_chunks_length(tiny: Path, tmp_path: Path) -> None:
    chunks = TransformerChunksEncoder.open(tiny, max_tokens=8, precision="float32")
    assert chunks.card.max_tokens is None
    assert (
        chunks.card.fingerprint != TransformerMeanEncoder.open(tiny, max_tokens=8, precision="float32").card.fingerprint
    )
    chunks.save(tmp_path / "kept")
    again = registry.load_folder(tmp_path / "kept")
    assert isinstance(again, TransformerChunksEncoder)
    np.testing.assert_array_equal(again.encode_documents(corpus()), chunks.encode_documents(corpus()))


def test_operations_count_every_chunk(tiny: Path) -> None:
    chunks = TransformerChunksEncoder.open(tiny, max_tokens=8, precision="float32")
    first = TransformerMeanEncoder.open(tiny, max_tokens=8, precision="float32")
    assert chunks.operations(corpus()[:3]) > 2 * first.operations(corpus()[:3])
