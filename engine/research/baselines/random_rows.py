"""Rows drawn at random: what a ranking reaches by chance, with documents or with words that mean nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np

from engine.core import files
from engine.core.rows import DenseRows, unit_length
from engine.documents import Document
from engine.encoders import Encoder, EncoderCard, WordVectors, storage
from engine.encoders.tfidf import learn_words

METHOD = "random/2"
NAME = "random"
SUMMARY = "A vector drawn for each document, whatever it says. It stands in tables as the floor."
WORDS = "random-words"
WORDS_SUMMARY = "The mean of vectors drawn for each word: words counted, with nothing known of what they mean."
DIMENSIONS = 100


class RandomEncoder(Encoder):
    """One direction for each document's id, of uniformly drawn numbers (CTPE, section 4.2): the text is not read."""

    def __init__(self, dim: int = DIMENSIONS) -> None:
        """Take the width of a row."""
        self._arrays = {"dim": np.array([dim], np.int64)}
        self._card = EncoderCard(NAME, SUMMARY, dim, storage.fingerprint_of(METHOD, self._arrays, [NAME]))

    @property
    def card(self) -> EncoderCard:
        """What this encoder is."""
        return self._card

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents of the corpus: (n, dim)."""
        return unit_length(drawn([document.id for document in documents], self.card.dim))

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        storage.write(folder, method=METHOD, card=self.card, arrays=self._arrays, words=[NAME])

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError if the folder is damaged or foreign."""
        return cls(int(storage.read(folder, method=METHOD, arrays={"dim": 1}).arrays["dim"][0]))


def random_words(documents: Sequence[Document], *, dim: int = DIMENSIONS) -> WordVectors:
    """Return a drawn vector for each word of a corpus, the same in every corpus.

    Raises NotFittedError if the corpus holds no word.
    """
    words, rows = learn_words(documents)
    counts = np.asarray(rows.sum(axis=0), np.int64).ravel()  # (V,)
    order = np.argsort(-counts, kind="stable")
    named = [words[place] for place in order]
    return WordVectors(named, drawn(named, dim).astype(np.float16), counts[order], int(counts.sum()))


def drawn(names: Sequence[str], dim: int) -> DenseRows:
    """Return a row of numbers from -1 to 1 for each of n names, which a name always gets: (n, dim)."""
    rows = np.empty((len(names), dim), np.float32)
    for place, name in enumerate(names):
        rows[place] = np.random.default_rng(int(files.sha256_bytes(name.encode()), 16)).uniform(-1, 1, dim)
    return rows
