"""CoLDE's network (CoLDE, sections 3.1 and 3.2).

A transformer gives one vector a chunk, aware of its section and its number there. Above it, chunks attend to each
other, a BiLSTM reads them, and a projection makes one vector. `read_chunks` reads many documents in bounded memory.

"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import normalize
from torch.nn.utils.rnn import pack_padded_sequence

from engine.core.rows import DenseRows, Positions, batches
from engine.encoders.colde.long_documents import CutDocument
from engine.encoders.colde.settings import ColdeSettings
from engine.encoders.processor import within_memory
from engine.encoders.transformer import tokens_at_once

_SPREAD = 0.02  # standard deviation of embeddings before training, as transformers draw theirs
_CHUNKS_AT_ONCE = 512  # attend at once: the weights of a book's few thousand chunks would be a gigabyte


class Backbone(nn.Module):
    """A `transformers` model with learned section and chunk embeddings added to its words (CoLDE, section 3.1).

    Both embeddings are added to the word vectors before the model adds its position embeddings. They start at zero, so
    that an untrained backbone reads as its transformer does. Numbers beyond the tables use their last rows.
    """

    def __init__(self, model: Any, settings: ColdeSettings) -> None:  # noqa: ANN401  a `transformers` class without types
        """Take an encoder model of hidden size d; the settings say how many sections and chunks to tell apart."""
        super().__init__()
        self.model, self.pooling = model, settings.pooling
        if getattr(model, "pooler", None) is not None:
            model.pooler = None  # chunk vectors do not use it, and many checkpoints lack its weights
        self.dim: int = model.config.hidden_size
        self.sections = nn.Embedding(settings.section_numbers, self.dim)
        self.chunks = nn.Embedding(settings.chunk_numbers, self.dim)
        for table in self.added:
            nn.init.zeros_(table.weight)

    def scatter(self) -> None:
        """Draw both embeddings at random, so that they can learn."""
        for table in self.added:
            nn.init.normal_(table.weight, std=_SPREAD)

    @property
    def added(self) -> tuple[nn.Embedding, nn.Embedding]:
        """The embeddings that are added to words: of sections, of chunks."""
        return self.sections, self.chunks

    def forward(self, tokens: Tensor, lengths: Tensor, sections: Tensor, chunks: Tensor) -> Tensor:
        """Return the vectors (b, d) of chunks: token ids (b, t) with lengths (b,), numbers of sections and chunks (b,).

        A vector is the mean of the token vectors within a chunk's length, or the first token's.
        """
        words = self.model.get_input_embeddings()(tokens)  # (b, t, d)
        words = words + (_rows(self.sections, sections) + _rows(self.chunks, chunks))[:, None]  # (b, t, d)
        inside = torch.arange(tokens.shape[1], device=tokens.device) < lengths[:, None]  # (b, t)
        states: Tensor = self.model(inputs_embeds=words, attention_mask=inside.long()).last_hidden_state  # (b, t, d)
        if self.pooling == "first":
            return states[:, 0].float()
        total = (states.float() * inside[..., None]).sum(1)  # (b, d)
        return total / lengths.clamp(min=1)[:, None]


def _rows(table: nn.Embedding, numbers: Tensor) -> Tensor:
    rows: Tensor = table(numbers.clamp(max=table.num_embeddings - 1))
    return rows


class ChunkAttention(nn.Module):
    """Scaled dot-product attention of h heads between the chunks of two sections (CoLDE, section 3.2)."""

    def __init__(self, dim: int, heads: int) -> None:
        """Take the size d of chunk vectors, a multiple of the number of heads."""
        super().__init__()
        self.heads = heads
        self.queries, self.keys, self.values = (nn.Linear(dim, dim) for _ in range(3))

    def forward(self, ours: Tensor, theirs: Tensor, inside: Tensor) -> tuple[Tensor, Tensor]:
        """Return what chunks `ours` (n, c, d) take from `theirs` (n, k, d); only those `inside` (n, k) are real.

        Gives (n, c, d) and the weights (n, h, c, k), rows summing to 1; zeros where none of theirs is inside.
        """
        queries, keys, values = self._split(self.queries(ours)), self._split(self.keys(theirs)), self.values(theirs)
        scores = queries @ keys.transpose(-1, -2) / math.sqrt(queries.shape[-1])  # (n, h, c, k)
        masked = scores.float().masked_fill(~inside[:, None, None], -torch.inf)
        weights = masked.softmax(-1).nan_to_num(0)  # (n, h, c, k)
        taken = weights.to(values.dtype) @ self._split(values)  # (n, h, c, d / h)
        return taken.transpose(1, 2).flatten(2), weights

    def _split(self, rows: Tensor) -> Tensor:
        """Turn (n, c, d) into (n, h, c, d / h)."""
        return rows.reshape(*rows.shape[:2], self.heads, -1).transpose(1, 2)


class ColdeHead(nn.Module):
    """Chunk vectors of sections to one vector a section, at unit length (CoLDE, section 3.2).

    Section i's chunks attend to section i + 1's, the last one's to the first's, and a single section's to each other.
    Each chunk, joined with what it took, goes in order through a BiLSTM, whose last states are projected. `aggregation`
    "mean" is the ablation -LSTM, which projects the mean of the chunks.

    Beyond the paper, `space_dim` maps every chunk vector first (0 = off), and `skip` adds a projection of the chunks'
    mean to the BiLSTM's, which then starts at zero, so that training starts from the mean.
    """

    def __init__(self, chunk_dim: int, settings: ColdeSettings | None = None) -> None:
        """Take the size d of chunk vectors; the paper's sizes, unless others are given."""
        super().__init__()
        settings = settings or ColdeSettings()
        self.chunk_dim, self.dim = chunk_dim, settings.dim
        self.space = nn.Linear(chunk_dim, settings.space_dim) if settings.space_dim else None
        inner = settings.space_dim or chunk_dim
        ordered = settings.aggregation == "lstm"
        self.attention = ChunkAttention(inner, settings.heads) if ordered else None
        half = settings.lstm_dim // 2  # a direction
        self.lstm = nn.LSTM(2 * inner, half, batch_first=True, bidirectional=True) if ordered else None
        self.projection = nn.Linear(settings.lstm_dim if ordered else inner, settings.dim)
        self.skip = nn.Linear(inner, settings.dim, bias=False) if settings.skip and ordered else None
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
        """Map chunk vectors (..., d) to where they are compared: (..., space_dim); unchanged without a map."""
        found: Tensor = chunks if self.space is None else self.space(chunks)
        return found

    def attends(self, ours: Tensor, theirs: Tensor) -> Tensor | None:
        """Return how much chunks (c, d) attend to others (k, d), averaged over heads: (c, k); None for -LSTM."""
        if self.attention is None:
            return None
        inside = torch.ones(1, len(theirs), dtype=torch.bool, device=theirs.device)
        keys = self.spaced(theirs)[None]
        some = torch.split(self.spaced(ours)[None], _CHUNKS_AT_ONCE, dim=1)
        return torch.cat([self.attention(rows, keys, inside)[1][0].mean(0) for rows in some])

    def forward(self, chunks: Tensor, inside: Tensor) -> Tensor:
        """Return section vectors (n, s, dim) from chunk vectors (n, s, c, d); only chunks `inside` (n, s, c) are read.

        A section's chunks come first, its padding after them; a section without chunks gives zeros.
        """
        ours = chunks.flatten(0, 1), inside.flatten(0, 1)  # (ns, c, d), (ns, c)
        places = _following(inside.any(-1))  # (n, s)
        rows = torch.arange(len(places), device=places.device)[:, None]
        following = chunks[rows, places].flatten(0, 1), inside[rows, places].flatten(0, 1)
        return self.vectors(ours, following).reshape(*inside.shape[:2], -1)

    def vectors(self, ours: tuple[Tensor, Tensor], following: tuple[Tensor, Tensor]) -> Tensor:
        """Return the vectors (m, dim) of m sections: chunks (m, c, d) with a mask (m, c), and those they attend to."""
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
    """Return for each section the place of the next one with chunks, cyclically; its own if none has.

    `filled` (n, s) says which have any; gives (n, s).
    """
    count = filled.shape[1]
    own = torch.arange(count, device=filled.device)
    places = own.expand_as(filled).clone()
    for step in range(count - 1, 0, -1):
        places = torch.where(filled.roll(-step, 1), (own + step) % count, places)
    return places


@dataclass(frozen=True, slots=True)
class Numbered:
    """Chunks with their section and chunk numbers for the embeddings: token ids, (c,), (c,)."""

    tokens: Sequence[Sequence[int]]
    sections: Positions
    chunks: Positions


def numbered(cut: CutDocument, *, sections: int) -> Numbered:
    """Number a document's chunks, divided into `sections` stretches with as equal counts as possible.

    Training makes two sections of a long document (CoLDE, section 3.1); one section numbers all chunks in a row, as the
    paper's test does (section 4.2).
    """
    section = stretch_of(len(cut.tokens), sections)  # (c,)
    first = np.searchsorted(section, section)  # (c,) the first chunk of the same stretch
    return Numbered(cut.tokens, section, np.arange(len(section)) - first)


def stretch_of(count: int, sections: int) -> Positions:
    """Tell which of `sections` stretches each of `count` chunks lies in: (count,), rising."""
    return np.asarray(np.arange(count) * sections // max(1, count), np.int64)


def read_chunks(
    backbone: Backbone, documents: Sequence[Numbered], *, done: Callable[[int], None] | None = None
) -> list[DenseRows]:
    """Return the vectors of every chunk: one (c, d) a document; (0, d) for a document without chunks.

    `done` is told how many chunks each batch had.
    """
    tokens = [ids for one in documents for ids in one.tokens]
    sections = np.concatenate([one.sections for one in documents]) if documents else np.zeros(0, np.int64)
    chunks = np.concatenate([one.chunks for one in documents]) if documents else np.zeros(0, np.int64)
    rows = np.zeros((len(tokens), backbone.dim), np.float32)
    device = backbone.sections.weight.device
    most = tokens_at_once(device.type)
    with torch.inference_mode():
        for places in batches([len(ids) for ids in tokens], most):
            ids, lengths = as_tensors([tokens[place] for place in places])  # (b, t), (b,)
            parts = (ids, lengths, torch.from_numpy(sections[places]), torch.from_numpy(chunks[places]))
            rows[places] = _vectors(backbone, parts, device).numpy()
            if done is not None:
                done(len(places))
    ends = np.cumsum([len(one.tokens) for one in documents])
    return np.split(rows, ends[:-1]) if documents else []


def _vectors(backbone: Backbone, parts: Sequence[torch.Tensor], device: torch.device) -> torch.Tensor:
    """Return the backbone's vectors (b, d) of b chunks, on the processor."""

    def read(rows: slice) -> torch.Tensor:
        found: torch.Tensor = backbone(*(one[rows].to(device) for one in parts))
        return found.cpu()

    return within_memory(read, len(parts[0]))


def as_tensors(tokens: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return token ids padded to the longest: (b, t), and lengths (b,)."""
    lengths = torch.tensor([len(ids) for ids in tokens])
    padded = torch.zeros(len(tokens), max(1, int(lengths.max())), dtype=torch.long)  # (b, t)
    for row, ids in enumerate(tokens):
        padded[row, : len(ids)] = torch.tensor(ids, dtype=torch.long)
    return padded, lengths


def padded(rows: Sequence[DenseRows]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the chunk vectors (c_i, d) of m sections as one (m, c, d), and which of them are chunks, (m, c)."""
    counts = np.array([len(one) for one in rows])
    inside = np.arange(counts.max()) < counts[:, None]  # (m, c)
    filled = np.zeros((*inside.shape, rows[0].shape[1]), np.float32)  # (m, c, d)
    filled[inside] = np.concatenate(rows)
    return torch.from_numpy(filled), torch.from_numpy(inside)
