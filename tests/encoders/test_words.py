"""Words counted by hand, rows brought to unit length, and letter trigrams."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.core.errors import NotFittedError
from engine.documents import Document, text
from engine.encoders.words import (
    count_tokens,
    count_words,
    learn_words,
    most_frequent,
    trigrams,
    unit_length,
    unit_length_sparse,
)
from tests.contracts.encoder import EMPTY, corpus

COLUMNS = {"valve": 0, "gene": 1, "boiler": 2}
DOCUMENTS = [
    Document("a", title="Boiler", abstract="A valve on a boiler."),
    EMPTY,
    Document("c", title="unknown words"),
]


def test_each_known_word_is_counted_in_its_column() -> None:
    rows = count_words(DOCUMENTS, COLUMNS)
    assert rows.toarray().tolist() == [[1, 0, 2], [0, 0, 0], [0, 0, 0]]
    assert (rows.dtype, rows.nnz) == (np.float32, 2)
    assert count_words([], COLUMNS).shape == (0, 3)


def test_tokens_are_counted_as_the_words_of_a_document_are() -> None:
    documents = [*corpus(), *DOCUMENTS]
    columns = {word: column for column, word in enumerate(learn_words(documents[:20])[0])}
    words = count_words(documents, columns)
    tokens = count_tokens([text.tokens(document.text) for document in documents], columns)
    assert (words != tokens).nnz == 0
    assert count_tokens([["gene", "gene"], []], COLUMNS).toarray().tolist() == [[0, 2, 0], [0, 0, 0]]
    assert count_tokens([], COLUMNS).shape == (0, 3)


def test_words_are_learnt_in_alphabetical_order_whatever_the_documents_order() -> None:
    words, rows = learn_words(DOCUMENTS)
    assert words == ["a", "boiler", "on", "unknown", "valve", "words"]
    assert rows.toarray().tolist() == [[2, 2, 1, 0, 1, 0], [0] * 6, [0, 0, 0, 1, 0, 1]]
    assert rows.has_sorted_indices
    again, turned = learn_words(DOCUMENTS[::-1])
    assert again == words
    assert turned.toarray().tolist() == rows.toarray().tolist()[::-1]


@pytest.mark.parametrize("documents", [[], [EMPTY], [Document("n", abstract="... !")]])
def test_a_corpus_without_words_teaches_nothing(documents: list[Document]) -> None:
    message = r"Expected documents with words to learn from, got none\. Import documents first\."
    with pytest.raises(NotFittedError, match=message):
        learn_words(documents)


def test_a_row_is_divided_by_its_length_and_zeros_stay() -> None:
    rows = np.array([[3, 4], [0, 0], [0, -2]], np.float32)
    for given, found in ((rows, unit_length(rows)), (csr_array(rows), unit_length_sparse(csr_array(rows)).toarray())):
        np.testing.assert_allclose(found, [[0.6, 0.8], [0, 0], [0, -1]], rtol=1e-6)
        assert found.dtype == np.float32
        assert given[[0]].sum() == 7, "the rows that were given stay as they are"
    assert unit_length(rows[:0]).shape == (0, 2)
    assert unit_length_sparse(csr_array(rows[:0])).shape == (0, 2)


def test_many_small_numbers_lose_no_length() -> None:
    rows = np.full((1, 100_000), 1e-3, np.float32)
    for found in (unit_length(rows), unit_length_sparse(csr_array(rows)).toarray()):
        np.testing.assert_allclose(np.linalg.norm(found.astype(np.float64), axis=1), 1, atol=1e-4)


def test_trigrams_stand_between_marks() -> None:
    assert trigrams("boy") == ["#bo", "boy", "oy#"]
    assert trigrams("a") == ["#a#"]
    assert trigrams("anana") == ["#an", "ana", "nan", "ana", "na#"]


def test_the_most_frequent_come_first_and_equals_by_the_alphabet() -> None:
    assert most_frequent({"b": 2, "a": 2, "c": 5, "d": 1}, 3) == ("c", "a", "b")
    assert most_frequent({"b": 2}, 3) == ("b",)
