"""LDA: the contract, and what it makes of topics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import NotFittedError, StorageError
from engine.documents import Document
from engine.research.baselines import lda
from engine.research.baselines.lda import LdaEncoder, LdaSettings
from tests.contracts.encoder import EMPTY, FOREIGN, FittedEncoderContract, corpus, fitted_once


class TestContract(FittedEncoderContract):
    method = LdaEncoder


def test_a_small_corpus_has_one_topic_for_ten_documents() -> None:
    assert fitted_once(LdaEncoder).card.dim == 4
    assert LdaEncoder.fit(corpus()[:12]).card.dim == 2


def test_rows_are_of_unit_length_and_none_without_a_known_word() -> None:
    rows = fitted_once(LdaEncoder).encode_documents([*corpus(), EMPTY, FOREIGN])
    np.testing.assert_allclose(np.linalg.norm(rows[:-2], axis=1), 1, atol=1e-5)
    assert not rows[-2:].any()


def test_ctpes_settings_learn_from_every_word_and_come_back_from_a_folder(tmp_path: Path) -> None:
    assert (lda.OF_CTPE.passes, lda.OF_CTPE.iterations, lda.TOPICS) == (1, 100, 100)
    made = LdaEncoder.fit(corpus(), lda.OF_CTPE)
    assert "the" in made._words and "the" not in fitted_once(LdaEncoder)._words
    made.save(tmp_path / "saved")
    again = LdaEncoder.load(tmp_path / "saved")
    assert again.card == made.card
    document = [Document("a", title="the the the boiler")]
    np.testing.assert_array_equal(again.encode_documents(document), made.encode_documents(document))
    assert not np.array_equal(made.encode_documents(document), made.encode_documents([Document("a", title="boiler")]))


def test_no_pass_and_no_iteration_are_refused() -> None:
    with pytest.raises(ValueError, match="passes and iterations must be at least 1, got 5 and 0"):
        LdaSettings(iterations=0)


def test_words_of_one_document_only_teach_nothing() -> None:
    with pytest.raises(NotFittedError, match="of which two share one; got none"):
        LdaEncoder.fit([Document(id="a", title="steam boiler"), Document(id="b", title="protein gene")])


def test_a_word_too_few_is_told(tmp_path: Path) -> None:
    LdaEncoder(["boiler", "valve"], np.ones((3, 2), np.float32), np.ones(3, np.float32)).save(tmp_path / "a")
    LdaEncoder.load(tmp_path / "a")
    LdaEncoder(["boiler", "valve", "crank"], np.ones((3, 2), np.float32), np.ones(3, np.float32)).save(tmp_path / "b")
    with pytest.raises(StorageError, match=r"Expected topics of 3 by 3 in .*, found 3 by 2"):
        LdaEncoder.load(tmp_path / "b")
