"""Smooth inverse frequency: the contract, and the arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from engine.documents import Document
from engine.encoders.base import Encoder
from engine.encoders.word_vectors import Word2vecMeanEncoder, Word2vecSifEncoder
from tests.contracts.encoder import EncoderContract
from tests.encoders.test_word_vectors import by_subject, vectors_of


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return Word2vecSifEncoder(by_subject())


def test_a_frequent_word_turns_the_row_less_than_a_rare_one() -> None:
    vectors = vectors_of({"the": [1, 0], "boiler": [0, 1], "valve": [0, -1]}, counts=[990, 5, 5])
    document = Document(id="a", title="the boiler")
    plain, weighted = (
        kind(vectors).encode_documents([document])[0] for kind in (Word2vecMeanEncoder, Word2vecSifEncoder)
    )
    np.testing.assert_allclose(plain, [np.sqrt(0.5)] * 2, rtol=1e-6)
    assert weighted[1] > 0.9


def test_a_word_is_weighed_as_the_paper_says_and_moved_by_the_mean() -> None:
    vectors = vectors_of({"a": [1, 0], "b": [0, 1]}, counts=[999, 1])
    shares = np.array([0.999, 0.001])
    weights = 1e-3 / (1e-3 + shares)
    mean = (weights * shares) @ np.eye(2) / (weights * shares).sum()
    np.testing.assert_allclose(
        Word2vecSifEncoder.word_rows(vectors), weights[:, None] * (np.eye(2) - mean), rtol=1e-5, atol=1e-9
    )


def test_its_fingerprint_is_not_the_plain_means() -> None:
    vectors = by_subject()
    assert Word2vecSifEncoder(vectors).card.fingerprint != Word2vecMeanEncoder(vectors).card.fingerprint
