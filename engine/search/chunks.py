"""The chunks by which CoLDE compares whole documents, kept as passages are once they were read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine import encoders
from engine.core import files
from engine.documents import Chunk, Document
from engine.encoders import EncoderCard
from engine.encoders.colde import NAME, LongRows
from engine.vectors import PassageView

if TYPE_CHECKING:
    from engine.core.rows import DenseRows
    from engine.encoders.colde import ColdeEncoder

_CUT = "chunks 1"
"""Names how documents are cut into chunks, so that chunks cut otherwise are read again."""


def has_chunk_encoder() -> bool:
    """Whether the encoder that compares is installed."""
    return (encoders.PRETRAINED / NAME).is_dir()


def shipped_fingerprint() -> str:
    """Names the chunks of the installed encoder, without loading it."""
    return chunks_fingerprint(encoders.read_card(encoders.PRETRAINED / NAME)[0])


def chunks_fingerprint(card: EncoderCard) -> str:
    """Names the chunks of an encoder: its weights, its settings, and how it cuts."""
    return files.fingerprint(card.fingerprint, _CUT)


class ChunkReader:
    """Cuts documents into CoLDE's chunks, and gives these the rows (n, dim) of its transformer."""

    def __init__(self, encoder: ColdeEncoder) -> None:
        """Read with an encoder that is loaded."""
        self._encoder = encoder
        self.dim = encoder.reader[0].dim
        self.fingerprint = chunks_fingerprint(encoder.card)

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the chunks of a document in reading order."""
        return self._encoder.cut(document).chunks

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> DenseRows:
        """Return the rows (n, dim) of the chunks of several documents, end to end."""
        return np.concatenate([one.rows for one in self._encoder.read([document for document, _ in read])])


def kept_rows(view: PassageView, document: Document) -> LongRows | None:
    """What CoLDE read of a document, whose text is as it was; None where its chunks are not held.

    A row has a byte a number, which changes scores by up to .0002 and cells by up to .0023
    (engine/research/reports/kept-chunks.json).
    """
    read = view.read(document)
    return None if read is None else LongRows.of(document, read.passages, read.rows)
