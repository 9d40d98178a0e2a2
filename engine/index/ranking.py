"""The k largest of many scores, ties to the earlier position."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def top(scores: NDArray[np.float32], k: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Positions (k,) and scores (k,) of the k largest of n scores, largest first; k <= n."""
    size = len(scores)
    if k < size:
        smallest = np.partition(scores, size - k)[size - k]
        above = np.flatnonzero(scores > smallest)
        level = np.flatnonzero(scores == smallest)[: k - len(above)]
        candidates = np.sort(np.concatenate([above, level]))
    else:
        candidates = np.arange(size)
    order = candidates[np.argsort(-scores[candidates], kind="stable")]
    return order, scores[order]
