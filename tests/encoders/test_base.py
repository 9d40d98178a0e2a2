"""What an encoder that only encodes documents promises without more."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
import pytest

from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders.base import Coupling, Encoder, EncoderCard, FittedEncoder
from tests.contracts.encoder import corpus


class LengthEncoder(Encoder):
    """One number a document: how long its text is."""

    @property
    def card(self) -> EncoderCard:
        return EncoderCard("length", "Counts characters.", 1, "f")

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        return np.array([[len(document.text)] for document in documents], np.float32).reshape(-1, 1)

    def save(self, folder: Path) -> None:
        raise NotImplementedError

    @classmethod
    def load(cls, folder: Path) -> Self:
        raise NotImplementedError


def test_queries_are_documents_unless_an_encoder_says_otherwise() -> None:
    encoder, documents = LengthEncoder(), corpus()[:3]
    rows = encoder.encode_documents(documents)
    np.testing.assert_array_equal(encoder.encode_queries(documents), rows)
    assert encoder.as_queries(rows) is rows
    assert LengthEncoder.reads_sentences


def test_an_encoder_of_whole_documents_has_an_empty_entry_for_each_document() -> None:
    query, *documents = corpus()[:4]
    encoder = LengthEncoder()
    assert encoder.couplings(query, documents, encoder.encode_documents(documents)) == [(), (), ()]
    assert encoder.couplings(query, [], encoder.encode_documents([])) == []


def test_an_encoder_that_learns_from_a_corpus_must_say_how() -> None:
    class Unfinished(LengthEncoder, FittedEncoder):
        pass

    with pytest.raises(TypeError, match=r"abstract method '?fit"):
        Unfinished()  # type: ignore[abstract]


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("title", "your title"),
        ("whole text", "your whole text"),
        ("opening of the description", "the opening of your description"),
        ("first 30 %", "the first 30 % of your text"),
        ("rest", "the rest of your text"),
    ],
)
def test_a_part_is_named_with_its_owner(part: str, words: str) -> None:
    theirs = words.replace("your", "their")
    assert Coupling(part, part, 0.5).parts == (theirs, words)
