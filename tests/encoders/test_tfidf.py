"""TF-IDF and LSA: the contract, their numbers against scikit-learn's, and words counted by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import NotFittedError, StorageError
from engine.documents import Document, text
from engine.encoders.lsa import LsaEncoder
from engine.encoders.tfidf import TfidfEncoder, count_tokens, count_words, learn_words
from tests.contracts.encoder import EMPTY, FittedEncoderContract, corpus

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


class TestContract(FittedEncoderContract):
    method = TfidfEncoder


def test_rows_are_those_of_scikit_learn() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    documents = corpus()
    reference = TfidfVectorizer(analyzer=text.tokens).fit(document.text for document in documents)
    encoder = TfidfEncoder.fit(documents)
    assert list(encoder.words) == list(reference.get_feature_names_out())
    np.testing.assert_allclose(
        encoder.encode_documents(documents).toarray(),
        reference.transform(document.text for document in documents).toarray(),
        atol=1e-6,
    )


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    documents = [Document(id=str(number), title="common " + "rare" * (number == 0)) for number in range(9)]
    encoder = TfidfEncoder.fit(documents)
    weights = dict(zip(encoder.words, encoder.idf.tolist(), strict=True))
    assert weights["rare"] == pytest.approx(np.log(10 / 2) + 1)
    assert weights["common"] == pytest.approx(1)


def test_a_weight_too_few_is_told(tmp_path: Path) -> None:
    TfidfEncoder(["a", "b"], np.ones(1, np.float32)).save(tmp_path / "saved")
    with pytest.raises(StorageError, match="found 1 weights and 2 words"):
        TfidfEncoder.load(tmp_path / "saved")


def test_a_foreign_folder_is_told(tmp_path: Path) -> None:
    files.write_json(tmp_path / "card.json", {"format": 99})
    with pytest.raises(StorageError, match="Expected an encoder of format 1"):
        TfidfEncoder.load(tmp_path)


def test_a_card_with_a_wrong_field_is_told(tmp_path: Path) -> None:
    TfidfEncoder.fit(corpus()).save(tmp_path / "saved")
    value = files.read_json(tmp_path / "saved" / "card.json")
    value["card"]["dim"] = "wide"
    files.write_json(tmp_path / "saved" / "card.json", value)
    with pytest.raises(StorageError, match=r"dim must be int, got 'wide'"):
        TfidfEncoder.load(tmp_path / "saved")


class TestLsaContract(FittedEncoderContract):
    method = LsaEncoder


def test_words_that_never_meet_are_near_through_a_third() -> None:
    titles = ["boiler kettle", "kettle cauldron"] * 2 + [f"filler{n} subject{n}" for n in range(99)] * 3
    encoder = LsaEncoder.fit([Document(id=str(number), title=title) for number, title in enumerate(titles)])
    boiler, cauldron, filler = (Document(id=word, title=word) for word in ("boiler", "cauldron", "filler1"))
    near, far = (encoder.encode_queries([boiler]) @ encoder.encode_documents([cauldron, filler]).T)[0]
    assert near > far + 0.9


def test_a_small_corpus_gives_fewer_dimensions_and_a_larger_one_a_hundred() -> None:
    assert LsaEncoder.fit(corpus()[:7]).card.dim <= 7
    generator = np.random.default_rng(0)
    many = [Document(id=str(n), title=" ".join(f"w{w}" for w in generator.integers(0, 400, 30))) for n in range(200)]
    assert LsaEncoder.fit(many).card.dim == 100


def test_equal_documents_leave_no_direction_of_length_zero() -> None:
    encoder = LsaEncoder.fit([Document(id=str(number), title="the same words") for number in range(5)])
    assert encoder.card.dim == 1


def test_a_row_too_few_is_told(tmp_path: Path) -> None:
    tfidf = TfidfEncoder(["a", "b"], np.ones(2, np.float32))
    LsaEncoder(tfidf, np.ones((1, 3), np.float32)).save(tmp_path / "saved")
    with pytest.raises(StorageError, match="found 2 words, 2 weights and 1 rows"):
        LsaEncoder.load(tmp_path / "saved")
