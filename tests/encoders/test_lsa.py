"""LSA: the contract, and what it adds to TF-IDF."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import StorageError
from engine.documents import Document
from engine.encoders.lsa import LsaEncoder
from engine.encoders.tfidf import TfidfEncoder
from tests.contracts.encoder import FittedEncoderContract, corpus


class TestContract(FittedEncoderContract):
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
