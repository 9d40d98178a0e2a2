"""Chunk vectors of documents: kept of a frozen transformer, read at every step, or remembered by their tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from engine.core import files
from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows, Positions, batches
from engine.documents import Document
from engine.encoders.colde import (
    Backbone,
    ColdeEncoder,
    CutDocument,
    Cutter,
    Numbered,
    as_tensors,
    numbered,
    read_chunks,
    stretch_of,
)
from engine.training.corpora import bounds

_SHARD = 64  # documents: how many an interrupted run reads again at most
_ARRAYS, _ABOUT = "vectors.safetensors", "about.json"
Vector = NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class ChunkVectors:
    """Chunk vectors of n documents: `rows` (c, d) in half precision, document i's from starts[i] to starts[i + 1]."""

    names: tuple[str, ...]
    rows: NDArray[np.float16]
    starts: NDArray[np.int64]

    def of(self, place: int) -> DenseRows:
        """Return the chunk vectors (c_i, d) of the document at a place."""
        return self.rows[self.starts[place] : self.starts[place + 1]].astype(np.float32)

    @classmethod
    def joined(cls, parts: Sequence[ChunkVectors]) -> ChunkVectors:
        """Join several, end to end. Raises ValueError if `parts` is empty."""
        lengths = np.concatenate([np.diff(part.starts) for part in parts])
        return cls(
            tuple(name for part in parts for name in part.names),
            np.concatenate([part.rows for part in parts]),
            bounds(lengths),
        )


def read_chunk_vectors(
    documents: Sequence[Document],
    reader: tuple[Backbone, Cutter],
    *,
    sections: int,
    cache: Path,
    report: Report = silent,
) -> ChunkVectors:
    """Return the chunk vectors of documents in their order, from `cache` where these same ones were read before.

    `cache` is a folder for what this backbone and this cutter read; its name should say so.
    """
    backbone, cutter = reader
    cache = cache / _name_of(documents)
    shards = [documents[first : first + _SHARD] for first in range(0, len(documents), _SHARD)]
    meter = Meter("read chunks, documents", len(documents), report)
    parts = []
    for number, shard in enumerate(shards):
        folder = cache / f"{number:05d}"
        if not folder.exists():
            rows = read_chunks(backbone, [numbered(cutter.cut(one), sections=sections) for one in shard])
            _write(folder, [one.id for one in shard], rows)
        parts.append(_read(folder))
        meter.add(len(shard))
    meter.finish()
    if not parts:
        return ChunkVectors((), np.zeros((0, backbone.dim), np.float16), np.zeros(1, np.int64))
    return ChunkVectors.joined(parts)


def _name_of(documents: Sequence[Document]) -> str:
    """Return a name that says which documents these are, with all of their text."""
    parts = ((part.role, part.title, part.text) for document in documents for part in document.parts)
    ids = [document.id for document in documents]
    return files.fingerprint(*ids, *(text for part in parts for text in part))


def _write(folder: Path, names: Sequence[str], rows: Sequence[DenseRows]) -> None:
    starts = bounds([len(one) for one in rows])
    with files.new_folder(folder) as new:
        digest = files.write_arrays(new / _ARRAYS, {"rows": np.concatenate(rows).astype(np.float16), "starts": starts})
        files.write_json(new / _ABOUT, {"sha256": digest, "names": list(names)})


def _read(folder: Path) -> ChunkVectors:
    about = files.read_json(folder / _ABOUT)
    return ChunkVectors(names=tuple(about["names"]), **files.read_arrays(folder / _ARRAYS, about["sha256"]))


class ChunkSource(Protocol):
    """The chunks of n documents."""

    def count(self, document: int) -> int:
        """Return how many chunks a document has."""

    def vectors(self, wanted: Sequence[tuple[int, Positions]], *, sections: int) -> list[Tensor]:
        """Return the vectors (c, d) of each document's chunks (c,), numbered as parts of `sections` sections."""

    def trained(self) -> Backbone | None:
        """Return the backbone if it learns."""


class KeptChunks:
    """Chunk vectors that a frozen transformer made once."""

    def __init__(self, vectors: ChunkVectors, device: torch.device) -> None:
        """Take the vectors of every document in order."""
        self._vectors, self._device = vectors, device

    def count(self, document: int) -> int:
        """Return how many chunks a document has."""
        return int(self._vectors.starts[document + 1] - self._vectors.starts[document])

    def vectors(self, wanted: Sequence[tuple[int, Positions]], *, sections: int) -> list[Tensor]:
        """Return chunk vectors as they were kept; their sections were numbered then."""
        del sections
        found = [self._vectors.of(document)[chunks] for document, chunks in wanted]
        return [torch.from_numpy(rows).to(self._device) for rows in found]

    def trained(self) -> None:
        """Return nothing: the transformer stays as it is."""


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
        """Return how many chunks a document has."""
        return len(self._cuts[document].tokens)

    def vectors(self, wanted: Sequence[tuple[int, Positions]], *, sections: int) -> list[Tensor]:
        """Return chunk vectors with gradients."""
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
        """Return the backbone."""
        return self._backbone

    def _numbers(self, wanted: Sequence[tuple[int, Positions]], sections: int) -> tuple[Positions, Positions]:
        """Return each wanted chunk's section and its number there, as when the whole document is read: (b,) each."""
        found = []
        for document, chunks in wanted:
            stretch = stretch_of(self.count(document), sections)  # (c,)
            found.append((stretch[chunks], chunks - np.searchsorted(stretch, stretch[chunks])))
        one, other = zip(*found, strict=True) if found else ((), ())
        return np.concatenate([*one, np.zeros(0, np.int64)]), np.concatenate([*other, np.zeros(0, np.int64)])


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
        """Give the chunk vectors (c, d) of each document, its chunks numbered as `sections` equal stretches."""
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
    """Number what is added to the words of each section and number of a chunk: (s, k), equal where that is."""
    added = backbone.sections.weight[:, None] + backbone.chunks.weight  # (s, k, d)
    _, numbers = np.unique(added.flatten(0, 1).float().cpu().numpy(), axis=0, return_inverse=True)
    return np.asarray(numbers, np.int64).reshape(added.shape[:2])
