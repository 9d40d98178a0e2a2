"""The mean of the vectors of a document's sentences, each encoded separately."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.core.rows import DenseRows, Rows, unit_length
from engine.documents import Document
from engine.documents.text import sentences
from engine.encoders import registry, storage
from engine.encoders.base import CardedEncoder, Encoder, EncoderCard

_INNER = "encoder"
_DOCUMENTS_AT_ONCE = 64


class SentenceMeanEncoder(CardedEncoder):
    """The mean of another encoder's rows over all sentences, at unit length; a title is a sentence.

    Long and short sentences count alike, and a transformer reads the whole document.
    """

    name: ClassVar[str] = "sentence-mean"
    method: ClassVar[str] = "sentence-mean/1"

    def __init__(self, inner: Encoder) -> None:
        """Take an encoder of sentences. Raises EncoderError for one that needs whole documents."""
        if inner.card.sparse or not inner.reads_sentences:
            raise EncoderError(
                f"Expected an encoder of dense rows that reads single sentences, got {inner.card.name}. Name another."
            )
        self._inner = inner
        self._arrays = {"dim": np.array([inner.card.dim], np.int64)}
        self._card = EncoderCard(
            self.name,
            f"The mean of the rows of a document's sentences, by {inner.card.name}. It stands in tables as a baseline.",
            inner.card.dim,
            storage.fingerprint_of(self.method, self._arrays, [inner.card.name], settings=self._settings),
            trained_on=inner.card.trained_on,
        )

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents as queries: (n, dim)."""
        return self._means(documents, self._inner.encode_queries)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim); a text without a sentence gives zeros."""
        return self._means(documents, self._inner.encode_documents)

    def save(self, folder: Path) -> None:
        """Write the encoder and its sentence encoder into `folder`, atomically."""
        with files.new_folder(folder) as new:
            storage.write(
                new,
                method=self.method,
                card=self.card,
                arrays=self._arrays,
                words=[self._inner.card.name],
                facts={storage.SETTINGS: self._settings},
            )
            self._inner.save(new / _INNER)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        stored = storage.read(folder, method=cls.method, arrays={"dim": 1})
        found = cls(registry.load_folder(folder / _INNER))
        if found.card != stored.card:
            raise StorageError(f"Expected the encoder {stored.card.name} saved in {folder}, found another within it.")
        return found

    @property
    def _settings(self) -> dict[str, Any]:
        return {"encoder": self._inner.card.fingerprint}

    def _means(self, documents: Sequence[Document], encode: Callable[[Sequence[Document]], Rows]) -> DenseRows:
        rows = np.zeros((len(documents), self._card.dim), np.float32)
        for first in range(0, len(documents), _DOCUMENTS_AT_ONCE):
            of, found = [], []
            for place, document in enumerate(documents[first : first + _DOCUMENTS_AT_ONCE], start=first):
                for span in sentences(text := document.text):
                    of.append(place)
                    found.append(Document(document.id, document.kind, abstract=text[span.start : span.stop]))
            np.add.at(rows, of, np.asarray(encode(found)))
        return unit_length(rows)
