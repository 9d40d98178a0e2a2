"""Documents as matchers read them, drawn by chance."""

from __future__ import annotations

import numpy as np

from engine.research.matchers.networks import Kind, Read, reads_words
from tests.research.matchers.small import lexicon


def a_read(kind: Kind, rows: list[int], *, seed: int) -> Read:
    generator = np.random.default_rng(seed)
    numbers = generator.integers(0, len(lexicon(kind).words), sum(rows)).astype(np.int32)
    weights = None if reads_words(kind) else generator.random(sum(rows)).astype(np.float32)
    return Read(numbers, np.array(rows, np.int64), weights)


def some_reads(kind: Kind) -> list[Read]:
    """Documents of one and of many words; in rows where the kind has them."""
    shapes = [[1], [2, 1], [5, 3, 1], [4] * 9, [5] * 20]
    if kind not in ("han", "smith"):
        shapes = [[sum(rows)] for rows in shapes]
    return [a_read(kind, rows, seed=number) for number, rows in enumerate(shapes)]
