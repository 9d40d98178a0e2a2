"""Rows with their binary codes and hash tables: a bounded number of candidates for a query, at any size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import StorageError
from engine.core.rows import DenseRows, largest
from engine.vectors.binary_codes import Rotation, longest_key
from engine.vectors.binary_tables import HashTables, bits_for, keys_of
from engine.vectors.packed import PackedRows

_ROWS_AT_ONCE = 8_192  # unpacked while codes are made: 32 MB at 1,000 numbers a row


@dataclass(frozen=True, slots=True)
class CodedRows:
    """A block of rows (n, dim), their codes (n, words) and their hash tables."""

    rows: PackedRows
    rotation: Rotation
    codes: NDArray[np.uint64]
    tables: HashTables

    @classmethod
    def of(cls, rows: PackedRows, rotation: Rotation) -> Self:
        """Code every row, in blocks."""
        size, dim = rows.shape
        bits = bits_for(size, longest_key(dim))
        codes = np.empty((size, rotation.code.shape[1] // 64), np.uint64)
        keys = np.empty((rotation.tables, size), np.uint32)
        room = np.empty((min(size, _ROWS_AT_ONCE), dim), np.float32)
        for first in range(0, size, _ROWS_AT_ONCE):
            some = slice(first, first + _ROWS_AT_ONCE)
            block = rows.part(some).unpacked(room)
            codes[some] = rotation.codes(block)
            keys[:, some] = keys_of(rotation.margins(block, bits))
        return cls(rows, rotation, codes, HashTables.build(keys, bits))

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]], rows: PackedRows) -> Self:
        """What `arrays` gave, of these rows. Raises StorageError where an array is missing or of another shape."""
        size, dim = rows.shape
        rotation = Rotation.from_arrays(arrays, dim)
        expected = (size, rotation.code.shape[1] // 64)
        found = arrays["codes"].shape if "codes" in arrays else None
        if found != expected:
            raise StorageError(
                f"Expected codes {expected} in a binary index, found {found}. Remove the folder and index again."
            )
        return cls(rows, rotation, arrays["codes"], HashTables.from_arrays(arrays, rotation.tables, size))

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Named arrays for the disk, the rows left out."""
        return {**self.rotation.arrays, "codes": self.codes, **self.tables.arrays}

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.codes)

    def candidates(self, query: DenseRows, most: int) -> NDArray[np.int32]:
        """At most `most` rows that share a likely bucket with a query (1, dim), in the order held."""
        return self.tables.find(self.rotation.margins(query, self.tables.bits)[0], most)

    def closest(self, query: DenseRows, candidates: NDArray[np.int32], most: int) -> NDArray[np.int32]:
        """The candidates whose codes differ least from that of a query (1, dim), in the order held."""
        if len(candidates) <= most:
            return candidates
        differing = np.bitwise_count(self.codes[candidates] ^ self.rotation.codes(query)).sum(axis=1)
        return np.sort(candidates[largest(-differing.astype(np.float32), most)])
