"""Rows in bits, by which the candidates are found that a search compares exactly: signs and learned codes.

Passages go by the signs of their numbers. Two rows differ in the more signs the wider the angle between them (Charikar
2002, "Similarity estimation techniques from rounding algorithms", section 3, whose planes are here the axes). Counting
the signs in which a million rows of 384 numbers differ from a question's takes a tenth of the time of their products.
They are taken from the rows when a search first needs them, in 48 bytes a passage of memory, and stand in no file.

Documents go by codes learned from their rows, the signs of rotated principal components (ITQ), in hash tables of
learned keys: the rows in a query's likeliest buckets are a bounded number of candidates, at any size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import StorageError, VectorIndexError
from engine.core.files import require_arrays
from engine.core.rows import DenseRows, largest
from engine.vectors.packed import PackedRows

_AGAIN = "Remove the folder and index again."
_WORD_BITS = 64
_MOST_CODE_BITS = 512
_KEY_BITS = 24  # learned for each table; how many are used depends on the number of rows
_KEY_ROUNDS, _CODE_ROUNDS = 50, 5  # of a long code, recall is the same after 0, 5 and 15 rounds: .997 to .998
_FLATTENED = 0.25  # a key's components are divided by this power of their variance
_FAINT = 1e-7  # share of the largest variance below which a component is noise


_SIGNS_AT_ONCE = 8_192  # what is counted of them stays in the processor's cache


@dataclass(frozen=True, slots=True)
class Signs:
    """Whether each number of n rows is at least 0: bits in words (w, n), the first word of all rows first."""

    words: NDArray[np.uint64]

    @classmethod
    def of(cls, rows: NDArray[Any]) -> Self:
        """Return the signs of rows (n, dim) of any type."""
        size, dim = rows.shape
        words = np.empty((-(-dim // _WORD_BITS), size), np.uint64)
        for first in range(0, size, _SIGNS_AT_ONCE):
            bits = np.packbits(rows[first : first + _SIGNS_AT_ONCE] >= 0, axis=1)
            whole = np.zeros((len(bits), len(words) * _WORD_BITS // 8), np.uint8)
            whole[:, : bits.shape[1]] = bits
            words[:, first : first + _SIGNS_AT_ONCE] = whole.view(np.uint64).T
        return cls(words)

    def differing(self, one: Signs) -> NDArray[np.uint16]:
        """Return in how many signs each row differs from one row's: (n,)."""
        found = np.empty(self.words.shape[1], np.uint16)
        for first in range(0, len(found), _SIGNS_AT_ONCE):
            block = self.words[:, first : first + _SIGNS_AT_ONCE] ^ one.words
            np.bitwise_count(block).sum(axis=0, dtype=np.uint16, out=found[first : first + _SIGNS_AT_ONCE])
        return found


def fewest(differing: NDArray[np.uint16], most: int) -> NDArray[np.int64]:
    """Return the places of about `most` of n rows that differ in the fewest signs (n,), in their order.

    Of rows that differ alike all are taken, so that they may be more.
    """
    return np.flatnonzero(differing <= np.searchsorted(np.cumsum(np.bincount(differing)), most))


# Learned codes -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CodeSettings:
    """How rows become codes: bits of a code, hash tables, and rows to learn from at most.

    A row's code and its place in every table take code_bits / 8 + 4 * tables bytes, 56 by default.
    """

    code_bits: int = 320
    tables: int = 4
    learn_rows: int = 16_384

    def __post_init__(self) -> None:
        """Refuse codes that do not fill whole words or exceed 64 bytes."""
        if self.code_bits % _WORD_BITS or not 0 < self.code_bits <= _MOST_CODE_BITS:
            raise VectorIndexError(
                f"Expected code_bits as a multiple of {_WORD_BITS} up to {_MOST_CODE_BITS}, got {self.code_bits}."
            )
        if self.tables < 1 or self.learn_rows < 1:
            raise VectorIndexError(
                f"Expected at least 1 table and 1 row to learn from, got {self.tables} and {self.learn_rows}."
            )


@dataclass(frozen=True, slots=True)
class Rotation:
    """What was learned from `learned_from` rows of width dim.

    `code` (dim, code_bits) and `keys` (dim, tables, 24) turn a row into numbers; a bit is set where the number is
    above that of the mean row, `code_middle` and `key_middle`. A code joins rotations of as many components as it
    has bits, or several rotations of all of them. A table's key has the strongest 24 alone, their variances made
    more alike so that no few bits decide it; each table starts its rotation elsewhere. (On 198,000 rows of 960 numbers,
    looking up 8,000 by 24 components finds .947 of the ten nearest, by 32 .923, by 20 .931.)
    """

    code: DenseRows
    code_middle: DenseRows
    keys: NDArray[np.float32]
    key_middle: DenseRows
    learned_from: NDArray[np.int64]

    @classmethod
    def learn(cls, rows: DenseRows, settings: CodeSettings) -> Self:
        """Learn from a sample of rows (m, dim), m >= 1; the same rows give the same rotation."""
        mean = rows.mean(axis=0, dtype=np.float64)
        directions, variances = _principal(rows - mean)
        centred = (rows - mean).astype(np.float32)
        wide = directions[:, : settings.code_bits]  # (dim, <=code_bits)
        turns = math.ceil(settings.code_bits / wide.shape[1])
        code = np.hstack([_rotated(centred, wide, seed=seed, rounds=_CODE_ROUNDS) for seed in range(turns)])
        narrow = (directions * variances**-_FLATTENED)[:, :_KEY_BITS]  # (dim, <=32)
        turns = math.ceil(_KEY_BITS / narrow.shape[1])
        key_maps = []
        for table in range(settings.tables):
            seeds = range(1000 + table * turns, 1000 + (table + 1) * turns)
            whole = np.hstack([_rotated(centred, narrow, seed=seed, rounds=_KEY_ROUNDS) for seed in seeds])
            key_maps.append(whole[:, :_KEY_BITS])
        code, keys = np.ascontiguousarray(code[:, : settings.code_bits]), np.stack(key_maps, axis=1)
        centre = mean.astype(np.float32)
        middle = np.tensordot(centre, keys, axes=1)  # (tables, 24)
        return cls(code, centre @ code, keys, middle, np.array([len(rows)], np.int64))

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]], dim: int) -> Self:
        """Return what `arrays` gave. Raises StorageError where an array is missing or of another width."""
        names = [field.name for field in fields(cls)]
        require_arrays(arrays, names, "a binary index", _AGAIN)
        if (found := len(arrays["code"])) != dim:
            raise StorageError(f"Expected a rotation of rows of width {dim}, found {found}. {_AGAIN}")
        return cls(**{name: arrays[name] for name in names})

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Named arrays for the disk."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def tables(self) -> int:
        """How many hash tables have keys."""
        return int(self.keys.shape[1])

    def suits(self, settings: CodeSettings, size: int) -> bool:
        """Return whether it has these settings and was learned from enough rows for an index of `size`.

        It was not if four times as many rows are now available to learn from.
        """
        same = (self.code.shape[1], self.tables) == (settings.code_bits, settings.tables)
        return same and 4 * int(self.learned_from[0]) > min(size, settings.learn_rows)

    def codes(self, rows: DenseRows) -> NDArray[np.uint64]:
        """Return the codes (n, code_bits / 64) of rows (n, dim)."""
        return np.packbits(rows @ self.code > self.code_middle, axis=1).view(np.uint64)

    def margins(self, rows: DenseRows, bits: int) -> DenseRows:
        """Return how far each of the first `bits` numbers of a table's key is above its middle: (n, tables, bits)."""
        numbers = rows @ self.keys.reshape(len(self.keys), -1)  # (n, tables * 24)
        return (numbers.reshape(len(rows), *self.key_middle.shape) - self.key_middle)[:, :, :bits]


def longest_key(dim: int) -> int:
    """Return the most useful bits in a table's key for rows of width dim: at most one a component."""
    return min(_KEY_BITS, dim)


def _principal(centred: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return principal directions (dim, p) and their variances (p,), strongest first, at least one."""
    variances, directions = np.linalg.eigh(centred.T @ centred / len(centred))
    variances, directions = variances[::-1], directions[:, ::-1]
    count = max(1, int(np.count_nonzero(variances > _FAINT * variances[0]))) if variances[0] > 0 else 1
    return directions[:, :count], np.maximum(variances[:count], np.finfo(np.float32).tiny)


def _rotated(centred: DenseRows, directions: NDArray[np.float64], *, seed: int, rounds: int) -> DenseRows:
    """Turn components (dim, p) so that their signs lose least (ITQ: Gong & Lazebnik 2011, equation 2)."""
    import faiss

    components = np.ascontiguousarray(centred @ directions, np.float32)  # (m, p)
    learner = faiss.ITQMatrix(directions.shape[1])
    learner.max_iter, learner.seed = rounds, seed
    learner.train(components)
    turn = faiss.vector_to_array(learner.A).reshape(directions.shape[1], -1)  # (p, p), one row a bit
    return np.ascontiguousarray(directions @ turn.T, np.float32)


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
        """Return what `arrays` gave. Raises StorageError where an array is missing or of another shape."""
        require_arrays(arrays, ("table_rows", "table_starts"), "a binary index", _AGAIN)
        rows, starts = arrays["table_rows"], arrays["table_starts"]
        if rows.shape != (tables, size) or starts.shape[0] != tables:
            raise StorageError(
                f"Expected {tables} tables of {size} rows in a binary index, found {rows.shape}. {_AGAIN}"
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
        """Return the rows of the buckets nearest to a query in all tables, each once, sorted; `most` with repetitions.

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
    """Return the bits of a key that put about four of `size` rows in a bucket, at most `most`."""
    return max(1, min(most, (max(size, 1) // _BUCKET_ROWS).bit_length() - 1))


def keys_of(margins: DenseRows) -> NDArray[np.uint32]:
    """Return the keys (tables, n) of rows by their margins (n, tables, bits)."""
    weights = (1 << np.arange(margins.shape[2])).astype(np.uint32)
    return np.ascontiguousarray(((margins > 0) @ weights).T, np.uint32)


def _probes(margins: DenseRows) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return each way to flip a table's least certain bits: the penalty and the key, (tables, 2^uncertain) each."""
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
        """Return what `arrays` gave, of these rows. Raises StorageError for an array missing or of another shape."""
        size, dim = rows.shape
        rotation = Rotation.from_arrays(arrays, dim)
        expected = (size, rotation.code.shape[1] // 64)
        found = arrays["codes"].shape if "codes" in arrays else None
        if found != expected:
            raise StorageError(f"Expected codes {expected} in a binary index, found {found}. {_AGAIN}")
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
        """Return at most `most` rows that share a likely bucket with a query (1, dim), in the order held."""
        return self.tables.find(self.rotation.margins(query, self.tables.bits)[0], most)

    def closest(self, query: DenseRows, candidates: NDArray[np.int32], most: int) -> NDArray[np.int32]:
        """Return the candidates whose codes differ least from that of a query (1, dim), in the order held."""
        if len(candidates) <= most:
            return candidates
        differing = np.bitwise_count(self.codes[candidates] ^ self.rotation.codes(query)).sum(axis=1)
        return np.sort(candidates[largest(-differing.astype(np.float32), most)])
