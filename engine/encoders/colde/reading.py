"""Reads chunks of many documents with a backbone: in batches of like lengths, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from engine.core.rows import DenseRows
from engine.encoders.colde.backbone import Backbone
from engine.encoders.colde.cutting import CutDocument
from engine.encoders.processor import within_memory
from engine.encoders.transformer import batches, tokens_at_once

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Numbered:
    """Chunks with their section and chunk numbers for the embeddings: token ids, (c,), (c,)."""

    tokens: Sequence[Sequence[int]]
    sections: Numbers
    chunks: Numbers


def numbered(cut: CutDocument, *, sections: int) -> Numbered:
    """Number a document's chunks, divided into `sections` stretches with as equal counts as possible.

    Training makes two sections of a long document (CoLDE, section 3.1); one section numbers all chunks in a row, as the
    paper's test does (section 4.2).
    """
    section = stretch_of(len(cut.tokens), sections)  # (c,)
    first = np.searchsorted(section, section)  # (c,) the first chunk of the same stretch
    return Numbered(cut.tokens, section, np.arange(len(section)) - first)


def stretch_of(count: int, sections: int) -> Numbers:
    """Which of `sections` stretches each of `count` chunks lies in: (count,), rising."""
    return np.asarray(np.arange(count) * sections // max(1, count), np.int64)


def read_chunks(
    backbone: Backbone, documents: Sequence[Numbered], *, done: Callable[[int], None] | None = None
) -> list[DenseRows]:
    """Vectors of every chunk: one (c, d) a document; (0, d) for a document without chunks.

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
    """The backbone's vectors (b, d) of b chunks, on the processor."""

    def read(rows: slice) -> torch.Tensor:
        found: torch.Tensor = backbone(*(one[rows].to(device) for one in parts))
        return found.cpu()

    return within_memory(read, len(parts[0]))


def as_tensors(tokens: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids padded to the longest: (b, t), and lengths (b,)."""
    lengths = torch.tensor([len(ids) for ids in tokens])
    padded = torch.zeros(len(tokens), max(1, int(lengths.max())), dtype=torch.long)  # (b, t)
    for row, ids in enumerate(tokens):
        padded[row, : len(ids)] = torch.tensor(ids, dtype=torch.long)
    return padded, lengths


def padded(rows: Sequence[DenseRows]) -> tuple[torch.Tensor, torch.Tensor]:
    """Chunk vectors (c_i, d) of m sections as one (m, c, d), and which of them are chunks, (m, c)."""
    counts = np.array([len(one) for one in rows])
    inside = np.arange(counts.max()) < counts[:, None]  # (m, c)
    filled = np.zeros((*inside.shape, rows[0].shape[1]), np.float32)  # (m, c, d)
    filled[inside] = np.concatenate(rows)
    return torch.from_numpy(filled), torch.from_numpy(inside)
