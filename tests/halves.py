"""Encoders for tests: one that asks with other rows than it answers with, and one for rows that a test made itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from engine.core.rows import DenseRows, Precision, Rows, unit_length
from engine.documents import Document
from engine.documents.text import tokens
from engine.encoders import Coupling, Encoder, EncoderCard, storage

METHOD = "halves/1"


def swapped(rows: DenseRows) -> DenseRows:
    """Rows (n, dim) with their two halves swapped."""
    return np.roll(rows, rows.shape[1] // 2, axis=1)


class HalvesEncoder(Encoder):
    """Counts the words of the title and those of the rest, and compares each with the other document's other half.

    A query's row is [title, rest] / sqrt(2), a document's [rest, title] / sqrt(2), halves at unit length.
    `encoded` says how many documents each call of an encode method was given, `tokens` how many tokens in all, and
    `coupled` who was asked about whom.
    """

    reads_sentences: ClassVar[bool] = False

    def __init__(self, words: Sequence[str], *, stored: Precision = "float32") -> None:
        self.words = list(words)
        self._columns = {word: column for column, word in enumerate(self.words)}
        fingerprint = storage.fingerprint_of(METHOD, self._arrays(), self.words)
        self._card = EncoderCard("halves", "Counts words.", 2 * len(self.words), fingerprint, stored=stored)
        self.encoded: list[int] = []
        self.tokens = 0
        self.coupled: list[tuple[str, list[str]]] = []

    @classmethod
    def fit(cls, documents: Sequence[Document], *, stored: Precision = "float32") -> Self:
        return cls(sorted({word for document in documents for word in tokens(document.text)}), stored=stored)

    @property
    def card(self) -> EncoderCard:
        return self._card

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        return swapped(self.encode_documents(documents))

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        self.encoded.append(len(documents))
        self.tokens += sum(len(tokens(document.text)) for document in documents)
        titles, rests = self._halves(documents)
        return np.concatenate([rests, titles], axis=1) / np.float32(np.sqrt(2))

    def as_queries(self, rows: Rows) -> DenseRows:
        return swapped(np.asarray(rows))

    def couplings(self, query: Document, documents: Sequence[Document], rows: Rows) -> list[tuple[Coupling, ...]]:
        self.coupled.append((query.id, [document.id for document in documents]))
        (title,), (rest,) = self._halves([query])
        rests, titles = np.split(np.asarray(rows) * np.sqrt(2), 2, axis=1)
        met = []
        for their_title, their_rest in zip(titles, rests, strict=True):
            pairs = [
                Coupling("abstract", "title", float(rest @ their_title)),
                Coupling("title", "abstract", float(title @ their_rest)),
            ]
            met.append(tuple(sorted(pairs, key=lambda pair: -pair.similarity)))
        return met

    def save(self, folder: Path) -> None:
        storage.write(folder, method=METHOD, card=self.card, arrays=self._arrays(), words=self.words)

    @classmethod
    def load(cls, folder: Path) -> Self:
        stored = storage.read(folder, method=METHOD, arrays={"size": 1})
        return cls(stored.words, stored=stored.card.stored)

    def _arrays(self) -> dict[str, np.ndarray]:
        return {"size": np.array([len(self.words)])}

    def _halves(self, documents: Sequence[Document]) -> tuple[DenseRows, DenseRows]:
        """Words of the title and of the rest (n, V) each; where one of them is empty, the other is both."""
        parts = []
        for document in documents:
            read = [part for part in document.parts if part.role != "references"]
            title = " ".join(part.text for part in read if part.role == "title")
            rest = " ".join(part.text for part in read if part.role != "title")
            parts.append((title or rest, rest or title))
        return self._counts([title for title, _ in parts]), self._counts([rest for _, rest in parts])

    def _counts(self, texts: Sequence[str]) -> DenseRows:
        rows = np.zeros((len(texts), len(self.words)), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for token in tokens(text):
                if token in self._columns:
                    row[self._columns[token]] += 1
        return unit_length(rows)


class GivenRows(Encoder):
    """Stands for whatever made a test's rows; reads no text. Where it `swaps`, queries have their halves swapped."""

    def __init__(self, *, swaps: bool = False, name: str = "made") -> None:
        self._swaps, self._name = swaps, name

    @property
    def card(self) -> EncoderCard:
        return EncoderCard(self._name, "Made by a test.", 0, "print")

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        raise NotImplementedError

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        raise NotImplementedError

    def as_queries(self, rows: Rows) -> Rows:
        return swapped(np.asarray(rows)) if self._swaps else rows

    def save(self, folder: Path) -> None:
        raise NotImplementedError

    @classmethod
    def load(cls, folder: Path) -> Self:
        raise NotImplementedError
