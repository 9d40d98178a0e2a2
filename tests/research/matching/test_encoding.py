"""The rows of the documents of pairs, read once and kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
import pytest

from engine.core.errors import EvaluationError, StorageError
from engine.core.rows import DenseRows, Rows
from engine.documents import Document
from engine.encoders import Encoder, EncoderCard
from engine.research.matching import scoring
from engine.research.matching.pair_set import PairSet
from engine.research.matching.rows import Row
from engine.research.matching.scoring import encode, encoder_scores, score
from tests.contracts.encoder import SUBJECTS


class Counting(Encoder):
    """Counts the subjects' words and remembers what it read; a query's row is a document's with its halves swapped."""

    def __init__(self, broken: str = "") -> None:
        self.read: list[str] = []
        self._broken = broken

    @property
    def card(self) -> EncoderCard:
        return EncoderCard("counting", "", 8, "counting-1")

    def encode_queries(self, documents: Sequence[Document]) -> Rows:
        return self.as_queries(self.encode_documents(documents))

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        self.read += [document.id for document in documents]
        rows = np.zeros((len(documents), 8), np.float32)
        for row, document in zip(rows, documents, strict=True):
            held = document.text.split()
            row[:4] = [sum(word in held for word in words.split()) for words in SUBJECTS.values()]
            row[4:] = row[:4] * 2
            if document.id == self._broken:
                row[:] = np.nan
        return rows

    def as_queries(self, rows: Rows) -> Rows:
        return np.concatenate([rows[:, 4:], rows[:, :4]], axis=1)

    def save(self, folder: Path) -> None:
        raise NotImplementedError

    @classmethod
    def load(cls, folder: Path) -> Self:
        raise NotImplementedError


def test_every_document_is_encoded_once_and_halves_are_swapped_for_queries(pairs: PairSet) -> None:
    encoder = Counting()
    scores = encoder_scores(encoder, pairs)
    assert sorted(encoder.read) == sorted(document.id for document in pairs.documents)
    rows = Counting().encode_documents(pairs.documents)
    a, b = pairs.places[0]
    assert scores[0] == pytest.approx(rows[a, 4:] @ rows[b, :4] + rows[a, :4] @ rows[b, 4:])


def test_kept_rows_are_not_read_again_but_for_other_texts(pairs: PairSet, tmp_path: Path) -> None:
    encoder = Counting()
    first = encode(encoder, pairs.documents, cache=tmp_path / "kept")
    again = encode(encoder, pairs.documents, cache=tmp_path / "kept")
    assert len(encoder.read) == 40
    assert np.array_equal(first, again)
    other = [Document("other", abstract="boiler"), *pairs.documents[1:]]
    encode(encoder, other, cache=tmp_path / "kept")
    assert len(encoder.read) == 72  # the block of thirty-two that the other document stands in
    assert encode(encoder, []).shape == (0, 8)


def test_damaged_rows_are_told(pairs: PairSet, tmp_path: Path) -> None:
    encode(Counting(), pairs.documents, cache=tmp_path / "kept")
    next((tmp_path / "kept").rglob("*.safetensors")).write_bytes(b"other")
    with pytest.raises(StorageError, match="it is damaged"):
        encode(Counting(), pairs.documents, cache=tmp_path / "kept")


def test_an_encoder_that_gives_no_number_is_told(pairs: PairSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "encoder_of", lambda row: Counting(broken="steam0"))
    with pytest.raises(EvaluationError, match="finite score of ctpe for each of 40 pairs, got NaN or infinity for 2"):
        score([Row("ctpe")], pairs)
