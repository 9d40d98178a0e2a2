"""The mean of word vectors: the contract, the arithmetic, and the vectors that ship."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.documents import Document
from engine.encoders.word2vec_mean import Word2vecMeanEncoder
from engine.errors import StorageError
from tests.contracts.encoder import SUBJECTS, EncoderContract


def small() -> Word2vecMeanEncoder:
    """Vectors where the words of one subject point the same way, and function words nowhere special."""
    generator = np.random.default_rng(5)
    words, vectors = [], []
    for subject in SUBJECTS.values():
        direction = generator.normal(size=12)
        for word in subject.split():
            words.append(word)
            vectors.append(direction + 0.2 * generator.normal(size=12))
    counts = np.arange(len(words), 0, -1)
    return Word2vecMeanEncoder(words, np.array(vectors, np.float16), counts, trained_on=("our own words",))


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Word2vecMeanEncoder:
        return small()


def test_a_row_is_the_mean_of_the_known_tokens_at_unit_length() -> None:
    vectors = np.array([[3, 0], [0, 1]], np.float16)
    encoder = Word2vecMeanEncoder(["boiler", "valve"], vectors, np.array([2, 1]))
    document = Document(id="a", title="Boiler and VALVE", abstract="The valve, the valve; unknown.")
    mean = np.array([3, 3]) / 4
    np.testing.assert_allclose(encoder.encode_documents([document]), [mean / np.linalg.norm(mean)], rtol=1e-6)


def test_other_vectors_give_another_fingerprint() -> None:
    words, counts = ["a", "b"], np.array([2, 1])
    first = Word2vecMeanEncoder(words, np.eye(2, dtype=np.float16), counts)
    second = Word2vecMeanEncoder(words, np.eye(2, dtype=np.float16) * 2, counts)
    third = Word2vecMeanEncoder(["a", "c"], np.eye(2, dtype=np.float16), counts)
    assert len({encoder.card.fingerprint for encoder in (first, second, third)}) == 3


def test_a_vector_too_few_is_told(tmp_path: Path) -> None:
    Word2vecMeanEncoder(["a", "b"], np.ones((1, 2), np.float16), np.ones(2, np.int64)).save(tmp_path / "saved")
    with pytest.raises(StorageError, match="found 2 words, 1 vectors and 2 counts"):
        Word2vecMeanEncoder.load(tmp_path / "saved")
