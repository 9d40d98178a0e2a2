"""Hash tables over learned keys: the rows in a query's likeliest buckets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import StorageError
from engine.core.rows import DenseRows

_BUCKET_ROWS = 4  # rows expected in a bucket at any size: the key grows with the logarithm of the rows
_UNCERTAIN_BITS = 12  # of a table's key that may be flipped, so 4,096 buckets of each table can be asked


@dataclass(frozen=True, slots=True)
class HashTables:
    """Rows (tables, n) sorted by their keys, and where each of 2^bits buckets starts: (tables, 2^bits + 1).

    Rows of one bucket stand in the order added. Sorted rows and starts need no pointers, so both are read from disk as
    they are.
    """

    rows: NDArray[np.int32]
    starts: NDArray[np.int32]

    @classmethod
    def build(cls, keys: NDArray[np.uint32], bits: int) -> Self:
        """Sort n rows into the buckets of their keys (tables, n)."""
        rows = np.argsort(keys, axis=1, kind="stable").astype(np.int32)
        starts = np.zeros((len(keys), (1 << bits) + 1), np.int32)
        for table, own in enumerate(keys):
            np.cumsum(np.bincount(own, minlength=1 << bits), out=starts[table, 1:])
        return cls(rows, starts)

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]], tables: int, size: int) -> Self:
        """What `arrays` gave. Raises StorageError where an array is missing or of another shape."""
        for name in ("table_rows", "table_starts"):
            if name not in arrays:
                raise StorageError(
                    f"Expected the array {name} in a binary index; it is missing. Remove the folder and index again."
                )
        rows, starts = arrays["table_rows"], arrays["table_starts"]
        if rows.shape != (tables, size) or starts.shape[0] != tables:
            raise StorageError(
                f"Expected {tables} tables of {size} rows in a binary index, found {rows.shape}. "
                "Remove the folder and index again."
            )
        return cls(rows, starts)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Named arrays for the disk."""
        return {"table_rows": self.rows, "table_starts": self.starts}

    @property
    def bits(self) -> int:
        """Bits of a key."""
        return (int(self.starts.shape[1]) - 1).bit_length() - 1

    def find(self, margins: DenseRows, most: int) -> NDArray[np.int32]:
        """Rows of the buckets nearest to one query in all tables, each once, sorted; at most `most` with repetitions.

        A bucket is less likely the further the query is from it: the sum of the squared margins (tables, bits) of the
        bits in which they differ (query-directed probing: Lv et al. 2007, section 4.3). One order runs through the
        buckets of all tables, so the number of rows is bounded and no table wastes its share.
        """
        penalties, keys = _probes(margins)  # (tables, probes) each
        first = np.argsort(penalties, axis=None)  # (tables * probes,)
        table, key = first // penalties.shape[1], keys.ravel()[first]
        begins, ends = self.starts[table, key], self.starts[table, key + 1]
        sizes = ends - begins
        sums = np.cumsum(sizes)
        used = int(np.searchsorted(sums, most)) + 1  # the last one is cut where it holds more
        table, begins, sizes = table[:used], begins[:used], sizes[:used].copy()
        if used <= len(sums):
            sizes[-1] -= max(0, int(sums[used - 1]) - most)
        at = np.repeat(table * self.rows.shape[1] + begins - (np.cumsum(sizes) - sizes), sizes)
        found = np.sort(self.rows.reshape(-1)[at + np.arange(len(at))])
        return found[np.r_[True, found[1:] != found[:-1]]] if len(found) else found


def bits_for(size: int, most: int) -> int:
    """The bits of a key that put about four of `size` rows in a bucket, at most `most`."""
    return max(1, min(most, (max(size, 1) // _BUCKET_ROWS).bit_length() - 1))


def keys_of(margins: DenseRows) -> NDArray[np.uint32]:
    """The keys (tables, n) of rows by their margins (n, tables, bits)."""
    weights = (1 << np.arange(margins.shape[2])).astype(np.uint32)
    return np.ascontiguousarray(((margins > 0) @ weights).T, np.uint32)


def _probes(margins: DenseRows) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Each way to flip a table's least certain bits: the penalty and the key, (tables, 2^uncertain) each."""
    tables, bits = margins.shape
    squares = margins**2
    uncertain = np.argsort(squares, axis=1, kind="stable")[:, :_UNCERTAIN_BITS]  # (tables, <=12)
    costs = np.take_along_axis(squares, uncertain, 1)
    keys = ((margins > 0) @ (1 << np.arange(bits)))[:, None]
    penalties = np.zeros((tables, 1), np.float32)
    for place in range(uncertain.shape[1]):
        penalties = np.hstack([penalties, penalties + costs[:, place : place + 1]])
        keys = np.hstack([keys, keys ^ (1 << uncertain[:, place : place + 1])])
    return penalties, keys
