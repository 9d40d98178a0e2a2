"""Search by hashed binary codes: a query's time stays the same as the index grows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.files import map_arrays, write_arrays
from engine.core.rows import Precision, Rows
from engine.documents import Hit
from engine.documents.selections import remembered
from engine.vectors.binary_coded import CodedRows
from engine.vectors.binary_codes import Rotation
from engine.vectors.binary_view import CODES, BinarySettings, BinaryView
from engine.vectors.dense import DenseIndex
from engine.vectors.packed import PackedRows
from engine.vectors.stored import hits

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
        self._rotation: Rotation | None = None
        self._view: BinaryView | None = None
        super().__init__(folder, fingerprint=fingerprint, dim=dim, precision=precision)

    def add(self, ids: Sequence[str], rows: Rows) -> None:
        """Add rows (n, dim) under n ids; an id that is held already gets the new row."""
        with self._lock:
            super().add(ids, rows)
            self._view = None

    def remove(self, ids: Collection[str]) -> None:
        """Forget ids; unknown ones are ignored."""
        with self._lock:
            super().remove(ids)
            self._view = None

    def flush(self) -> None:
        """Write everything to the folder, all or nothing, and read from there afterwards."""
        with self._lock:
            super().flush()
            self._read()

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
        """How many rows the code of each of q rows (q, dim) is compared with."""
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
        """The view with only some ids counting."""
        return remembered(within, view, lambda: view.only(self._places(within)))

    def _of(self, ids: Sequence[str]) -> PackedRows:
        view = self._current()
        return view.take(np.array([self._row_of[name] for name in ids], dtype=np.int64))

    def _current(self) -> BinaryView:
        """The index as it stands; codes are made the first time, and again after many changes."""
        with self._lock:
            if self._view is None:
                if not self._still_coded():
                    held = self._joined()
                    self._coded = self._code(held) if held.shape[0] >= self.settings.fewest else None
                old, *recent = self._blocks
                self._view = BinaryView.of(self._coded, old, self._stack(recent), self._row_of)
            return self._view

    def _still_coded(self) -> bool:
        """Whether the first block has codes, most rows are in it and most of its rows count."""
        if self._coded is None or not self._blocks or self._blocks[0] is not self._coded.rows:
            return False
        size = self._coded.size
        return self._held - size <= max(_MOST_RECENT, size // _RECENT_SHARE) and 2 * len(self._row_of) >= size

    def _code(self, held: PackedRows) -> CodedRows:
        """The codes of all rows, by the rotation at hand or one learned from evenly spaced rows."""
        settings, size = self.settings.codes, held.shape[0]
        if self._rotation is None or not self._rotation.suits(settings, size):
            sample = np.linspace(0, size - 1, min(size, settings.learn_rows)).astype(np.int64)
            self._rotation = Rotation.learn(held.take(sample).unpacked(), settings)
        if self._coded is not None and self._coded.rows is held and self._coded.rotation is self._rotation:
            return self._coded
        return CodedRows.of(held, self._rotation)

    def _write_more(self, folder: Path) -> dict[str, Any]:
        held = self._joined()
        if held.shape[0] < self.settings.fewest:
            return {}
        self._coded = self._code(held)
        return {"codes_sha256": write_arrays(folder / CODES, self._coded.arrays)}

    def _read_after(self, header: dict[str, Any]) -> dict[str, Any]:
        super()._read_after(header)
        self._view = self._coded = None
        if "codes_sha256" in header:
            arrays = self._load(self._folder / CODES, header["codes_sha256"])
            self._coded = CodedRows.from_arrays(arrays, self._blocks[0])
            self._rotation = self._coded.rotation
        return header

    def _load(self, path: Path, sha256: str) -> dict[str, NDArray[Any]]:
        return map_arrays(path, sha256)
