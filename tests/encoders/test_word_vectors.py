"""Word vectors on disk, and their means: the contract, the arithmetic, and the vectors that ship."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import StorageError
from engine.documents import Document
from engine.documents.text import tokens
from engine.encoders.base import Encoder
from engine.encoders.word_vectors import (
    Word2vecMeanEncoder,
    Word2vecSifEncoder,
    WordVectors,
    frequency_weights,
    log_frequency_weights,
    mean_occurrence,
)
from tests.contracts.encoder import SUBJECTS, EncoderContract

SHARES = np.array([0, 0.001, 0.009, 0.999])


def test_a_weight_is_a_thousandth_over_a_thousandth_and_the_share() -> None:
    np.testing.assert_allclose(frequency_weights(SHARES), [1, 1 / 2, 1 / 10, 1 / 1000])


def test_logarithms_are_those_of_the_weights_and_of_half_the_size() -> None:
    logs = log_frequency_weights(SHARES)
    assert (logs.dtype, logs[0]) == (np.float32, 0)
    np.testing.assert_allclose(np.exp(logs), frequency_weights(SHARES), rtol=1e-6)


def test_the_mean_occurrence_counts_a_word_as_often_as_it_stands() -> None:
    rows = np.array([[1, 0], [0, 2]], np.float32)
    for frequencies in (np.array([3.0, 1.0]), np.array([0.3, 0.1])):  # shares of the V words: 3/4, 1/4
        np.testing.assert_allclose(mean_occurrence(rows, None, frequencies), [0.75, 0.5])
        logs = np.log(np.array([0.5, 1], np.float32))
        np.testing.assert_allclose(mean_occurrence(rows, logs, frequencies), [0.375, 0.5])


def test_a_word_that_never_occurs_moves_no_mean() -> None:
    rows = np.array([[1, 0], [9, 9]], np.float32)
    frequencies = np.array([0.2, 0])
    found = mean_occurrence(rows, log_frequency_weights(frequencies), frequencies)
    np.testing.assert_allclose(found, [0.001 / 0.201, 0], rtol=1e-6)
    assert found.dtype == np.float32


def vectors_of(vectors: Mapping[str, Sequence[float]], counts: Sequence[int] | None = None) -> WordVectors:
    """Word vectors by word; without counts every word was seen once."""
    seen = np.array([1] * len(vectors) if counts is None else counts, np.int64)
    return WordVectors(list(vectors), np.array(list(vectors.values()), np.float16), seen, int(seen.sum()))


def by_subject() -> WordVectors:
    """Vectors where the words of one subject point the same way; function words have none."""
    generator = np.random.default_rng(5)
    vectors = {}
    for subject in SUBJECTS.values():
        direction = generator.normal(size=12)
        for word in subject.split():
            vectors[word] = direction + 0.2 * generator.normal(size=12)
    return vectors_of(vectors)


def test_everything_comes_back(tmp_path: Path) -> None:
    vectors = WordVectors(["a", "é"], np.eye(2, dtype=np.float16), np.array([5, 3]), 10, ("x",), {"seconds": 1.5})
    vectors.save(tmp_path / "saved")
    again = WordVectors.load(tmp_path / "saved")
    assert (again.words, again.tokens, again.trained_on, again.facts) == (["a", "é"], 10, ("x",), {"seconds": 1.5})
    np.testing.assert_array_equal(again.frequencies, [0.5, 0.3])
    assert again.card == vectors.card


def test_a_vector_too_few_is_told(tmp_path: Path) -> None:
    WordVectors(["a", "b"], np.ones((1, 2), np.float16), np.ones(2, np.int64), 2).save(tmp_path / "saved")
    with pytest.raises(StorageError, match="found 2 words, 1 vectors and 2 counts"):
        WordVectors.load(tmp_path / "saved")


class TestMeanContract(EncoderContract):
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


class TestSifContract(EncoderContract):
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
