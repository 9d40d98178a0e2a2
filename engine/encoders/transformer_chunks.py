"""The mean of a transformer's chunk vectors: a sentence encoder that reads a long document to its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders.base import EncoderCard
from engine.encoders.colde.cutting import Cutter
from engine.encoders.counts import unit_length
from engine.encoders.transformer import Transformer
from engine.encoders.transformer_mean import MAX_TOKENS, TransformerMeanEncoder


class TransformerChunksEncoder(TransformerMeanEncoder):
    """The mean of the unit-length vectors of a text's chunks, at unit length.

    Chunks follow each other without overlap, each as long as fits, including the model's start and end tokens. All
    count alike, even a shorter last one.
    """

    name: ClassVar[str] = "transformer-chunks"
    method: ClassVar[str] = "transformer-chunks/1"
    summary: ClassVar[str] = (
        "The mean of a pre-trained transformer's vectors of all chunks of a document. "
        "Choose it to compare with sentence encoders on long documents; it is very slow."
    )

    def __init__(self, model: Transformer, *, max_tokens: int = MAX_TOKENS, trained_on: tuple[str, ...] = ()) -> None:
        """Take a transformer and a chunk's length. Raises EncoderError where it cannot read that many tokens."""
        from tokenizers import Tokenizer

        super().__init__(model, max_tokens=max_tokens, trained_on=trained_on)
        self._cutter = Cutter(Tokenizer.from_str(model.tokenizer), max_tokens, whole_sentences=False)

    @property
    def card(self) -> EncoderCard:
        """What this encoder is: it reads the whole text."""
        return replace(super().card, max_tokens=None)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim); zeros for a text without tokens."""
        chunks = [self._chunks(document) for document in documents]
        of = np.repeat(np.arange(len(documents)), [len(one) for one in chunks])  # (c,)
        rows = np.zeros((len(documents), self.card.dim), np.float32)
        np.add.at(rows, of, self._means([ids for one in chunks for ids in one]))
        return unit_length(rows)

    def _tokens(self, documents: Sequence[Document]) -> list[list[int]]:
        return [list(ids) for document in documents for ids in self._chunks(document)]

    def _chunks(self, document: Document) -> Sequence[Sequence[int]]:
        """The token ids of a document's chunks; chunks may span sections."""
        return self._cutter.cut(Document(document.id, abstract=document.text)).tokens
