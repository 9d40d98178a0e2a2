"""One linear map that shortens CTPE's rows: the same for both halves, so that they stay in one space."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import EncoderError
from engine.core.rows import DenseRows
from engine.encoders.counts import unit_length

_ROWS_AT_ONCE = 2048


@dataclass(frozen=True)
class Reduction:
    """Halves of m numbers to d: subtract the mean (m,), then project on components (m, d) in half precision.

    m is the network's 4 n_f, or more where it has a mean branch. The mean is that of the fitted halves if `centred`,
    else zero. With `summed`, the sums of documents' halves are reduced instead of halves.
    """

    mean: NDArray[np.float32]
    components: NDArray[np.float16]
    centred: bool

    def __post_init__(self) -> None:
        """Lay the numbers out as they are read from disk, so that products are the same to the last bit."""
        object.__setattr__(self, "mean", np.ascontiguousarray(self.mean, np.float32))
        object.__setattr__(self, "components", np.ascontiguousarray(self.components, np.float16))

    @property
    def dim(self) -> int:
        """The length of a reduced half, d."""
        return int(self.components.shape[1])

    @classmethod
    def fit(cls, rows: DenseRows, *more: DenseRows, dim: int, centred: bool = True) -> Self:
        """Find the `dim` directions in which halves (n, m), of all sides together, spread the most (PCA).

        Where `centred` is False the mean stays in, and they are the directions of the largest inner products. Halves
        without text are left out. Raises EncoderError for fewer halves or numbers than directions.
        """
        width, count = rows.shape[1], 0
        total, products = np.zeros(width), np.zeros((width, width))
        for side in (rows, *more):
            for start in range(0, len(side), _ROWS_AT_ONCE):
                part = side[start : start + _ROWS_AT_ONCE]
                part = unit_length(part[part.any(axis=1)])
                count, total, products = count + len(part), total + part.sum(axis=0), products + part.T @ part
        if not 1 <= dim <= min(count, width):
            raise EncoderError(
                f"Expected a dimension from 1 to {min(count, width)}, as {count} halves of {width} numbers allow; got "
                f"{dim}. Ask for fewer or give more documents."
            )
        mean = total / count if centred else np.zeros(width)
        return cls(mean.astype(np.float32), _largest(products / count - np.outer(mean, mean), dim), centred)

    @cached_property
    def _whole(self) -> NDArray[np.float32]:
        """The components (m, d) in float32: widening them for each document would take longer than encoding it."""
        return self.components.astype(np.float32)

    def apply(self, halves: DenseRows) -> DenseRows:
        """Halves (n, m) to unit length rows (n, d); a half without text stays zeros."""
        reduced = np.asarray((unit_length(halves) - self.mean) @ self._whole, np.float32)  # (n, d)
        reduced[~halves.any(axis=1)] = 0
        return unit_length(reduced)


def summed(former: DenseRows, latter: DenseRows) -> DenseRows:
    """One unit length row a document, (n, m), the sum of its halves (n, m) each at unit length."""
    return unit_length(unit_length(former) + unit_length(latter))


def _largest(symmetric: NDArray[np.float64], count: int) -> NDArray[np.float16]:
    """The eigenvectors (n, count) of the largest eigenvalues of a symmetric matrix (n, n), the largest first."""
    from scipy.linalg import eigh

    size = len(symmetric)
    _, vectors = eigh(symmetric, subset_by_index=[size - count, size - 1])
    return np.asarray(vectors[:, ::-1], np.float16)
