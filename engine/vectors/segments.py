"""Passages of some documents in one file that never changes: their vectors, and their places in the text.

The signs of the vectors, one bit a number, choose the few that a large library compares. Two rows differ in the more
signs the wider the angle between them (Charikar 2002, "Similarity estimation techniques from rounding algorithms",
section 3, whose planes are here the axes). Counting the signs in which a million rows of 384 numbers differ from a
question's takes a tenth of the time of their products. They are taken from the rows when a search first needs them, in
48 bytes a passage of memory, and stand in no file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.errors import StorageError
from engine.core.rows import DenseRows
from engine.documents import Chunk
from engine.vectors.packed import PackedRows

_WORD = 64
_SIGNS_AT_ONCE = 8_192  # what is counted of them stays in the processor's cache
_SUFFIX = ".safetensors"
_ARRAYS = ("ids", "counts", "codes", "steps", "parts", "starts", "lengths")


@dataclass(frozen=True, slots=True)
class ReadPassages:
    """A document's passages (n,) in reading order, and their vectors (n, dim)."""

    id: str
    passages: Sequence[Chunk]
    rows: DenseRows


@dataclass(frozen=True)
class Segment:
    """The passages of m documents end to end: n in all.

    `counts` (m,) are passages a document, `rows` (n, dim) their vectors as bytes. `parts`, `starts` and `lengths` (n,)
    say which part of its document a passage is from, and which characters of it.
    """

    name: str
    ids: tuple[str, ...]
    counts: NDArray[np.int64]
    rows: PackedRows
    parts: NDArray[np.uint16]
    starts: NDArray[np.uint32]
    lengths: NDArray[np.uint32]

    @classmethod
    def of(cls, read: Sequence[ReadPassages], dim: int) -> Self:
        """Return a new segment of documents in their order."""
        chunks = [chunk for one in read for chunk in one.passages]
        rows = np.concatenate([np.zeros((0, dim), np.float32), *(one.rows for one in read)])
        return cls(
            uuid4().hex,
            tuple(one.id for one in read),
            np.array([len(one.passages) for one in read], np.int64),
            PackedRows.of(np.asarray(rows, np.float32), "int8"),
            np.array([chunk.part for chunk in chunks], np.uint16),
            np.array([chunk.start for chunk in chunks], np.uint32),
            np.array([chunk.stop - chunk.start for chunk in chunks], np.uint32),
        )

    @classmethod
    def joined(cls, parts: Sequence[tuple[Segment, NDArray[np.bool_]]], dim: int) -> Self:
        """One segment of several, each with which of its documents (m,) stay."""
        both = [(one, kept, np.repeat(kept, one.counts)) for one, kept in parts]  # rows: (n,)
        return cls(
            uuid4().hex,
            tuple(name for one, kept, _ in both for name, stays in zip(one.ids, kept.tolist(), strict=True) if stays),
            np.concatenate([one.counts[kept] for one, kept, _ in both]),
            PackedRows.joined([one.rows.take(np.flatnonzero(own)) for one, _, own in both], dim=dim, precision="int8"),
            np.concatenate([one.parts[own] for one, _, own in both]),
            np.concatenate([one.starts[own] for one, _, own in both]),
            np.concatenate([one.lengths[own] for one, _, own in both]),
        )

    @classmethod
    def read(cls, folder: Path, name: str, sha256: str) -> Self:
        """What `write` wrote, read from the disk as it is used. Raises StorageError where it is missing or damaged."""
        arrays = files.map_arrays(folder / f"{name}{_SUFFIX}", sha256)
        if missing := [one for one in _ARRAYS if one not in arrays]:
            raise StorageError(
                f"Expected the array {missing[0]} in a segment of passages; it is missing. Read the passages again."
            )
        ids = json.loads(arrays["ids"].tobytes())
        rows = PackedRows.from_arrays({"rows": arrays["codes"], "steps": arrays["steps"]}, "int8")
        places = (arrays["parts"], arrays["starts"], arrays["lengths"])
        return cls(name, tuple(ids), np.array(arrays["counts"], np.int64), rows, *places)

    def write(self, folder: Path) -> str:
        """Write the segment; returns the file's sha256."""
        arrays: dict[str, NDArray[Any]] = {
            "ids": np.frombuffer(json.dumps(self.ids, ensure_ascii=False).encode(), np.uint8),
            "counts": self.counts.astype(np.uint32),
            "codes": self.rows.codes,
            "steps": np.asarray(self.rows.steps, np.float32),
            "parts": self.parts,
            "starts": self.starts,
            "lengths": self.lengths,
        }
        return files.write_arrays(folder / f"{self.name}{_SUFFIX}", arrays)

    @cached_property
    def signs(self) -> Signs:
        """The signs of the rows, for a search that compares only some."""
        return Signs.of(self.rows.codes)

    def __len__(self) -> int:
        """Return how many passages it holds, those of removed documents included."""
        return len(self.parts)


@dataclass(frozen=True, slots=True)
class Signs:
    """Whether each number of n rows is at least 0: bits in words (w, n), the first word of all rows first."""

    words: NDArray[np.uint64]

    @classmethod
    def of(cls, rows: NDArray[Any]) -> Self:
        """Return the signs of rows (n, dim) of any type."""
        size, dim = rows.shape
        words = np.empty((-(-dim // _WORD), size), np.uint64)
        for first in range(0, size, _SIGNS_AT_ONCE):
            bits = np.packbits(rows[first : first + _SIGNS_AT_ONCE] >= 0, axis=1)
            whole = np.zeros((len(bits), len(words) * _WORD // 8), np.uint8)
            whole[:, : bits.shape[1]] = bits
            words[:, first : first + _SIGNS_AT_ONCE] = whole.view(np.uint64).T
        return cls(words)

    def differing(self, row: NDArray[np.float32]) -> NDArray[np.uint16]:
        """In how many signs each row differs from one (dim,): (n,)."""
        own = Signs.of(row[None]).words  # (w, 1)
        found = np.empty(self.words.shape[1], np.uint16)
        for first in range(0, len(found), _SIGNS_AT_ONCE):
            block = self.words[:, first : first + _SIGNS_AT_ONCE] ^ own
            found[first : first + _SIGNS_AT_ONCE] = np.bitwise_count(block).sum(axis=0, dtype=np.uint16)
        return found


def fewest(differing: NDArray[np.uint16], most: int, among: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the places of about `most` of the rows `among` (n,) that differ in fewest signs (n,), in their order.

    Of rows that differ alike all are taken, so that they may be more.
    """
    counts = np.bincount(differing[among])
    up_to = int(np.searchsorted(np.cumsum(counts), most))
    return np.flatnonzero((differing <= up_to) & among)


def forget_file(folder: Path, name: str) -> None:
    """Remove a segment's file, if it is there."""
    (folder / f"{name}{_SUFFIX}").unlink(missing_ok=True)
