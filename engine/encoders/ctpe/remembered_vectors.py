"""Token vectors of a frozen transformer, kept while the same texts are read repeatedly.

Training needs a half's vectors in each epoch, for its own document and as a negative, and validation needs them again:
this way a transformer reads each half once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

import torch
from torch import Tensor

from engine.encoders.ctpe.embeddings import Numbers

Read = Callable[[Sequence[Sequence[int]]], tuple[Tensor, Tensor]]
"""Token ids of b texts to vectors (b, t, dim) and lengths (b,)."""

_MOST_BYTES, _MOST_SHARE = 8 << 30, 1 / 3


class RememberedVectors:
    """Vectors by model and text, in half precision; beyond `most_bytes` the oldest are dropped."""

    def __init__(self, most_bytes: int) -> None:
        """Take the most that may be held."""
        self._most, self._bytes = most_bytes, 0
        self._held: dict[tuple[str, bytes], Tensor] = {}  # each (t, dim), the oldest first

    def vectors(self, model: str, texts: Sequence[Numbers], read: Read) -> tuple[Tensor, Tensor]:
        """Vectors (b, t, dim) and lengths (b,) of token numbers; only new texts are read; t >= 1."""
        keys = [(model, ids.tobytes()) for ids in texts]
        wanted = {key: ids for key, ids in zip(keys, texts, strict=True) if key not in self._held}
        found = {key: self._held[key] for key in keys if key not in wanted}
        if wanted:
            vectors, lengths = read([ids.tolist() for ids in wanted.values()])
            half = torch.float16 if vectors.dtype == torch.float32 else vectors.dtype
            for key, row, length in zip(wanted, vectors, lengths.tolist(), strict=True):
                found[key] = row[:length].to(half, copy=True)
                self._keep(key, found[key])
        return _padded([found[key] for key in keys])

    def _keep(self, key: tuple[str, bytes], vectors: Tensor) -> None:
        self._held[key] = vectors
        self._bytes += vectors.nbytes
        while self._bytes > self._most:
            self._bytes -= self._held.pop(next(iter(self._held))).nbytes


def _padded(rows: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """Vectors (b, t, dim), zeros beyond each length, and lengths (b,), in the precision that was kept."""
    lengths = torch.tensor([len(row) for row in rows])
    precision = torch.float32 if rows[0].dtype == torch.float16 else rows[0].dtype
    vectors = torch.zeros(len(rows), max(1, int(lengths.max())), rows[0].shape[1], dtype=precision)
    for row, place in zip(rows, vectors, strict=True):
        place[: len(row)] = row
    return vectors, lengths


_remembered: ContextVar[RememberedVectors | None] = ContextVar("remembered_vectors", default=None)


@contextmanager
def remembering(most_bytes: int | None = None) -> Iterator[None]:
    """Within it a transformer reads each text once for CTPE's network, as far as memory allows.

    By default that is 8 GiB, or a third of the machine's memory where that is less.
    """
    if most_bytes is None:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        most_bytes = min(_MOST_BYTES, int(_MOST_SHARE * memory))
    token = _remembered.set(RememberedVectors(most_bytes))
    try:
        yield
    finally:
        _remembered.reset(token)


def remembered() -> RememberedVectors | None:
    """The vectors in memory; None outside `remembering`."""
    return _remembered.get()
