"""The base of every matcher's network: texts in, one vector a document out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import embedding

from engine.encoders.masked_texts import Read, Texts, batches, padded

_NUMBERS_AT_ONCE = 16_384


class MatcherNetwork(nn.Module, ABC):
    """A network that gives the vectors that are compared, by its last layer `out` unless it says how long they are."""

    out: nn.Linear

    @property
    def dim(self) -> int:
        """The length of a vector."""
        return self.out.out_features

    @abstractmethod
    def forward(self, texts: Texts) -> Tensor:
        """Documents as vectors: (b, dim)."""


class FrozenWords(nn.Module):
    """Word vectors that are not trained, nor kept among a network's weights; as large as 1 in the quadratic mean."""

    table: Tensor

    def __init__(self, vectors: NDArray[np.float16]) -> None:
        """Take vectors (V, d)."""
        super().__init__()
        rows = torch.from_numpy(vectors.astype(np.float32))
        self.register_buffer("table", rows / rows.square().mean().sqrt().clamp(min=1e-6), persistent=False)
        self.dim = vectors.shape[1]

    def forward(self, texts: Texts) -> Tensor:
        """The vectors of words, nothing behind a row's length: (n, w, d)."""
        return embedding(texts.numbers, self.table) * texts.inside[..., None]


def encode_reads(network: MatcherNetwork, reads: Sequence[Read]) -> Tensor:
    """One vector a document, (b, dim), in batches of like sizes; zeros if nothing was read."""
    device = next(network.parameters()).device
    found: list[Tensor] = []
    places: list[int] = []
    for batch in batches(reads, _NUMBERS_AT_ONCE):
        found.append(network(padded([reads[place] for place in batch], device)).float())
        places += batch
    rows = torch.zeros(len(reads), network.dim, device=device)  # (b, dim)
    if places:
        rows[torch.tensor(places, device=device)] = torch.cat(found)
    return rows
