"""Points in blobs."""

from __future__ import annotations

import numpy as np


def blobs(sizes: list[int], spread: float = 0.3, seed: int = 3) -> np.ndarray:
    random = np.random.default_rng(seed)
    centres = [(10.0 * number, 4.0 * (number % 2)) for number in range(len(sizes))]
    points = [random.normal(centre, spread, size=(size, 2)) for centre, size in zip(centres, sizes, strict=True)]
    return np.concatenate(points).astype(np.float32)
