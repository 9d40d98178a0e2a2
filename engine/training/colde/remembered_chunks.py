"""Reads the chunks of changed documents with a CoLDE encoder's transformer, none of them twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from engine.core import files
from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders.colde import Backbone, ColdeEncoder, Numbered, numbered, read_chunks
from engine.training.colde.chunk_vectors import ChunkVectors

Vector = NDArray[np.float16]


class RememberedChunks:
    """Chunk vectors in half precision by what the transformer sees of a chunk: its tokens, its section, its number.

    Sections and numbers that have the same embeddings are the same to it; over a transformer that was not trained,
    where these embeddings are nothing, a document whose sections change places needs no reading at all.
    """

    def __init__(self, encoder: ColdeEncoder) -> None:
        """Remember nothing yet; encoders that share `reading_fingerprint` may share this."""
        self._backbone, _ = encoder.reader
        self._cut = encoder.cut
        self._alike = _alike(self._backbone)
        self._held: dict[str, Vector] = {}

    def remember(self, documents: Sequence[Document], vectors: ChunkVectors) -> None:
        """Take what was read of documents, their chunks numbered as one section."""
        for place, document in enumerate(documents):
            rows = vectors.of(place).astype(np.float16)
            self._held.update(zip(self._names(numbered(self._cut(document), sections=1)), rows, strict=True))

    def rows(
        self, documents: Sequence[Document], *, sections: int = 1, done: Callable[[int], None] | None = None
    ) -> Iterator[DenseRows]:
        """Chunk vectors (c, d) of each document, its chunks numbered as `sections` equal stretches."""
        for document in documents:
            chunks = numbered(self._cut(document), sections=sections)
            names = list(self._names(chunks))
            self._read(chunks, names)
            rows = np.zeros((len(names), self._backbone.dim), np.float32)
            for row, name in zip(rows, names, strict=True):
                row[:] = self._held[name]
            if done is not None:
                done(1)
            yield rows

    def _read(self, chunks: Numbered, names: Sequence[str]) -> None:
        new = [place for place, name in enumerate(names) if name not in self._held]
        if new:
            tokens = [chunks.tokens[place] for place in new]
            rows = read_chunks(self._backbone, [Numbered(tokens, chunks.sections[new], chunks.chunks[new])])[0]
            self._held.update(zip((names[place] for place in new), rows.astype(np.float16), strict=True))

    def _names(self, chunks: Numbered) -> Iterator[str]:
        sections, numbers = self._alike.shape
        seen = self._alike[np.minimum(chunks.sections, sections - 1), np.minimum(chunks.chunks, numbers - 1)]
        for tokens, number in zip(chunks.tokens, seen.tolist(), strict=True):
            yield files.fingerprint(np.asarray(tokens, np.int32).tobytes(), f"{number}")


@torch.inference_mode()
def _alike(backbone: Backbone) -> NDArray[np.int64]:
    """A number for what is added to the words of each section and number of a chunk: (s, k), equal where that is."""
    added = backbone.sections.weight[:, None] + backbone.chunks.weight  # (s, k, d)
    _, numbers = np.unique(added.flatten(0, 1).float().cpu().numpy(), axis=0, return_inverse=True)
    return np.asarray(numbers, np.int64).reshape(added.shape[:2])
