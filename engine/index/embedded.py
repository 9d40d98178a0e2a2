"""Search with faiss inside this process: the default index for dense rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from engine.index.dense import DenseIndex
from engine.index.packed import PackedRows
from engine.index.stored import Nearest, nearest
from engine.rows import DenseRows, Rows


class EmbeddedIndex(DenseIndex):
    """Faiss's brute-force inner product, in blocks over all cores, straight over the rows held.

    It is the search of `faiss.IndexFlatIP` without its second copy of the rows. A graph (HNSW, 32 links) was
    measured and left out. On two cores with little other work (load 1.5), median of single queries for 100 hits:
    at 26,000 rows of 100 numbers .26 ms here, .11 ms by graph; at 198,000 rows 2.4 ms here, .2 to .6 ms by graph
    at recall@10 .996 to .9985, after 12 s of building. Other parts of a search take far longer, and filters
    would need a scan. Rows that are kept smaller are searched as `DenseIndex` does it: faiss's own search over them
    (`IndexScalarQuantizer`) takes less (.5 ms for bytes where that takes 2, 26,033 rows of 512 numbers), but it holds
    a copy of every row, and knows one scale for all rows.
    """

    def _nearest(self, queries: Rows, held: PackedRows, k: int) -> list[Nearest]:
        if self.precision != "float32":
            return super()._nearest(queries, held, k)
        from faiss import METRIC_INNER_PRODUCT, knn

        rows, matrix = np.asarray(queries), held.codes
        asked = min(k + 1, len(matrix))  # one more shows whether a tie crosses the border
        with _threads(len(rows)):
            scores, places = knn(rows, matrix, asked, metric=METRIC_INNER_PRODUCT)
        return [_settled(rows[number], matrix, places[number], scores[number], k) for number in range(len(rows))]


@contextmanager
def _threads(queries: int) -> Iterator[None]:
    """Let faiss take no more threads than queries: it shares them out by query, and idle ones spin."""
    import faiss

    most = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(max(1, min(most, queries)))
    try:
        yield
    finally:
        faiss.omp_set_num_threads(most)


def _settled(query: DenseRows, held: DenseRows, places: np.ndarray, scores: np.ndarray, k: int) -> Nearest:
    """Faiss's answer with ties in the order added; faiss leaves their order open."""
    whole = places >= 0  # faiss pads a short answer with -1
    places, scores = places[whole], scores[whole]
    if len(places) > k and scores[k] == scores[k - 1]:
        return nearest(held @ query, k)
    order = np.lexsort((places, -scores))[:k]
    return places[order].astype(np.int64), scores[order]
