"""Random rows: the contract, but for what chance cannot do, and a row of one's own for every name."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core.errors import NotFittedError
from engine.documents import Document
from engine.encoders import Encoder, Word2vecMeanEncoder
from engine.research.baselines.random_rows import RandomEncoder, drawn, random_words
from tests.contracts.encoder import EMPTY, EncoderContract, corpus


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return RandomEncoder()

    def test_the_inner_product_puts_the_same_subject_first(self, encoder: Encoder) -> None:
        """Not by chance: one document in four is of the same subject."""
        documents = corpus()
        rows = np.asarray(encoder.encode_documents(documents))
        scores = rows @ rows.T
        np.fill_diagonal(scores, -np.inf)
        subjects = np.array([document.id.rstrip("0123456789") for document in documents])
        same = subjects[scores.argmax(axis=1)] == subjects
        assert np.mean(same) < 0.5

    def test_the_reference_list_is_not_read(self, encoder: Encoder) -> None:
        """No text is: a row is its id's."""
        other = Document(EMPTY.id, title="Boiler valve")
        np.testing.assert_array_equal(encoder.encode_documents([EMPTY]), encoder.encode_documents([other]))


def test_rows_are_drawn_uniformly_and_differ() -> None:
    rows = drawn([str(number) for number in range(400)], 100)
    assert abs(rows.mean()) < 0.02
    assert -1 <= rows.min() < -0.99 and 0.99 < rows.max() <= 1
    counts, _ = np.histogram(rows, 10, (-1, 1))
    np.testing.assert_allclose(counts, rows.size / 10, rtol=0.06)
    assert len(np.unique(rows[:, 0])) == 400


def test_a_name_always_gets_the_same_row() -> None:
    np.testing.assert_array_equal(drawn(["a", "b"], 8)[1], drawn(["b"], 8)[0])
    assert drawn([], 8).shape == (0, 8)


def test_random_words_average_to_counts_seen_through_a_random_projection() -> None:
    documents = [Document("x", title="valve valve boiler"), Document("y", title="gene")]
    vectors = random_words(documents, dim=50)
    assert (list(vectors.words), vectors.counts.tolist(), vectors.tokens) == (["valve", "boiler", "gene"], [2, 1, 1], 4)
    expected = np.array([2, 1]) @ drawn(["valve", "boiler"], 50)
    row = Word2vecMeanEncoder(vectors).encode_documents(documents)[0]
    np.testing.assert_allclose(row, expected / np.linalg.norm(expected), atol=1e-3)


def test_a_corpus_without_words_is_refused() -> None:
    with pytest.raises(NotFittedError, match="Expected documents with words to learn from"):
        random_words([EMPTY])
