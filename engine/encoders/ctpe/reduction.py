"""One linear map that makes the halves of CTPE small, the same for both, so that they stay in one space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine.encoders.counts import unit_length
from engine.errors import EncoderError
from engine.rows import DenseRows

_ROWS_AT_ONCE = 2048


@dataclass(frozen=True)
class Reduction:
    """Halves of 4 n_f numbers to d: the mean (4 n_f,) is taken away, components (4 n_f, d) in half precision remain.

    `centred` says whether the mean is that of the halves it was fitted on, or zero.
    """

    mean: NDArray[np.float32]
    components: NDArray[np.float16]
    centred: bool

    def __post_init__(self) -> None:
        """Lay the numbers out as they come back from disk, so that products are the same to the last bit."""
        object.__setattr__(self, "mean", np.ascontiguousarray(self.mean, np.float32))
        object.__setattr__(self, "components", np.ascontiguousarray(self.components, np.float16))

    @property
    def dim(self) -> int:
        """The length of a reduced half, d."""
        return int(self.components.shape[1])

    @classmethod
    def fit(cls, former: DenseRows, latter: DenseRows, *, dim: int, centred: bool = True) -> Self:
        """Find the `dim` directions in which the halves (n, 4 n_f) of both sides, together, spread the most (PCA).

        Where `centred` is False the mean stays in, and they are the directions of the largest inner products. Halves
        without text are left out. Raises EncoderError where there are fewer halves or numbers than directions.
        """
        width, count, total, products = former.shape[1], 0, np.zeros(former.shape[1]), np.zeros((former.shape[1],) * 2)
        for side in (former, latter):
            for start in range(0, len(side), _ROWS_AT_ONCE):
                rows = side[start : start + _ROWS_AT_ONCE]
                rows = unit_length(rows[rows.any(axis=1)])
                count, total, products = count + len(rows), total + rows.sum(axis=0), products + rows.T @ rows
        if not 1 <= dim <= min(count, width):
            raise EncoderError(
                f"Expected a dimension from 1 to {min(count, width)}, as {count} halves of {width} numbers allow; got "
                f"{dim}. Ask for fewer or give more documents."
            )
        mean = total / count if centred else np.zeros(width)
        return cls(mean.astype(np.float32), _largest(products / count - np.outer(mean, mean), dim), centred)

    def apply(self, halves: DenseRows) -> DenseRows:
        """Halves (n, 4 n_f) to unit length rows (n, d); a row of zeros, a half without text, stays so."""
        reduced = (unit_length(halves) - self.mean) @ self.components.astype(np.float32)  # (n, d)
        reduced[~halves.any(axis=1)] = 0
        return unit_length(reduced)


def _largest(symmetric: NDArray[np.float64], count: int) -> NDArray[np.float16]:
    """The eigenvectors (n, count) of the largest eigenvalues of a symmetric matrix (n, n), the largest first."""
    from scipy.linalg import eigh

    size = len(symmetric)
    _, vectors = eigh(symmetric, subset_by_index=[size - count, size - 1])
    return np.asarray(vectors[:, ::-1], np.float16)
