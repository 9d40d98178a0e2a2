"""CoLDE above its transformer: attention between chunks, a BiLSTM over them, and a projection to one vector."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize
from torch.nn.utils.rnn import pack_padded_sequence

Aggregation = Literal["lstm", "mean"]
_CHUNKS_AT_ONCE = 512  # attend at once: the weights of a book's few thousand chunks would be a gigabyte


@dataclass(frozen=True, slots=True)
class HeadShape:
    """The sizes of a head: `lstm_dim` counts both directions."""

    heads: int = 4
    lstm_dim: int = 512
    dim: int = 256
    aggregation: Aggregation = "lstm"
    skip: bool = False
    space_dim: int = 0


class ChunkAttention(nn.Module):
    """Scaled dot-product attention of h heads between the chunks of two sections (CoLDE, section 3.2)."""

    def __init__(self, dim: int, heads: int) -> None:
        """Take the size d of chunk vectors, a multiple of the number of heads."""
        super().__init__()
        self.heads = heads
        self.queries, self.keys, self.values = (nn.Linear(dim, dim) for _ in range(3))

    def forward(self, ours: Tensor, theirs: Tensor, inside: Tensor) -> tuple[Tensor, Tensor]:
        """What chunks `ours` (n, c, d) take from `theirs` (n, k, d); only those `inside` (n, k) are real.

        Gives (n, c, d) and the weights (n, h, c, k), rows summing to 1; zeros where none of theirs is inside.
        """
        queries, keys, values = self._split(self.queries(ours)), self._split(self.keys(theirs)), self.values(theirs)
        scores = queries @ keys.transpose(-1, -2) / math.sqrt(queries.shape[-1])  # (n, h, c, k)
        masked = scores.float().masked_fill(~inside[:, None, None], -torch.inf)
        weights = masked.softmax(-1).nan_to_num(0)  # (n, h, c, k)
        taken = weights.to(values.dtype) @ self._split(values)  # (n, h, c, d / h)
        return taken.transpose(1, 2).flatten(2), weights

    def _split(self, rows: Tensor) -> Tensor:
        """(n, c, d) to (n, h, c, d / h)."""
        return rows.reshape(*rows.shape[:2], self.heads, -1).transpose(1, 2)


class ColdeHead(nn.Module):
    """Chunk vectors of sections to one vector a section, at unit length (CoLDE, section 3.2).

    Section i's chunks attend to section i + 1's, the last one's to the first's, and a single section's to each other.
    Each chunk, joined with what it took, goes in order through a BiLSTM, whose last states are projected. `aggregation`
    "mean" is the ablation -LSTM, which projects the mean of the chunks.

    Beyond the paper, `space_dim` maps every chunk vector first (0 = off), and `skip` adds a projection of the chunks'
    mean to the BiLSTM's, which then starts at zero, so that training starts from the mean.
    """

    def __init__(self, chunk_dim: int, shape: HeadShape | None = None) -> None:
        """Take the size d of chunk vectors; the paper's sizes, unless others are given."""
        super().__init__()
        shape = shape or HeadShape()
        self.chunk_dim, self.dim = chunk_dim, shape.dim
        self.space = nn.Linear(chunk_dim, shape.space_dim) if shape.space_dim else None
        inner = shape.space_dim or chunk_dim
        ordered = shape.aggregation == "lstm"
        self.attention = ChunkAttention(inner, shape.heads) if ordered else None
        self.lstm = nn.LSTM(2 * inner, shape.lstm_dim // 2, batch_first=True, bidirectional=True) if ordered else None
        self.projection = nn.Linear(shape.lstm_dim if ordered else inner, shape.dim)
        self.skip = nn.Linear(inner, shape.dim, bias=False) if shape.skip and ordered else None
        if self.skip is not None:
            nn.init.eye_(self.skip.weight)
            nn.init.zeros_(self.projection.weight)
            nn.init.zeros_(self.projection.bias)

    @torch.no_grad()
    def whiten(self, vectors: Tensor, *, power: float) -> None:
        """Start the map of chunk vectors from those of some documents (n, d): centred, along their principal axes.

        An axis is divided by its spread to the power: 0 only turns, 1 makes all spreads equal (Su et al., "Whitening
        Sentence Representations", 2021). Axes beyond the number of vectors are left out. Does nothing without a map.
        """
        if self.space is None:
            return
        mean = vectors.double().mean(0)
        _, spreads, axes = torch.linalg.svd(vectors.double() - mean, full_matrices=False)
        count = min(len(axes), self.space.out_features)
        scale = (spreads[0] / spreads[:count].clamp(min=1e-6 * float(spreads[0]))) ** power
        self.space.weight.zero_()
        self.space.weight[:count] = (axes[:count] * scale[:, None]).to(self.space.weight)
        self.space.bias.copy_(-(self.space.weight.double() @ mean))

    def spaced(self, chunks: Tensor) -> Tensor:
        """Chunk vectors (..., d) in the space where they are compared: (..., space_dim), or unchanged without a map."""
        found: Tensor = chunks if self.space is None else self.space(chunks)
        return found

    def attends(self, ours: Tensor, theirs: Tensor) -> Tensor | None:
        """How much chunks (c, d) attend to others (k, d), averaged over heads: (c, k); None for -LSTM."""
        if self.attention is None:
            return None
        inside = torch.ones(1, len(theirs), dtype=torch.bool, device=theirs.device)
        keys = self.spaced(theirs)[None]
        some = torch.split(self.spaced(ours)[None], _CHUNKS_AT_ONCE, dim=1)
        return torch.cat([self.attention(rows, keys, inside)[1][0].mean(0) for rows in some])

    def forward(self, chunks: Tensor, inside: Tensor) -> Tensor:
        """Section vectors (n, s, dim) from chunk vectors (n, s, c, d); only chunks `inside` (n, s, c) are read.

        A section's chunks come first, its padding after them; a section without chunks gives zeros.
        """
        ours = chunks.flatten(0, 1), inside.flatten(0, 1)  # (ns, c, d), (ns, c)
        places = _following(inside.any(-1))  # (n, s)
        rows = torch.arange(len(places), device=places.device)[:, None]
        following = chunks[rows, places].flatten(0, 1), inside[rows, places].flatten(0, 1)
        return self.vectors(ours, following).reshape(*inside.shape[:2], -1)

    def vectors(self, ours: tuple[Tensor, Tensor], following: tuple[Tensor, Tensor]) -> Tensor:
        """Vectors (m, dim) of m sections: chunks (m, c, d) with a mask (m, c), and what they attend to, (m, k, d)."""
        made = self._aggregated(self.spaced(ours[0]), ours[1], self.spaced(following[0]), following[1])
        return normalize(made.float(), dim=-1) * ours[1].any(1)[:, None]  # (m, dim)

    def _aggregated(self, rows: Tensor, mask: Tensor, following: Tensor, following_mask: Tensor) -> Tensor:
        counts = mask.sum(1)  # (m,)
        mean = (rows * mask[..., None]).sum(1) / counts.clamp(min=1)[:, None]  # (m, d)
        if self.attention is None or self.lstm is None:
            projected: Tensor = self.projection(mean)
            return projected
        some = torch.split(rows, _CHUNKS_AT_ONCE, dim=1)
        taken = torch.cat([self.attention(one, following, following_mask)[0] for one in some], 1)  # (m, c, d)
        steps = torch.cat([rows, taken.to(rows.dtype)], -1)  # (m, c, 2d)
        packed = pack_padded_sequence(steps, counts.clamp(min=1).cpu(), batch_first=True, enforce_sorted=False)
        _, (last, _) = self.lstm(packed)  # (2, m, lstm_dim / 2): the last state of each direction
        out: Tensor = self.projection(torch.cat([last[0], last[1]], -1))  # (m, dim)
        return out if self.skip is None else out + self.skip(mean)


def _following(filled: Tensor) -> Tensor:
    """For each section, the place of the next one with chunks, cyclically; itself if none has.

    `filled` (n, s) says which have any; gives (n, s).
    """
    count = filled.shape[1]
    own = torch.arange(count, device=filled.device)
    places = own.expand_as(filled).clone()
    for step in range(count - 1, 0, -1):
        places = torch.where(filled.roll(-step, 1), (own + step) % count, places)
    return places
