"""Words counted by hand, rows brought to unit length, and letter trigrams."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core.errors import NotFittedError
from engine.documents import Document, text
from engine.encoders.words import count_tokens, count_words, learn_words
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
