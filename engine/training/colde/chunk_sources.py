"""Where a training step gets the chunk vectors of its documents: from kept ones, or from the transformer itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from engine.encoders import batches
from engine.encoders.colde import Backbone, CutDocument, as_tensors, stretch_of
from engine.training.colde.chunk_vectors import ChunkVectors

Places = NDArray[np.int64]


class ChunkSource(Protocol):
    """The chunks of n documents."""

    def count(self, document: int) -> int:
        """How many chunks a document has."""

    def vectors(self, wanted: Sequence[tuple[int, Places]], *, sections: int) -> list[Tensor]:
        """Chunk vectors (c, d) of each document's chunks (c,), numbered as parts of `sections` sections."""

    def trained(self) -> Backbone | None:
        """The backbone if it learns."""


class KeptChunks:
    """Chunk vectors that a frozen transformer made once."""

    def __init__(self, vectors: ChunkVectors, device: torch.device) -> None:
        """Take the vectors of every document in order."""
        self._vectors, self._device = vectors, device

    def count(self, document: int) -> int:
        """How many chunks a document has."""
        return int(self._vectors.starts[document + 1] - self._vectors.starts[document])

    def vectors(self, wanted: Sequence[tuple[int, Places]], *, sections: int) -> list[Tensor]:
        """Chunk vectors as they were kept; their sections were numbered then."""
        del sections
        found = [self._vectors.of(document)[chunks] for document, chunks in wanted]
        return [torch.from_numpy(rows).to(self._device) for rows in found]

    def trained(self) -> None:
        """Nothing."""


class ReadChunks:
    """Chunks that are read at every step, so that the transformer and its section and chunk embeddings learn.

    The transformer's activations of at most `tokens_at_once` tokens are held at a time: the vectors of all chunks of
    a step are made first, and each part is read once more when the gradient comes back to it (gradient caching, Gao
    et al., RepL4NLP 2021), so that a batch may be of any size.
    """

    def __init__(self, backbone: Backbone, cuts: Sequence[CutDocument], *, tokens_at_once: int) -> None:
        """Take the backbone on its device, and every document cut."""
        self._backbone, self._cuts, self._most = backbone, cuts, tokens_at_once

    def count(self, document: int) -> int:
        """How many chunks a document has."""
        return len(self._cuts[document].tokens)

    def vectors(self, wanted: Sequence[tuple[int, Places]], *, sections: int) -> list[Tensor]:
        """Chunk vectors with gradients."""
        device = self._backbone.sections.weight.device
        tokens = [self._cuts[document].tokens[place] for document, chunks in wanted for place in chunks.tolist()]
        numbers = self._numbers(wanted, sections)  # (2, b)
        parts = list(batches([len(ids) for ids in tokens], self._most))
        found = []
        for places in parts:
            padded, lengths = (one.to(device) for one in as_tensors([tokens[place] for place in places]))
            section, chunk = (torch.from_numpy(one[places]).to(device) for one in numbers)
            if torch.is_grad_enabled():
                made = checkpoint(self._backbone, padded, lengths, section, chunk, use_reentrant=False)
            else:
                made = self._backbone(padded, lengths, section, chunk)
            found.append(made)  # (b, d)
        order = np.argsort(np.concatenate(parts), kind="stable") if parts else np.zeros(0, np.int64)
        nothing = torch.zeros(0, self._backbone.dim, device=device)
        rows = torch.cat(found)[torch.from_numpy(order).to(device)] if found else nothing
        return list(torch.split(rows, [len(chunks) for _, chunks in wanted]))

    def trained(self) -> Backbone:
        """The backbone."""
        return self._backbone

    def _numbers(self, wanted: Sequence[tuple[int, Places]], sections: int) -> tuple[Places, Places]:
        """The section of each wanted chunk and its number in it, as when the whole document is read: (b,) each."""
        found = []
        for document, chunks in wanted:
            stretch = stretch_of(self.count(document), sections)  # (c,)
            found.append((stretch[chunks], chunks - np.searchsorted(stretch, stretch[chunks])))
        one, other = zip(*found, strict=True) if found else ((), ())
        return np.concatenate([*one, np.zeros(0, np.int64)]), np.concatenate([*other, np.zeros(0, np.int64)])
