"""The weight of a word in a mean, by its frequency (Arora et al., ICLR 2017, equation 3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_A = 1e-3  # Arora et al.'s usual value; 1e-4 to 1e-2 were tried with word2vec-sif, on valid queries only


def weights(frequencies: NDArray[np.float64]) -> NDArray[np.float64]:
    """A / (a + p), (V,), smooth inverse frequency (Arora et al., ICLR 2017, equation 3), from shares p (V,)."""
    return np.asarray(_A / (_A + frequencies), np.float64)


def log_weights(frequencies: NDArray[np.float64]) -> NDArray[np.float32]:
    """The logarithms of `weights`, (V,), which training moves so that weights stay positive."""
    return np.asarray(-np.log1p(frequencies / _A), np.float32)


def mean_occurrence(
    rows: NDArray[np.float32], logs: NDArray[np.float32] | None, frequencies: NDArray[np.float64]
) -> NDArray[np.float32]:
    """The mean of weight * vector over all occurrences of the V words in the counted text: (dim,).

    `rows` (V, dim) are the vectors, `logs` (V,) the weights' logarithms; None weighs all alike.
    """
    share = frequencies / frequencies.sum()  # (V,)
    counts = share if logs is None else share * np.exp(logs.astype(np.float64))
    return np.asarray(counts @ rows.astype(np.float64), np.float32)
