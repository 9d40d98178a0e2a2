"""The encoder that ranks by windows of words that related documents share (C-DSSM's tweaks, section I.A)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import numpy as np
import torch
from numpy.typing import NDArray

from engine.core.errors import EncoderError
from engine.core.rows import DenseRows, Precision, Rows, unit_length
from engine.documents import Document
from engine.documents.text import first_tokens
from engine.encoders import storage
from engine.encoders.base import EncoderCard
from engine.encoders.cdssm.network import CdssmNetwork, Lexicon
from engine.encoders.cdssm.settings import METHOD, NAME, SUMMARY, TWO, VECTORS, ZEROS, CdssmSettings
from engine.encoders.module_weights import HALF, outlined

_MOST_ENTRIES, _LONGEST_VECTOR = 10_000_000, 10_000
_DOCUMENTS_AT_ONCE = 512  # the distinct words of these are held together


@dataclass(frozen=True, slots=True)
class CdssmShape:
    """What a reader must know about an encoder before its arrays: its settings, and the size of its lexicon."""

    entries: int
    reading: CdssmSettings = field(default_factory=CdssmSettings)
    vector_dim: int = 0

    def __post_init__(self) -> None:
        """Refuse impossible sizes."""
        if not 1 <= self.entries <= _MOST_ENTRIES:
            raise ValueError(f"entries must be from 1 to {_MOST_ENTRIES}, got {self.entries}")
        least = 1 if self.reading.words == VECTORS else 0
        if not least <= self.vector_dim <= least * _LONGEST_VECTOR:
            raise ValueError(f"vector_dim must be 0 for trigrams and 1 or more for vectors, got {self.vector_dim}")

    def as_json(self) -> dict[str, Any]:
        """Return the shape as JSON holds it, by which encoders are told apart.

        Encoders from before `padding` was a setting pad with zeros: that is left unsaid, so that they stay the same.
        """
        values = asdict(self)
        if self.reading.padding == ZEROS:
            del values["reading"]["padding"]
        return values

    def outline(self) -> CdssmNetwork:
        """Make a network of this shape without weights, which takes no memory."""
        with outlined():
            return CdssmNetwork(self.reading, self.entries, vector_dim=self.vector_dim)


class CdssmEncoder(storage.TrainedEncoder):
    """R(Q, D) = cos(y_Q, y_D) of vectors from a convolution over words (C-DSSM's tweaks, section I.A).

    With one shared tower a row is y, (n, dim), at unit length. With two, a document's row is [y_D, y_Q] and a query's
    [y_Q, 0], each y at unit length, so that one inner product is the similarity and a document's row also holds its
    query row. A document without a known word is a row of zeros.

    Everything is computed in float32: bfloat16 would not speed up sums of few rows.
    """

    name: ClassVar[str] = NAME
    summary: ClassVar[str] = SUMMARY

    def __init__(
        self,
        shape: CdssmShape,
        arrays: Mapping[str, NDArray[Any]],
        entries: Sequence[str],
        *,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take weights as stored and the trigrams or words that they know, with facts to keep (recipe, results).

        Raises EncoderError where they do not fit each other.
        """
        if len(entries) != shape.entries or len(set(entries)) != len(entries):
            raise EncoderError(
                f"Expected {shape.entries} different {shape.reading.words}, got {len(entries)}, "
                f"{len(set(entries))} of them different. Give one for each row of the network."
            )
        self.settings = shape.reading
        self._network = shape.outline()
        HALF.fill(self._network, arrays)
        self._network.eval().requires_grad_(False)
        self._lexicon = Lexicon(shape.reading.words, entries)
        self._has_two = self.settings.towers == TWO
        card = EncoderCard(
            self.name,
            self.summary,
            (2 if self._has_two else 1) * self.settings.dim,
            "",
            max_tokens=self.settings.max_tokens,
            trained_on=trained_on,
            stored=cast(Precision, self.settings.stored),
        )
        self._keep(storage.StoredWeights(METHOD, arrays, self._lexicon.entries, shape.as_json()), card, facts)

    @classmethod
    def of(
        cls,
        network: CdssmNetwork,
        entries: Sequence[str],
        settings: CdssmSettings,
        *,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> Self:
        """Make the encoder of a network and its lexicon, as they will be read back from disk.

        Raises EncoderError where they do not fit or are not finite.
        """
        shape = CdssmShape(len(entries), settings, 0 if network.vectors is None else network.vectors.shape[1])
        return cls(shape, HALF.stored(network), entries, trained_on=trained_on, facts=facts)

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents as queries: (n, dim)."""
        return cast(DenseRows, self.as_queries(self._rows(documents, answers=False)))

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim)."""
        return self._rows(documents, answers=True)

    def as_queries(self, rows: Rows) -> Rows:
        """Turn [y_D, y_Q] into [y_Q, 0] where there are two towers; otherwise return the rows unchanged."""
        if not self._has_two:
            return rows
        asking = np.asarray(rows)[:, self.settings.dim :]
        return np.concatenate([asking, np.zeros_like(asking)], axis=1)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        with storage.opening(folder, "a C-DSSM encoder", METHOD) as opened:
            shape = opened.settings_as(CdssmShape)
            stored = opened.read(HALF.expected(shape.outline()))
            return cls(shape, stored.arrays, stored.words, trained_on=stored.card.trained_on, facts=stored.facts)

    @torch.inference_mode()
    def _rows(self, documents: Sequence[Document], *, answers: bool) -> DenseRows:
        """Return the rows (n, dim) of documents; with two towers, y_D is left out for queries."""
        dim = self.settings.dim
        rows = np.zeros((len(documents), self.card.dim), np.float32)
        for start in range(0, len(documents), _DOCUMENTS_AT_ONCE):
            some = documents[start : start + _DOCUMENTS_AT_ONCE]
            texts = self._lexicon.read(first_tokens(document.text, self.settings.max_tokens) for document in some)
            part = rows[start : start + len(texts)]
            if answers or not self._has_two:
                part[:, :dim] = unit_length(self._network(texts, asks=False).numpy())
            if self._has_two:
                part[:, dim:] = unit_length(self._network(texts).numpy())
        return rows
