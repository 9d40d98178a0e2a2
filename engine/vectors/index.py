"""What every vector index does: ids and rows in, the nearest ids out.

How they lie on disk stands in `engine.vectors.storage`.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import ShapeError, StorageError, VectorIndexError
from engine.core.rows import Precision, Rows
from engine.documents import Hit
from engine.documents.selections import Selection, places
from engine.vectors.packed import FoundRows
from engine.vectors.storage import IndexForm, StoredRows, is_index, read_index, write_index


class Shaped(Protocol):
    """Rows in the form that an index holds them in."""

    @property
    def shape(self) -> tuple[int, ...]:
        """(n, dim)."""


RowBlock = TypeVar("RowBlock", bound=Shaped)


def hits(names: Sequence[str], found: FoundRows) -> list[Hit]:
    """Return one query's answer by name."""
    places, scores = found
    return [Hit(names[place], score) for place, score in zip(places.tolist(), scores.tolist(), strict=True)]


class _State:
    """Stands for the rows that an index holds at a time."""


class VectorIndex(ABC):
    """Rows of one encoder under their documents' ids: ids and rows in, the nearest ids out.

    An index is opened with the fingerprint and width of the encoder that fills it and refuses any other
    (FingerprintError, ShapeError). Similarity is the inner product; larger is nearer; ties go to the id that was added
    first; an id whose row is replaced keeps its place.
    """

    is_exact: bool = True
    """Whether answers are the nearest of all rows; otherwise a few may be missing."""
    fingerprint: str
    dim: int
    precision: Precision

    @property
    @abstractmethod
    def ids(self) -> Sequence[str]:
        """Every id held, in the order added."""

    @abstractmethod
    def __len__(self) -> int:
        """Return how many documents are held."""

    @abstractmethod
    def __contains__(self, name: object) -> bool:
        """Return whether a document of this id is held."""

    def missing(self, ids: Selection) -> Selection:
        """Return those of a library's ids that are not held."""
        return ids.that(lambda name: name not in self)

    def add(self, ids: Sequence[str], rows: Rows) -> None:
        """Add rows (n, dim) under n ids; an id that is held already gets the new row.

        Raises ShapeError where the width is wrong or ids and rows differ in number, VectorIndexError for NaN.
        """
        checked = self._checked(rows)
        if len(ids) != checked.shape[0]:
            raise ShapeError(f"Expected one row an id, got {len(ids)} ids and {checked.shape[0]} rows.")
        self._add(ids, checked)

    @abstractmethod
    def remove(self, ids: Collection[str]) -> None:
        """Forget ids; unknown ones are ignored."""

    def search(self, rows: Rows, k: int, *, within: Collection[str] | None = None) -> list[list[Hit]]:
        """Return the k nearest documents of each of q rows (q, dim), nearest first; fewer where fewer are held.

        `within` limits the answer to these ids. Raises ShapeError for rows of another width, VectorIndexError for k
        below 1 or a row with NaN.
        """
        checked = self._checked(rows)
        if k < 1:
            raise VectorIndexError(f"Expected k of at least 1, got {k}.")
        return self._search(checked, k, within)

    def rows(self, ids: Sequence[str]) -> Rows:
        """Return the rows (n, dim) of some ids, in their order. Raises VectorIndexError for an unknown id."""
        unknown = [name for name in ids if name not in self]
        if unknown:
            raise VectorIndexError(
                f"Expected ids that the index holds, got {len(unknown)} others, the first {unknown[0]!r}. "
                "Index these documents first."
            )
        return self._rows(ids)

    @abstractmethod
    def flush(self) -> None:
        """Write everything to where the index is kept."""

    def _checked(self, rows: Rows) -> Rows:
        """Return rows of the right type. Raises ShapeError or VectorIndexError where they cannot be used."""
        shape = np.shape(rows)
        if len(shape) != 2 or shape[1] != self.dim:
            raise ShapeError(f"Expected rows of shape (n, {self.dim}), got {shape}. Encode with the index's encoder.")
        typed = self._typed(rows)
        if not np.isfinite(typed if isinstance(typed, np.ndarray) else typed.data).all():
            raise VectorIndexError("Expected finite numbers, got rows with NaN or infinity. Check the encoder.")
        return typed

    @abstractmethod
    def _typed(self, rows: Rows) -> Rows:
        """Return a copy of rows in the index's own layout, float32."""

    @abstractmethod
    def _add(self, ids: Sequence[str], rows: Rows) -> None:
        """Add as `add` does, after it has checked ids and rows."""

    @abstractmethod
    def _search(self, rows: Rows, k: int, within: Collection[str] | None) -> list[list[Hit]]:
        """Search as `search` does, after it has checked rows and k."""

    @abstractmethod
    def _rows(self, ids: Sequence[str]) -> Rows:
        """Return the rows of ids that are all held, in their order."""


class StoredIndex(VectorIndex, Generic[RowBlock]):
    """An index held in memory and kept in a folder.

    Added rows wait in blocks and are joined when they are first needed, so that adding n documents in small batches
    costs O(n). A dict keeps an id's place when its row is replaced; that order settles ties.
    """

    layout: ClassVar[str]
    """How rows lie on disk: an index opens any folder of its own layout."""

    def __init__(self, folder: Path, *, fingerprint: str, dim: int, precision: Precision = "float32") -> None:
        """Open the index kept in `folder`, or start an empty one.

        Raises FingerprintError, ShapeError, VectorIndexError or StorageError where the folder holds
        another encoder's rows, rows of another width, layout or precision, or damage.
        """
        self.fingerprint, self.dim, self.precision, self._folder = fingerprint, dim, precision, folder
        self._lock = threading.RLock()
        self._blocks: list[RowBlock] = []
        self._held = 0  # rows in all blocks, replaced ones included
        self._row_of: dict[str, int] = {}
        self._ids: tuple[str, ...] | None = None
        self._state = _State()
        self._form = IndexForm(fingerprint, dim, self.layout, precision)
        if is_index(folder):
            self._read()

    @property
    def ids(self) -> Sequence[str]:
        """Every id held, in the order added."""
        with self._lock:
            if self._ids is None:
                self._ids = tuple(self._row_of)
            return self._ids

    def __len__(self) -> int:
        """Return how many documents are held."""
        return len(self._row_of)

    def __contains__(self, name: object) -> bool:
        """Return whether a document of this id is held."""
        return name in self._row_of

    def missing(self, ids: Selection) -> Selection:
        """Return those of a library's ids that are not held, found with their places: searches need these, too."""
        with self._lock:
            return ids.missing_from(self._row_of, self._state)

    def _add(self, ids: Sequence[str], rows: Rows) -> None:
        packed = self._pack(rows)
        with self._lock:
            for number, name in enumerate(ids, start=self._held):
                self._row_of[name] = number
            self._blocks.append(packed)
            self._held += len(ids)
            self._changed()

    def remove(self, ids: Collection[str]) -> None:
        """Forget ids; unknown ones are ignored."""
        with self._lock:
            for name in ids:
                self._row_of.pop(name, None)
            self._changed()

    def _search(self, rows: Rows, k: int, within: Collection[str] | None) -> list[list[Hit]]:
        with self._lock:
            held, names = self._joined(), self.ids
            places = None if within is None else self._places(within)
            if places is not None and len(places) == len(names):
                places = None  # all are among them: nothing to copy
            if places is not None:
                held = self._take(held, places)
        count = held.shape[0]
        if not count:
            return [[] for _ in range(rows.shape[0])]
        answers = self._nearest(rows, held, min(k, count))
        if places is not None:
            answers = [(places[found], scores) for found, scores in answers]
        return [hits(names, found) for found in answers]

    def rows(self, ids: Sequence[str]) -> Rows:
        """Return the rows (n, dim) of some ids, in their order. Raises VectorIndexError for an unknown id."""
        with self._lock:
            return super().rows(ids)

    def _rows(self, ids: Sequence[str]) -> Rows:
        return self._unpack(self._of(ids))

    def flush(self) -> None:
        """Write everything to the folder, all or nothing."""
        with self._lock:
            rows = self._to_arrays(self._joined())
            write_index(self._folder, self._form, StoredRows(list(self.ids), rows, self._coded_arrays()))

    def _coded_arrays(self) -> dict[str, NDArray[Any]] | None:
        """Return what an index keeps of codes beside its rows."""
        return None

    def _read(self) -> None:
        """Read what `flush` wrote."""
        self._take_stored(read_index(self._folder, self._form))

    def _take_stored(self, stored: StoredRows) -> None:
        """Hold what the folder holds. Raises StorageError where its parts do not belong together."""
        block = self._from_arrays(stored.rows)
        if block.shape != (len(stored.ids), self.dim):
            raise StorageError(
                f"Expected {len(stored.ids)} rows of width {self.dim} in {self._folder}, found {block.shape}. "
                "Remove the folder and index again."
            )
        self._blocks, self._held = [block], block.shape[0]
        self._row_of = {name: number for number, name in enumerate(stored.ids)}
        self._changed()

    def _joined(self) -> RowBlock:
        """Return all rows as one block, in the order of the ids, without those that were replaced or removed."""
        if len(self._blocks) != 1 or self._held != len(self._row_of):
            whole = self._stack(self._blocks)
            if self._held != len(self._row_of):
                whole = self._take(whole, np.fromiter(self._row_of.values(), np.int64, len(self._row_of)))
            self._blocks, self._held = [whole], len(self._row_of)
            self._row_of = {name: number for number, name in enumerate(self._row_of)}
            self._changed()
        return self._blocks[0]

    def _of(self, ids: Sequence[str]) -> RowBlock:
        """Return the rows of ids that are all held, in their order."""
        held = self._joined()
        return self._take(held, np.array([self._row_of[name] for name in ids], dtype=np.int64))

    def _changed(self) -> None:
        """Forget what was true of the rows before."""
        self._ids, self._state = None, _State()

    def _places(self, within: Collection[str]) -> NDArray[np.int64]:
        """Return the positions of the ids that are held, in the order added."""
        return places(within, self._row_of, self._state)

    @abstractmethod
    def _pack(self, rows: Rows) -> RowBlock:
        """Return rows of the right type as they are held."""

    @abstractmethod
    def _unpack(self, held: RowBlock) -> Rows:
        """Return held rows as float32."""

    @abstractmethod
    def _stack(self, blocks: Sequence[RowBlock]) -> RowBlock:
        """Join blocks into one; (0, dim) without blocks."""

    @abstractmethod
    def _take(self, held: RowBlock, places: NDArray[np.int64]) -> RowBlock:
        """Return some rows, in the order of their places."""

    @abstractmethod
    def _to_arrays(self, held: RowBlock) -> dict[str, NDArray[Any]]:
        """Return held rows as named arrays, for the disk."""

    @abstractmethod
    def _from_arrays(self, arrays: dict[str, NDArray[Any]]) -> RowBlock:
        """Return what `_to_arrays` made, back as held rows. Raises StorageError where an array is missing."""

    @abstractmethod
    def _nearest(self, queries: Rows, held: RowBlock, k: int) -> list[FoundRows]:
        """Return the k largest inner products of each query with the rows held; 1 <= k <= len(held)."""
