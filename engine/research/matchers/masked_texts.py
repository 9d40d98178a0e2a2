"""Documents as numbers of words in rows, and batches of them as padded tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.encoders.keyvec.network import up_to


@dataclass(frozen=True, slots=True)
class Read:
    """A read document: numbers (t,) of words or trigrams end to end, in r rows of lengths (r,).

    A row is a sentence, a block, or all of the document; none is empty. `weights` (t,) weigh each number.
    """

    numbers: NDArray[np.int32]
    lengths: NDArray[np.int64]
    weights: NDArray[np.float32] | None = None

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Self:
        """Take rows of numbers; empty ones are skipped."""
        kept = [row for row in rows if row]
        flat = [number for row in kept for number in row]
        return cls(np.array(flat, np.int32), np.array([len(row) for row in kept], np.int64))

    def __len__(self) -> int:
        """Return the number of numbers."""
        return len(self.numbers)

    def thinned(self, kept: NDArray[np.bool_]) -> Read:
        """Return the numbers to keep (t,), or all if none would be left."""
        if not kept.any():
            return self
        row_of = np.repeat(np.arange(len(self.lengths)), self.lengths)  # (t,)
        lengths = np.bincount(row_of[kept], minlength=len(self.lengths))
        weights = None if self.weights is None else self.weights[kept]
        return Read(self.numbers[kept], lengths[lengths > 0], weights)


class TextBatch(NamedTuple):
    """A batch of b documents in n rows: numbers (n, w), lengths (n,), and how many rows each document has (b,).

    Values beyond a row's length are padding. `weights` (n, w) are DSSM's counts.
    """

    numbers: Tensor
    lengths: Tensor
    rows: Tensor
    weights: Tensor | None = None

    @property
    def inside(self) -> Tensor:
        """Tell which numbers are within their row's length: (n, w)."""
        return up_to(self.lengths, self.numbers.shape[1])


def padded(reads: Sequence[Read], device: torch.device) -> TextBatch:
    """Return documents as one batch; each has at least one row."""
    lengths = np.concatenate([one.lengths for one in reads])  # (n,)
    inside = np.arange(lengths.max()) < lengths[:, None]  # (n, w)
    numbers = np.zeros(inside.shape, np.int64)
    numbers[inside] = np.concatenate([one.numbers for one in reads])
    given = [one.weights for one in reads if one.weights is not None]
    weights = None
    if given:
        weights = np.zeros(inside.shape, np.float32)
        weights[inside] = np.concatenate(given)
    return TextBatch(
        torch.from_numpy(numbers).to(device),
        torch.from_numpy(lengths).to(device),
        torch.tensor([len(one.lengths) for one in reads], device=device),
        None if weights is None else torch.from_numpy(weights).to(device),
    )


def batches(reads: Sequence[Read], most: int) -> Iterator[list[int]]:
    """Return the places of documents with a word, by size, in batches of at most `most` numbers including padding."""
    order = sorted((place for place, one in enumerate(reads) if len(one)), key=lambda place: len(reads[place]))
    found: list[int] = []
    rows = width = 0
    for place in order:
        lengths = reads[place].lengths
        rows, width = rows + len(lengths), max(width, int(lengths.max()))
        if found and rows * width > most:
            yield found
            found, rows, width = [], len(lengths), int(lengths.max())
        found.append(place)
    if found:
        yield found
