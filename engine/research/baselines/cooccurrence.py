"""How often words occur near each other: the counts that GloVe is trained on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from engine.core.progress import Meter, Report, silent
from engine.research.baselines.word_ids import WordIds

_TOKENS_AT_ONCE = 2_000_000


def count(corpus: WordIds, window: int, *, report: Report = silent) -> csr_array:
    """X (V, V), symmetric: two words d apart in one text add 1 / d, up to `window` (Pennington et al., section 4.2).

    Rows and columns are the corpus's word ids, without zeros.
    """
    size = len(corpus.words)
    text_of = corpus.text_of
    found = csr_array((size, size), dtype=np.float32)
    meter = Meter("count neighbours, words", len(corpus.ids), report)
    for first in range(0, len(corpus.ids), _TOKENS_AT_ONCE):
        stop = min(first + _TOKENS_AT_ONCE, len(corpus.ids))
        found = found + _pairs(corpus.ids, text_of, (first, stop), window=window, size=size)
        meter.add(stop - first)
    meter.finish()
    both: csr_array = (found + found.T).tocsr()
    return both


def _pairs(
    ids: NDArray[np.int32], text_of: NDArray[np.int64], stretch: tuple[int, int], *, window: int, size: int
) -> csr_array:
    """Each word of a stretch [first, stop) with those up to `window` behind it: (V, V)."""
    first, stop = stretch
    lefts, rights, weights = [], [], []
    for distance in range(1, window + 1):
        last = min(stop, len(ids) - distance)
        left, right = slice(first, max(first, last)), slice(first + distance, max(first, last) + distance)
        together = text_of[left] == text_of[right]
        lefts.append(ids[left][together])
        rights.append(ids[right][together])
        weights.append(np.full(int(together.sum()), 1 / distance, np.float32))
    places = (np.concatenate(lefts), np.concatenate(rights))
    return coo_array((np.concatenate(weights), places), shape=(size, size)).tocsr()  # adds up equal places
