"""What reading documents costs beside each other: a whole paper takes as long as a hundred abstracts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from engine.encoders import TOKENS_EACH
from engine.library import Library

Costs = Callable[[NDArray[np.int64]], NDArray[np.float64]]


def of_whole_texts(tokens: NDArray[np.int64]) -> NDArray[np.float64]:
    """What documents cost, by their numbers of tokens (n,), where they are read to their end: (n,)."""
    return np.asarray(tokens + TOKENS_EACH, np.float64)


def reading_costs(library: Library, ids: Collection[str], costs: Costs = of_whole_texts) -> Mapping[str, float]:
    """What it costs to read each of some documents, by id, in any unit."""
    lengths = library.keywords.lengths()
    tokens = np.array([lengths.get(id_, 0) for id_ in ids], np.int64)
    return dict(zip(ids, costs(tokens).tolist(), strict=True))
