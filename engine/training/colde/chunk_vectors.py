"""Keeps a frozen backbone's vectors of a corpus's chunks, so that only the layers above it are trained again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders.colde import Backbone, Cutter, numbered, read_chunks

_SHARD = 64  # documents: how many an interrupted run reads again at most
_ARRAYS, _ABOUT = "vectors.safetensors", "about.json"


@dataclass(frozen=True, slots=True)
class ChunkVectors:
    """Chunk vectors of n documents: `rows` (c, d) in half precision, document i's from starts[i] to starts[i + 1]."""

    names: tuple[str, ...]
    rows: NDArray[np.float16]
    starts: NDArray[np.int64]

    def of(self, place: int) -> DenseRows:
        """The chunk vectors (c_i, d) of the document at a place."""
        return self.rows[self.starts[place] : self.starts[place + 1]].astype(np.float32)

    @classmethod
    def joined(cls, parts: Sequence[ChunkVectors]) -> ChunkVectors:
        """Several, end to end. Raises ValueError if `parts` is empty."""
        lengths = np.concatenate([np.diff(part.starts) for part in parts])
        return cls(
            tuple(name for part in parts for name in part.names),
            np.concatenate([part.rows for part in parts]),
            np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        )


def read_chunk_vectors(
    documents: Sequence[Document],
    reader: tuple[Backbone, Cutter],
    *,
    sections: int,
    cache: Path,
    report: Report = silent,
) -> ChunkVectors:
    """The chunk vectors of documents in their order, from `cache` where these same ones were read before.

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
    """Names documents with all of their text."""
    parts = ((part.role, part.title, part.text) for document in documents for part in document.parts)
    ids = [document.id for document in documents]
    return files.fingerprint(*ids, *(text for part in parts for text in part))


def _write(folder: Path, names: Sequence[str], rows: Sequence[DenseRows]) -> None:
    starts = np.concatenate([[0], np.cumsum([len(one) for one in rows])]).astype(np.int64)
    with files.new_folder(folder) as new:
        digest = files.write_arrays(new / _ARRAYS, {"rows": np.concatenate(rows).astype(np.float16), "starts": starts})
        files.write_json(new / _ABOUT, {"sha256": digest, "names": list(names)})


def _read(folder: Path) -> ChunkVectors:
    about = files.read_json(folder / _ABOUT)
    return ChunkVectors(names=tuple(about["names"]), **files.read_arrays(folder / _ARRAYS, about["sha256"]))
