"""Search by hashed binary codes: a query's time stays the same as the index grows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import VectorIndexError
from engine.core.processes import ONE_BLAS_THREAD
from engine.core.rows import DenseRows, Precision, Rows, largest
from engine.documents import Hit
from engine.documents.selections import remembered
from engine.vectors.codes import CodedRows, CodeSettings, Rotation
from engine.vectors.exact import DenseIndex
from engine.vectors.index import hits
from engine.vectors.packed import FoundRows, PackedRows, nearest_rows
from engine.vectors.storage import read_index

_QUERIES_AT_ONCE = 16  # bounds the table of exact scores at 16 x n floats
_ROWS_AT_ONCE = 16_384  # copied from the disk together where only some rows count
_CANDIDATES_A_HIT = 4  # the fewest rows that an answer is chosen from
_COMPARED_A_HIT = 16  # rows compared exactly for a long answer, whose last hits' codes differ more from the query's
_LARGEST_SHARE = 16  # one row in 16 must count, else all that do are compared: their codes then cost as much


@dataclass(frozen=True, slots=True)
class BinarySettings:
    """How much is compared: candidates by their codes, rows exactly, and the size below which codes do not pay.

    Below some 20,000 rows, comparing all of them is as fast.
    """

    candidates: int = 20_000
    rerank: int = 800
    fewest: int = 20_000
    codes: CodeSettings = field(default_factory=CodeSettings)

    def __post_init__(self) -> None:
        """Refuse settings that would compare nothing."""
        if not 1 <= self.rerank <= self.candidates or self.fewest < 1:
            raise VectorIndexError(
                f"Expected 1 <= rerank <= candidates and fewest of at least 1, got {self.rerank}, {self.candidates} "
                f"and {self.fewest}."
            )


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class BinaryView:
    """Rows by number: first the `old` ones, which have codes unless they are few, then the `recent` ones."""

    coded: CodedRows | None
    old: PackedRows
    recent: PackedRows
    names: Sequence[str]
    """By number, of the rows that count."""
    order: NDArray[np.int64]
    """Numbers of the rows that count, in the order that their ids were added."""
    rank: NDArray[np.int64]
    """By number: the place in that order."""
    counts: NDArray[np.bool_]
    """By number: whether the row counts."""

    @classmethod
    def of(cls, coded: CodedRows | None, old: PackedRows, recent: PackedRows, row_of: Mapping[str, int]) -> Self:
        """Return the state in which each id's row has this number; rows without an id do not count."""
        held = old.shape[0] + recent.shape[0]
        rank, counts = np.zeros(held, np.int64), np.zeros(held, dtype=bool)
        order = np.fromiter(row_of.values(), np.int64, len(row_of))
        rank[order] = np.arange(len(order))
        counts[order] = True
        names = list(row_of)
        if held != len(order) or not np.array_equal(rank, order):  # else each stands at its number already
            names = [""] * held
            for name, number in row_of.items():
                names[number] = name
        return cls(coded, old, recent, names, order, rank, counts)

    def take(self, numbers: NDArray[np.int64]) -> PackedRows:
        """Return some rows, in the order of their numbers."""
        size = self.old.shape[0]
        late = numbers >= size
        if not late.any():
            return self.old.take(numbers)
        parts = [self.old.take(numbers[~late]), self.recent.take(numbers[late] - size)]
        precision: Precision = str(self.old.codes.dtype)  # type: ignore[assignment]
        joined = PackedRows.joined(parts, dim=self.old.shape[1], precision=precision)
        return joined.take(np.argsort(np.argsort(late, kind="stable"), kind="stable"))

    def search(self, queries: DenseRows, k: int, settings: BinarySettings) -> list[FoundRows]:
        """Return numbers and scores of the k nearest rows of each query (q, dim), by codes where that saves work."""
        k = min(k, len(self.order))
        if k == 0:
            return [(np.zeros(0, np.int64), np.zeros(0, np.float32)) for _ in queries]
        budget = self._budget(k, settings)
        if budget is None:
            return self._exact(queries, k)
        rerank = max(settings.rerank, _COMPARED_A_HIT * k)
        return [self._by_codes(query[None], k, budget, rerank) for query in queries]

    def looked_up(self, query: DenseRows, settings: BinarySettings) -> int:
        """Count the rows that the code of a query (1, dim) is compared with; all that count without codes."""
        budget = self._budget(1, settings)
        if self.coded is None or budget is None:
            return len(self.order)
        return int(np.count_nonzero(self.counts[self.coded.candidates(query, budget)]))

    def only(self, numbers: NDArray[np.int64]) -> Self:
        """Return the same rows with only these counting."""
        counts = np.zeros(len(self.rank), dtype=bool)
        counts[numbers] = True
        return replace(self, order=numbers[np.argsort(self.rank[numbers])], counts=counts)

    def _budget(self, k: int, settings: BinarySettings) -> int | None:
        """Return how many rows of the tables are looked up, or None where comparing all that count is better.

        When fewer rows count, more are looked up, so that as many candidates remain.
        """
        if self.coded is None:
            return None
        counting = int(np.count_nonzero(self.counts[: self.coded.size]))
        if counting * _LARGEST_SHARE < self.coded.size or counting < settings.fewest:
            return None
        if _COMPARED_A_HIT * k > settings.candidates:
            return None
        return settings.candidates * self.coded.size // counting

    def _by_codes(self, query: DenseRows, k: int, budget: int, rerank: int) -> FoundRows:
        """Go by buckets, then codes, then exact scores; by all rows if those near a query (1, dim) hold too few."""
        coded = cast(CodedRows, self.coded)
        found = coded.candidates(query, budget)
        found = found[self.counts[found]]
        if len(found) < _CANDIDATES_A_HIT * k:
            return self._exact(query, k)[0]
        closest = coded.closest(query, found, rerank).astype(np.int64)
        late = np.flatnonzero(self.counts[coded.size :])
        if len(late) > rerank:
            late = np.sort(late[largest(self.recent.take(late).products(query)[0], rerank)])
        numbers = np.concatenate([closest, late + coded.size])
        return self._ordered(query, numbers, k)

    def _ordered(self, query: DenseRows, numbers: NDArray[np.int64], k: int) -> FoundRows:
        """Return the k nearest of some rows, ties to the id that was added first."""
        rows = self.take(numbers)
        scores = rows.products_at(query, np.arange(len(numbers))[None])[0]
        best = np.lexsort((self.rank[numbers], -scores))[:k]
        return numbers[best], scores[best]

    def _exact(self, queries: DenseRows, k: int) -> list[FoundRows]:
        """Return the k nearest by the products with all rows that count."""
        found = []
        for first in range(0, len(queries), _QUERIES_AT_ONCE):
            some = queries[first : first + _QUERIES_AT_ONCE]
            with ONE_BLAS_THREAD if len(some) == 1 else nullcontext():
                products = self._products(some)
            for query, scores in zip(some, products, strict=True):
                places, best = nearest_rows(query, scores, lambda places: self.take(self.order[places]), k)
                found.append((self.order[places], best))
        return found

    def _products(self, queries: DenseRows) -> DenseRows:
        """Return the inner products (q, n) with all rows that count, in order, read from the disk block by block."""
        size = len(self.order)
        if np.array_equal(self.order, np.arange(len(self.rank))):
            return np.hstack([self.old.products(queries), self.recent.products(queries)])
        blocks = [self.order[first : first + _ROWS_AT_ONCE] for first in range(0, size, _ROWS_AT_ONCE)]
        return np.hstack([self.take(block).products(queries) for block in blocks])


_MOST_RECENT = 2_000  # rows added after the codes were made, compared one by one
_RECENT_SHARE = 20  # or one row in 20


class BinaryIndex(DenseIndex):
    """Learned binary codes in hash tables, then exact scores; rows, codes and tables are read straight from disk.

    A query visits the buckets that it most likely shares with its neighbours, in four tables at once, until a bounded
    number of rows is found. The 800 whose codes differ least from its own (16 a hit, for more than 50) are then
    compared by their rows. So answers are nearly, not always, the exact index's, except where few rows are held or
    asked about. Buckets know directions from the rows' mean, not lengths: rows should have about one length, and
    queries and documents should be encoded alike (not by two towers).

    Rows lie in the folder as in every dense index, codes and tables beside them. So any dense index can open the folder
    and compare all rows; if it writes without codes, they are made again.

    Faiss learns the rotations (`ITQMatrix`). Its own hash indexes were measured and left out: `IndexBinaryMultiHash`
    flips bits without regard to how certain the query is of them. On 97,000 rows of 960 numbers it finds .55 of the ten
    nearest with 4 tables of 16 bits; .945 needs 20 tables, 160 bytes a document. It does not bound a query's
    candidates, holds its tables as maps in memory, and cannot remove rows.
    """

    is_exact = False

    def __init__(
        self,
        folder: Path,
        *,
        fingerprint: str,
        dim: int,
        precision: Precision = "float32",
        settings: BinarySettings | None = None,
    ) -> None:
        """Open the index kept in `folder`, or start an empty one.

        Raises FingerprintError, ShapeError, VectorIndexError or StorageError where the folder holds
        another encoder's rows, rows of another width, layout or precision, or damage.
        """
        self.settings = settings or BinarySettings()
        self._coded: CodedRows | None = None
        self._kept: CodedRows | None = None  # codes that stay as they are in this writing
        self._rotation: Rotation | None = None
        self._view: BinaryView | None = None
        super().__init__(folder, fingerprint=fingerprint, dim=dim, precision=precision)

    def flush(self) -> None:
        """Write everything to the folder, all or nothing, and read from there afterwards.

        Where few rows came since the codes were made, and none went, only the first rows have codes on disk, too.
        """
        with self._lock:
            coded = self._coded if self._still_coded() and self._held == len(self._row_of) else None
            stays = coded is not None and coded.rotation.suits(self.settings.codes, self._held)
            self._kept = coded if stays else None
            super().flush()
            self._read()

    def _changed(self) -> None:
        super()._changed()
        self._view = None

    @property
    def code_bytes(self) -> float:
        """Bytes a document for codes; 0 where the index is too small for codes."""
        coded = self._current().coded
        return coded.codes.nbytes / coded.size if coded is not None else 0.0

    @property
    def table_bytes(self) -> float:
        """Bytes a document for the hash tables; 0 where the index is too small for codes."""
        coded = self._current().coded
        return sum(array.nbytes for array in coded.tables.arrays.values()) / coded.size if coded is not None else 0.0

    def looked_up(self, rows: Rows) -> list[int]:
        """Return how many rows the code of each of q rows (q, dim) is compared with."""
        view = self._current()
        return [view.looked_up(query[None], self.settings) for query in np.asarray(self._checked(rows))]

    def _search(self, rows: Rows, k: int, within: Collection[str] | None) -> list[list[Hit]]:
        with self._lock:
            view = self._current()
            if within is not None:
                view = self._only(view, within)
        found = view.search(np.asarray(rows), k, self.settings)
        return [hits(view.names, one) for one in found]

    def _only(self, view: BinaryView, within: Collection[str]) -> BinaryView:
        """Return the view with only some ids counting."""
        return remembered(within, view, lambda: view.only(self._places(within)))

    def _of(self, ids: Sequence[str]) -> PackedRows:
        view = self._current()
        return view.take(np.array([self._row_of[name] for name in ids], dtype=np.int64))

    def _current(self) -> BinaryView:
        """Return the index as it stands; codes are made the first time, and again after many changes."""
        with self._lock:
            if self._view is None:
                if not self._still_coded():
                    held = self._joined()
                    self._coded = self._code(held) if held.shape[0] >= self.settings.fewest else None
                old, *recent = self._blocks
                self._view = BinaryView.of(self._coded, old, self._stack(recent), self._row_of)
            return self._view

    def _still_coded(self) -> bool:
        """Return whether the first block has codes, most rows are in it and most of its rows count."""
        if self._coded is None or not self._blocks or self._blocks[0] is not self._coded.rows:
            return False
        size = self._coded.size
        return self._held - size <= max(_MOST_RECENT, size // _RECENT_SHARE) and 2 * len(self._row_of) >= size

    def _code(self, held: PackedRows) -> CodedRows:
        """Return the codes of all rows, by the rotation at hand or one learned from evenly spaced rows."""
        settings, size = self.settings.codes, held.shape[0]
        if self._rotation is None or not self._rotation.suits(settings, size):
            sample = np.linspace(0, size - 1, min(size, settings.learn_rows)).astype(np.int64)
            self._rotation = Rotation.learn(held.take(sample).unpacked(), settings)
        if self._coded is not None and self._coded.rows is held and self._coded.rotation is self._rotation:
            return self._coded
        return CodedRows.of(held, self._rotation)

    def _coded_arrays(self) -> dict[str, NDArray[Any]] | None:
        held = self._joined()
        if held.shape[0] < self.settings.fewest:
            return None
        self._coded = self._kept or self._code(held)
        return self._coded.arrays

    def _read(self) -> None:
        stored = read_index(self._folder, self._form, mapped=True)
        self._take_stored(stored)
        self._coded = None
        if stored.codes is not None:
            rows = self._blocks[0]
            size = len(stored.codes.get("codes", rows.codes))
            self._coded = CodedRows.from_arrays(stored.codes, rows.part(slice(size)))
            self._rotation = self._coded.rotation
            recent = rows.part(slice(size, None))
            self._blocks = [self._coded.rows, recent] if recent.shape[0] else [self._coded.rows]
