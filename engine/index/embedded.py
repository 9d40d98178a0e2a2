"""Search with faiss inside this process: the default index for dense rows."""

from __future__ import annotations

import numpy as np

from engine.index.dense import DenseIndex
from engine.index.ranking import top
from engine.index.stored import Nearest
from engine.rows import DenseRows, Rows


class EmbeddedIndex(DenseIndex):
    """Faiss's brute-force inner product, in blocks over all cores, straight over the rows held.

    It is the search of `faiss.IndexFlatIP` without its second copy of the rows.
    """

    def _nearest(self, queries: Rows, held: Rows, k: int) -> list[Nearest]:
        from faiss import METRIC_INNER_PRODUCT, knn

        asked = min(k + 1, held.shape[0])  # one more shows whether a tie crosses the border
        scores, places = knn(np.asarray(queries), np.asarray(held), asked, metric=METRIC_INNER_PRODUCT)
        return [
            _settled(np.asarray(queries)[number], np.asarray(held), places[number], scores[number], k)
            for number in range(queries.shape[0])
        ]


def _settled(query: DenseRows, held: DenseRows, places: np.ndarray, scores: np.ndarray, k: int) -> Nearest:
    """Faiss's answer with ties in the order added; faiss leaves their order open."""
    whole = places >= 0  # faiss pads a short answer with -1
    places, scores = places[whole], scores[whole]
    if len(places) > k and scores[k] == scores[k - 1]:
        return top(held @ query, k)
    order = np.lexsort((places, -scores))[:k]
    return places[order].astype(np.int64), scores[order]
