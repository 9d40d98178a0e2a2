"""The parts of a C-DSSM encoder as arrays with names, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray

from engine.core.errors import EncoderError
from engine.encoders.cdssm.lexicon import Lexicon
from engine.encoders.cdssm.network import CdssmNetwork
from engine.encoders.cdssm.settings import VECTORS, ZEROS, CdssmSettings
from engine.encoders.module_weights import HALF, drawn_by, outlined

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
