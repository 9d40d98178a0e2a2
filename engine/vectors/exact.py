"""Indexes that compare a query with every row: dense rows by numpy or faiss, sparse ones by scipy."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from engine.core.files import require_arrays
from engine.core.processes import ONE_BLAS_THREAD
from engine.core.rows import DenseRows, Rows, SparseRows
from engine.vectors.index import StoredIndex
from engine.vectors.packed import FoundRows, PackedRows, nearest, nearest_rows, rounding

_SCORED_AT_ONCE = 256  # bounds the score table at 256 x n floats


class DenseIndex(StoredIndex[PackedRows]):
    """Rows (n, dim) kept in the precision that the index was opened with; every inner product, then the largest."""

    layout = "dense"

    def _typed(self, rows: Rows) -> DenseRows:
        return np.array(rows, dtype=np.float32, order="C")

    def _pack(self, rows: Rows) -> PackedRows:
        return PackedRows.of(np.asarray(rows), self.precision)

    def _unpack(self, held: PackedRows) -> DenseRows:
        return held.unpacked()

    def _stack(self, blocks: Sequence[PackedRows]) -> PackedRows:
        return PackedRows.joined(blocks, dim=self.dim, precision=self.precision)

    def _take(self, held: PackedRows, places: NDArray[np.int64]) -> PackedRows:
        return held.take(places)

    def _to_arrays(self, held: PackedRows) -> dict[str, NDArray[Any]]:
        return held.arrays

    def _from_arrays(self, arrays: dict[str, NDArray[Any]]) -> PackedRows:
        return PackedRows.from_arrays(arrays, self.precision)

    def _nearest(self, queries: Rows, held: PackedRows, k: int) -> list[FoundRows]:
        found: list[FoundRows] = []
        for first in range(0, queries.shape[0], _SCORED_AT_ONCE):
            some = np.asarray(queries[first : first + _SCORED_AT_ONCE])
            with ONE_BLAS_THREAD if len(some) == 1 else nullcontext():
                scores = held.products(some)  # (<=256, n)
            found.extend(nearest_rows(*pair, held.take, k) for pair in zip(some, scores, strict=True))
        return found


_MANY_QUERIES = 32  # from here on, unpacking the rows costs less than it saves
_SHORT_ANSWER = 128  # longer answers cost more to score again than the table of all scores
_NUMBERS_AT_ONCE = 1 << 23  # 32 MiB of unpacked rows, whatever the index holds


class EmbeddedIndex(DenseIndex):
    """Faiss's brute-force inner product, in blocks over all cores, straight over the rows held.

    It is the search of `faiss.IndexFlatIP` without its second copy of the rows. A graph (HNSW, 32 links) was measured
    and left out: at 198,000 rows of 100 numbers it saves 2 ms of a query's 2.4 on two cores, but takes 12 s to build
    and needs a scan for filters, and other parts of a search take far longer. Packed rows are searched as in
    `DenseIndex`: faiss's `IndexScalarQuantizer` is faster (.5 ms in place of 2 for bytes, 26,033 rows of 512 numbers),
    but copies every row and has one scale for all. For many queries at once, as a map asks them, rows are unpacked in
    blocks of 32 MiB and faiss keeps the best of each block, in half the processor time of a table of all scores.
    """

    def _nearest(self, queries: Rows, held: PackedRows, k: int) -> list[FoundRows]:
        if self.precision != "float32":
            many = queries.shape[0] >= _MANY_QUERIES and k <= _SHORT_ANSWER
            return _of_many(np.asarray(queries), held, k) if many else super()._nearest(queries, held, k)
        from faiss import METRIC_INNER_PRODUCT, knn

        rows = np.asarray(queries)
        asked = min(k + 1, held.shape[0])  # one more shows whether a tie crosses the border
        with _threads(len(rows)):
            scores, places = knn(rows, held.codes, asked, metric=METRIC_INNER_PRODUCT)
        return [_settled(rows[number], held, places[number], scores[number], k) for number in range(len(rows))]


def _of_many(queries: DenseRows, held: PackedRows, k: int) -> list[FoundRows]:
    """Return the k nearest packed rows of many queries (q, dim): the largest products, up to rounding.

    Equal rows stay in the order added. Two whose products differ only in the last bits may swap: one pair of answers,
    1e-8 apart, did so in 1,500 real queries.
    """
    places = _candidates(queries, held, min(k + 1, held.shape[0]))  # one more shows whether a tie crosses the border
    scores = held.products_at(queries, places)  # (q, <=k+1); of equal rows now equal to the last bit
    order = np.lexsort((places, -scores), axis=-1)
    places, scores = np.take_along_axis(places, order, 1), np.take_along_axis(scores, order, 1)
    answers: list[FoundRows] = [(own[:k], best[:k]) for own, best in zip(places, scores, strict=True)]
    if places.shape[1] > k:
        for number in np.flatnonzero(scores[:, k] == scores[:, k - 1]):
            query = queries[number]
            answers[number] = nearest_rows(query, held.products(query[None])[0], held.take, k)
    return answers


def _candidates(queries: DenseRows, held: PackedRows, most: int) -> NDArray[np.int64]:
    """Return the places (q, most) of the rows with the largest products, in any order."""
    from faiss import METRIC_INNER_PRODUCT, knn

    size, dim = held.shape
    at_once = min(size, max(1, _NUMBERS_AT_ONCE // dim))
    room = np.empty((at_once, dim), np.float32)  # one for all blocks: new memory costs more than the unpacking
    places, scores = np.empty((len(queries), 0), np.int64), np.empty((len(queries), 0), np.float32)
    for first in range(0, size, at_once):
        block = held.part(slice(first, first + at_once)).unpacked(room)  # (<=at_once, dim)
        with _threads(len(queries)):
            new_scores, new_places = knn(queries, block, min(most, len(block)), metric=METRIC_INNER_PRODUCT)
        scores = np.concatenate([scores, new_scores], axis=1)  # (q, <=2 * most)
        places = np.concatenate([places, new_places + first], axis=1)
        best = np.lexsort((places, -scores), axis=-1)[:, :most]
        scores, places = np.take_along_axis(scores, best, 1), np.take_along_axis(places, best, 1)
    return places


@contextmanager
def _threads(queries: int) -> Iterator[None]:
    """Give faiss at most one thread a query: it divides work by query, and idle threads spin. On macOS give it one."""
    import faiss

    most = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1 if sys.platform == "darwin" else max(1, min(most, queries)))
    try:
        yield
    finally:
        faiss.omp_set_num_threads(most)


def _settled(query: DenseRows, held: PackedRows, places: np.ndarray, scores: np.ndarray, k: int) -> FoundRows:
    """Put ties of faiss's answer in the order added: faiss leaves their order open."""
    order = np.argsort(places)
    order = order[places[order] >= 0]  # faiss pads a short answer with -1
    places, scores = places[order].astype(np.int64), scores[order]
    found, best = nearest_rows(query, scores, lambda some: held.take(places[some]), k + 1)
    if len(found) > k and best[k - 1] - best[k] <= rounding(query, held.take(places[found[k - 1 :]]).unpacked()):
        return nearest_rows(query, held.products(query[None])[0], held.take, k)
    return places[found[:k]], best[:k]


_QUERIES_AT_ONCE = 32  # bounds the dense copy of the queries at 32 x dim floats


class SparseIndex(StoredIndex[SparseRows]):
    """Rows with one column a word (scipy CSR): every inner product with the rows held, then the largest."""

    layout = "sparse"

    def _typed(self, rows: Rows) -> SparseRows:
        return csr_array(rows, dtype=np.float32, copy=True)

    def _pack(self, rows: Rows) -> SparseRows:
        return csr_array(rows)

    def _unpack(self, held: SparseRows) -> SparseRows:
        return held

    def _stack(self, blocks: Sequence[SparseRows]) -> SparseRows:
        return csr_array(vstack([csr_array((0, self.dim), dtype=np.float32), *blocks], format="csr"))

    def _take(self, held: SparseRows, places: NDArray[np.int64]) -> SparseRows:
        return csr_array(held[places])

    def _to_arrays(self, held: SparseRows) -> dict[str, NDArray[Any]]:
        return {"data": held.data, "indices": held.indices, "indptr": held.indptr}

    def _from_arrays(self, arrays: dict[str, NDArray[Any]]) -> SparseRows:
        require_arrays(arrays, ("data", "indices", "indptr"), "a sparse index", "Remove the folder and index.")
        parts = (arrays["data"], arrays["indices"], arrays["indptr"])
        return csr_array(parts, shape=(len(arrays["indptr"]) - 1, self.dim))

    def _nearest(self, queries: Rows, held: SparseRows, k: int) -> list[FoundRows]:
        found: list[FoundRows] = []
        for first in range(0, queries.shape[0], _QUERIES_AT_ONCE):
            columns = csr_array(queries[first : first + _QUERIES_AT_ONCE]).toarray().T  # (dim, <=32)
            scores = np.ascontiguousarray((held @ np.ascontiguousarray(columns)).T)  # (<=32, n)
            found.extend(nearest(row, k) for row in scores)
        return found
