"""TF-IDF: the contract, and its numbers against scikit-learn's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import StorageError
from engine.documents import Document, text
from engine.encoders.tfidf import TfidfEncoder
from tests.contracts.encoder import FittedEncoderContract, corpus


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
