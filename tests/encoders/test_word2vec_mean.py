"""The mean of word vectors: the contract, the arithmetic, and the vectors that ship."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine.documents import Document
from engine.documents.text import tokens
from engine.encoders.base import Encoder
from engine.encoders.word_vectors import Word2vecMeanEncoder
from tests.contracts.encoder import EncoderContract
from tests.encoders.test_word_vectors import by_subject, vectors_of


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return Word2vecMeanEncoder(by_subject())


def test_a_row_is_the_mean_of_the_known_tokens_at_unit_length() -> None:
    encoder = Word2vecMeanEncoder(vectors_of({"boiler": [3, 0], "valve": [0, 1]}))
    document = Document(id="a", title="Boiler and VALVE", abstract="The valve, the valve; unknown.")
    mean = np.array([3, 3]) / 4
    np.testing.assert_allclose(encoder.encode_documents([document]), [mean / np.linalg.norm(mean)], rtol=1e-6)


def test_tokens_give_the_rows_of_their_texts() -> None:
    vectors = by_subject()
    encoder = Word2vecMeanEncoder(vectors)
    drawn = random.Random(0)
    texts = ["", "unknown only", *(" ".join(drawn.choices([*vectors.words, "unknown"], k=n)) for n in (1, 5, 80))]
    rows = encoder.encode_documents([Document(id=f"{place}", abstract=text) for place, text in enumerate(texts)])
    assert np.array_equal(encoder.encode_tokens(map(tokens, texts)), rows) and rows[2:].any(axis=1).all()


def test_other_vectors_give_another_fingerprint() -> None:
    kinds = (vectors_of({"a": [1, 0]}), vectors_of({"a": [2, 0]}), vectors_of({"b": [1, 0]}))
    assert len({Word2vecMeanEncoder(vectors).card.fingerprint for vectors in kinds}) == 3
