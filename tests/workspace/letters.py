"""An encoder that counts letters, and how many documents it has read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.core.rows import DenseRows
from engine.documents import Document, Section
from engine.encoders import Encoder, EncoderCard
from engine.library import Library
from engine.workspace.workspace import Workspace


class Letters(Encoder):
    """Counts the letters a to h; tells how many documents it has read, and may stop midway."""

    def __init__(self, fingerprint: str = "letters-1", stop_after: int = 10**9) -> None:
        self._card = EncoderCard("letters", "Counts letters.", 8, fingerprint)
        self.read = 0
        self._stop_after = stop_after

    @property
    def card(self) -> EncoderCard:
        return self._card

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        return self.encode_documents(documents)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        self.read += len(documents)
        if self.read > self._stop_after:
            raise KeyboardInterrupt
        return np.array([[document.text.count(letter) for letter in "abcdefgh"] for document in documents], np.float32)

    def save(self, folder: Path) -> None: ...

    @classmethod
    def load(cls, folder: Path) -> Letters:
        return cls()


def reference(number: int) -> Document:
    return Document(
        f"r{number}", "paper", f"Stable flight of {number} tethered kites", year=2015, authors=("Ada Gale",)
    )


def completing(number: int) -> Document:
    return replace(reference(number), id=f"p{number}", sections=(Section("S", "a a a b"),))


def remove_documents(library: Library, ids: list[str]) -> list[str]:
    """Take documents out of a library, with what was made of them."""
    with Workspace(library.folder) as workspace:
        return workspace.remove_documents(ids)
