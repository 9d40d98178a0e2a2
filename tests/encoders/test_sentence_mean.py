"""The mean of sentence rows: the contract, the arithmetic, and what cannot be read so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EncoderError, StorageError
from engine.documents import Document
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.encoders.sentence_mean import SentenceMeanEncoder
from engine.encoders.transformer_mean import TransformerMeanEncoder
from engine.encoders.word_vectors import Word2vecMeanEncoder
from engine.research.baselines.random_rows import random_words
from tests.contracts.encoder import EMPTY, FOREIGN, EncoderContract, corpus
from tests.encoders.tiny_transformer import write_tiny_transformer


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return SentenceMeanEncoder(Word2vecMeanEncoder(random_words(corpus())))


def test_a_row_is_the_mean_of_its_sentences_rows() -> None:
    inner = Word2vecMeanEncoder(random_words(corpus()))
    document = Document("d", title="Boiler of a valve", abstract="The gene. The gene is a cell and an enzyme.")
    sentences = ["Boiler of a valve", "The gene.", "The gene is a cell and an enzyme."]
    rows = inner.encode_documents([Document(str(place), abstract=text) for place, text in enumerate(sentences)])
    mean = rows.mean(axis=0)
    (found,) = SentenceMeanEncoder(inner).encode_documents([document])
    np.testing.assert_allclose(found, mean / np.linalg.norm(mean), atol=1e-6)
    assert not np.allclose(found, inner.encode_documents([document])[0], atol=1e-3)


def test_texts_without_a_sentence_or_a_word_are_zeros_among_others() -> None:
    encoder = SentenceMeanEncoder(Word2vecMeanEncoder(random_words(corpus())))
    rows = encoder.encode_documents([EMPTY, *(corpus() * 2), FOREIGN])
    assert rows.shape[0] == 82
    assert not rows[[0, -1]].any()
    np.testing.assert_allclose(np.linalg.norm(rows[1:-1], axis=1), 1, atol=1e-5)


def test_a_transformers_sentences_come_back_from_a_folder(tmp_path: Path) -> None:
    inner = TransformerMeanEncoder.open(write_tiny_transformer(tmp_path / "tiny"), max_tokens=40, precision="float32")
    encoder = SentenceMeanEncoder(inner)
    encoder.save(tmp_path / "kept")
    again = registry.load_folder(tmp_path / "kept")
    assert again.card == encoder.card
    np.testing.assert_array_equal(again.encode_documents(corpus()[:3]), encoder.encode_documents(corpus()[:3]))


def test_another_encoder_within_a_folder_is_told(tmp_path: Path) -> None:
    encoder = SentenceMeanEncoder(Word2vecMeanEncoder(random_words(corpus())))
    encoder.save(tmp_path / "kept")
    Word2vecMeanEncoder(random_words(corpus()[:20])).save(tmp_path / "kept" / "encoder")
    with pytest.raises(StorageError, match=r"Expected the encoder sentence-mean saved in .*, found another within it"):
        SentenceMeanEncoder.load(tmp_path / "kept")


@pytest.mark.parametrize("name", ["tfidf", "ctpe"])
def test_an_encoder_that_reads_no_single_sentence_is_refused(name: str) -> None:
    inner = registry.fit(name, corpus()) if registry.find(name).learns else registry.load(name)
    with pytest.raises(EncoderError, match=f"reads single sentences, got {name}"):
        SentenceMeanEncoder(inner)
