"""The encoder that ranks by windows of words that related documents share (C-DSSM's tweaks, section I.A).

The parts of a C-DSSM encoder as arrays with names, and back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import numpy as np
import torch
from numpy.typing import NDArray

from engine.core.errors import EncoderError
from engine.core.rows import DenseRows, Precision, Rows
from engine.documents import Document
from engine.documents.text import first_tokens
from engine.encoders import storage
from engine.encoders.base import CardedEncoder, EncoderCard
from engine.encoders.cdssm.network import CdssmNetwork, Lexicon, Texts
from engine.encoders.cdssm.settings import METHOD, NAME, SUMMARY, TWO, VECTORS, ZEROS, CdssmSettings
from engine.encoders.module_weights import HALF, drawn_by, outlined
from engine.encoders.words import unit_length

_MOST_ENTRIES, _LONGEST_VECTOR = 10_000_000, 10_000


@dataclass(frozen=True, slots=True)
class Shape:
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

    @property
    def values(self) -> dict[str, Any]:
        """The shape as JSON holds it, by which encoders are told apart.

        Encoders from before `padding` was a setting pad with zeros: that is left unsaid, so that they stay the same.
        """
        values = asdict(self)
        if self.reading.padding == ZEROS:
            del values["reading"]["padding"]
        return values

    @property
    def expected_arrays(self) -> dict[str, int]:
        """The name of every array, and its number of dimensions."""
        return HALF.expected(self.outline())

    def outline(self) -> CdssmNetwork:
        """A network of this shape without weights, which takes no memory."""
        with outlined():
            return CdssmNetwork(self.reading, self.entries, vector_dim=self.vector_dim)


@dataclass(frozen=True, slots=True)
class Parts:
    """A network for inference with the trigrams or words it knows, and `arrays`: its weights as they lie on disk."""

    shape: Shape
    network: CdssmNetwork
    lexicon: Lexicon
    arrays: Mapping[str, NDArray[Any]]

    @classmethod
    def of(cls, network: CdssmNetwork, entries: Sequence[str], settings: CdssmSettings) -> Self:
        """Copies of the parts as they will be read back from disk.

        Raises EncoderError where they do not fit each other or are not finite.
        """
        dim = 0 if network.vectors is None else network.vectors.shape[1]
        return cls.build(Shape(len(entries), settings, dim), HALF.stored(network), entries)

    @classmethod
    def build(cls, shape: Shape, arrays: Mapping[str, NDArray[Any]], entries: Sequence[str]) -> Self:
        """Put the parts together again. Raises EncoderError where they do not fit each other."""
        if len(entries) != shape.entries or len(set(entries)) != len(entries):
            raise EncoderError(
                f"Expected {shape.entries} different {shape.reading.words}, got {len(entries)}, "
                f"{len(set(entries))} of them different. Give one for each row of the network."
            )
        network = shape.outline()
        HALF.fill(network, arrays)
        lexicon = Lexicon(shape.reading.words, entries)
        return cls(shape, network.eval().requires_grad_(False), lexicon, arrays)


def begun(
    settings: CdssmSettings, entries: int, *, vectors: NDArray[np.float32] | None = None, seed: int
) -> CdssmNetwork:
    """An untrained network with filters drawn from `seed`; torch's global seed is left alone.

    `vectors` (entries, d) belong to the words if it reads vectors. If it reads trigrams, they may belong to these: the
    filters then start as if the network read vectors, a word's being the sum of its trigrams'.
    """
    reads_vectors = settings.words == VECTORS
    with drawn_by(seed):
        network = CdssmNetwork(
            settings, entries, vector_dim=vectors.shape[1] if reads_vectors and vectors is not None else 0
        )
        if vectors is not None:
            network.begin_with(torch.from_numpy(vectors))
    return network


_DOCUMENTS_AT_ONCE = 512  # the distinct words of these are held together


class CdssmEncoder(CardedEncoder):
    """R(Q, D) = cos(y_Q, y_D) of vectors from a convolution over words (C-DSSM's tweaks, section I.A).

    With one shared tower a row is y, (n, dim), at unit length. With two, a document's row is [y_D, y_Q] and a query's
    [y_Q, 0], each y at unit length, so that one inner product is the similarity and a document's row also holds its
    query row. A document without a known word is a row of zeros.

    Everything is computed in float32: bfloat16 would not speed up sums of few rows.
    """

    name: ClassVar[str] = NAME
    summary: ClassVar[str] = SUMMARY

    def __init__(
        self, parts: Parts, *, trained_on: tuple[str, ...] = (), facts: Mapping[str, Any] | None = None
    ) -> None:
        """Take the parts of an encoder, and facts to keep with it (its recipe, its results)."""
        self.settings = parts.shape.reading
        self.facts = storage.notes(facts)
        self._parts = parts
        self._has_two = self.settings.towers == TWO
        self._card = EncoderCard(
            self.name,
            self.summary,
            (2 if self._has_two else 1) * self.settings.dim,
            storage.fingerprint_of(METHOD, parts.arrays, parts.lexicon.entries, settings=parts.shape.values),
            max_tokens=self.settings.max_tokens,
            trained_on=trained_on,
            stored=cast(Precision, self.settings.stored),
        )

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
        """The encoder of a network and its lexicon, as they will be read back from disk.

        Raises EncoderError where they do not fit or are not finite.
        """
        return cls(Parts.of(network, entries, settings), trained_on=trained_on, facts=facts)

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents as queries: (n, dim)."""
        return cast(DenseRows, self.as_queries(self._rows(documents, answers=False)))

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim)."""
        return self._rows(documents, answers=True)

    def as_queries(self, rows: Rows) -> Rows:
        """With two towers, [y_D, y_Q] to [y_Q, 0]; otherwise rows unchanged."""
        if not self._has_two:
            return rows
        asking = np.asarray(rows)[:, self.settings.dim :]
        return np.concatenate([asking, np.zeros_like(asking)], axis=1)

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        storage.write(
            folder,
            method=METHOD,
            card=self.card,
            arrays=self._parts.arrays,
            words=self._parts.lexicon.entries,
            facts={storage.SETTINGS: self._parts.shape.values, **self.facts},
        )

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        with storage.opening(folder, "a C-DSSM encoder", METHOD) as opened:
            shape = opened.settings_as(Shape)
            stored = opened.read(shape.expected_arrays)
            parts = Parts.build(shape, stored.arrays, stored.words)
        return cls(parts, trained_on=stored.card.trained_on, facts=stored.facts)

    @torch.inference_mode()
    def _rows(self, documents: Sequence[Document], *, answers: bool) -> DenseRows:
        """Rows (n, dim) of documents; with two towers, y_D is left out for queries."""
        dim = self.settings.dim
        rows = np.zeros((len(documents), self.card.dim), np.float32)
        for start in range(0, len(documents), _DOCUMENTS_AT_ONCE):
            texts = self._read(documents[start : start + _DOCUMENTS_AT_ONCE])
            part = rows[start : start + len(texts)]
            if answers or not self._has_two:
                part[:, :dim] = unit_length(self._parts.network(texts, asks=False).numpy())
            if self._has_two:
                part[:, dim:] = unit_length(self._parts.network(texts).numpy())
        return rows

    def _read(self, documents: Sequence[Document]) -> Texts:
        """The known words among each document's first."""
        most = self.settings.max_tokens
        return self._parts.lexicon.read(first_tokens(document.text, most) for document in documents)
