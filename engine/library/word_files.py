"""Words of a large library in files of this machine, so that a process that opens it need not read them all again.

    words/
        words.json            which database they are of, the last position that they hold, and the files
        NAME.safetensors      the counts of some 100,000 documents (`engine.library.segments`), or the terms

They say nothing that the database does not say. Segments are written once they are full; the terms, again with a
segment once there are an eighth more. What came since is read from the database, and so is all where a file is
missing, damaged, or another library's. The list is written last and as a whole. What is removed from a library is
taken out of them, but for the list of all terms, which the database keeps, too. A small library has none of them.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from engine.core import files
from engine.core.errors import StorageError
from engine.library import segments
from engine.library.connections import AnyDatabase, Connection, read_removals
from engine.library.postings import Postings
from engine.library.segments import TermSegment
from engine.library.term_numbers import KeptTerms, TermNumbers

_LOG = logging.getLogger(__name__)
_FORMAT = 1
_LIST, _SUFFIX, _LOCK = "words.json", ".safetensors", "words.lock"
_AT_ONCE, _NO_END = 20_000, 2**62
_COUNTED = ("numbers", "starts", "rows", "counts")
_ARRAYS = (*_COUNTED, "positions", "marks", "lengths")


@dataclass(frozen=True, slots=True)
class _File:
    """A file, and its sha256."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class _Listed:
    """The files of a library's words up to the position `last`, those of terms and of segments in their order."""

    database: str
    last: int = 0
    terms: _File | None = None
    segments: list[_File] = field(default_factory=list)


class WordFiles:
    """The files of one library's words. Not thread-safe."""

    def __init__(self, folder: Path, database: AnyDatabase) -> None:
        """Keep them in a folder of this machine; none is written for a database that is only read."""
        self._folder, self._database = folder, database
        self._listed: _Listed | None = None

    def read(self, connection: Connection) -> tuple[Postings, int] | None:
        """Return what the files hold, and the position up to which that is all; None where they are of no use."""
        try:
            listed = self._read_list()
            if listed is None or listed.terms is None:
                return None
            files.read_through(self._path(one) for one in (listed.terms, *listed.segments))
            terms = TermNumbers(KeptTerms.from_arrays(self._map(listed.terms)))
            mapped = [self._map(one) for one in listed.segments]
            found = _of_arrays(connection, listed.last, terms, mapped)
        except StorageError as error:
            _LOG.warning("the words are read from the database again: %s", error)
            return None
        if found is None or found.holes > len(found.ids):
            return None
        self._listed = listed
        return found, listed.last

    def begin_again(self) -> None:
        """Let what is kept next take the place of all that the files hold."""
        self._listed = _Listed(self._database.identity())

    def keep(self, connection: Connection, postings: Postings) -> Postings:
        """Return postings with what is worth a file read from one; those of no more than a segment stay as they are."""
        stored = sum(one.stored for one in postings.segments)
        full = stored
        while full < len(postings.segments) and 2 * len(postings.segments[full].rows) >= segments.FULL:
            full += 1
        if self._database.is_read_only or full == stored:
            return postings
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            with FileLock(self._folder / _LOCK, timeout=0, mode=0o600):
                return self._keep(connection, postings, stored, full)
        except Timeout:
            return postings  # another process keeps the same
        except (OSError, StorageError) as error:
            _LOG.info("the words stay in memory alone: %s", error)
            return postings

    def erase(self, positions: Collection[int]) -> None:
        """Write the segments that hold documents of some positions without these; all files go where that fails."""
        if not positions or not self._folder.is_dir():
            return
        try:
            with FileLock(self._folder / _LOCK, mode=0o600):
                if (listed := self._read_list()) is not None:
                    self._list(replace(listed, segments=list(self._without(listed.segments, positions))))
        except (OSError, StorageError) as error:
            _LOG.warning("the words are read from the database again: %s", error)
            files.remove_folder(self._folder)

    def _without(self, listed: Sequence[_File], positions: Collection[int]) -> Iterator[_File]:
        """Yield the files of segments, in place of those that hold some documents new ones without them."""
        first = 0
        for one in listed:
            arrays = self._map(one)
            gone = np.isin(arrays["positions"], list(positions))
            if gone.any():
                left = _segment(arrays, first).without(np.concatenate([np.zeros(first, np.bool_), gone]))
                here = {"positions": np.where(gone, -1, arrays["positions"]), "lengths": arrays["lengths"] * ~gone}
                yield self._write({**arrays, **here, **{name: getattr(left, name) for name in _COUNTED}})
            else:
                yield one
            first += len(gone)

    def _list(self, listed: _Listed) -> None:
        """Write which files there are, and remove all others."""
        self._listed = listed
        files.write_json(self._folder / _LIST, {"format": _FORMAT, **asdict(listed)})
        named = {one.name for one in (listed.terms, *listed.segments) if one is not None}
        for path in self._folder.glob(f"*{_SUFFIX}"):
            if path.stem not in named:
                with suppress(OSError):  # Windows keeps one that is mapped
                    path.unlink(missing_ok=True)

    def _keep(self, connection: Connection, postings: Postings, stored: int, full: int) -> Postings:
        with self._database.read() as now:
            if read_removals(now) != read_removals(connection):
                return postings  # it would bring back to the disk what was removed meanwhile
        begun = self._listed or _Listed(self._database.identity())
        if stored and ((there := self._read_list()) is None or there.segments != begun.segments):
            return postings  # another process has written its own
        terms, kept = postings.terms, begun.terms
        if kept is None or terms.is_mostly_new:
            kept = self._write(terms.kept().arrays)
            terms = TermNumbers(KeptTerms.from_arrays(self._map(kept)))
        made, last, listed = list[TermSegment](), begun.last, list(begun.segments)
        for one in postings.segments[stored:full]:
            arrays, last = _arrays(connection, last, postings, one)
            listed.append(self._write(arrays))
            made.append(_segment(self._map(listed[-1]), one.first))
        self._list(_Listed(begun.database, last, kept, listed))
        _LOG.debug("wrote %d files of words", len(made))
        return postings.stored(terms, [*postings.segments[:stored], *made, *postings.segments[full:]])

    def _read_list(self) -> _Listed | None:
        """Read which files there are; None where that is of another version or library. Raises StorageError."""
        path = self._folder / _LIST
        if not path.is_file():
            return None
        held = files.read_json(path)
        try:
            named = [_File(str(one["name"]), str(one["sha256"])) for one in (held["terms"], *held["segments"])]
            found = _Listed(str(held["database"]), int(held["last"]), named[0], named[1:])
        except (KeyError, TypeError, ValueError):
            return None
        return found if held.get("format") == _FORMAT and found.database == self._database.identity() else None

    def _write(self, arrays: Mapping[str, NDArray[Any]]) -> _File:
        name = uuid4().hex
        return _File(name, files.write_arrays(self._folder / f"{name}{_SUFFIX}", arrays))

    def _path(self, file: _File) -> Path:
        return self._folder / f"{file.name}{_SUFFIX}"

    def _map(self, file: _File) -> dict[str, NDArray[Any]]:
        return files.map_arrays(self._path(file), file.sha256)


def _of_arrays(
    connection: Connection, last: int, terms: TermNumbers, mapped: Sequence[Mapping[str, NDArray[Any]]]
) -> Postings | None:
    """Return the postings of files; None where the database's documents up to a position are not theirs."""
    made, first = list[TermSegment](), 0
    for arrays in mapped:
        made.append(_segment(arrays, first))
        first += made[-1].documents
    positions, marks, lengths = (np.concatenate([one[name] for one in mapped]) for name in _ARRAYS[len(_COUNTED) :])
    numbers, names = _documents(connection, 0, last=last)
    order = np.argsort(positions, kind="stable")
    places = positions[order].searchsorted(numbers)
    rows = order[places.clip(max=len(order) - 1)]
    if not (np.array_equal(positions[rows], numbers) and np.array_equal(marks[rows], _marks(names))):
        return None
    ids = [""] * first
    for row, name in zip(rows.tolist(), names, strict=True):
        ids[row] = name
    gone = [row for row in np.flatnonzero(positions >= 0).tolist() if not ids[row]]
    return Postings.of_segments(terms, made, ids, lengths.astype(np.int64), gone)


def _segment(arrays: Mapping[str, NDArray[Any]], first: int) -> TermSegment:
    """Return the segment that a file holds; its first document has this row. Raises StorageError for another file."""
    files.require_arrays(arrays, _ARRAYS, "a file of words", "Remove the folder.")
    numbers, starts, rows, counts = (arrays[name] for name in _COUNTED)
    return TermSegment(first, len(arrays["positions"]), numbers, starts, rows, counts, stored=True)


def _arrays(
    connection: Connection, last: int, postings: Postings, one: TermSegment
) -> tuple[dict[str, NDArray[Any]], int]:
    """Return a segment as arrays for the disk, and its last position; the segment before it ends at `last`."""
    ids, lengths = postings.of_rows(one.first, one.first + one.documents)
    numbers, names = _documents(connection, last, most=len(ids))
    where = dict(zip(names, numbers.tolist(), strict=True))
    positions = np.fromiter(
        (where.get(id_, -1) if postings.row_of(id_) == one.first + place else -1 for place, id_ in enumerate(ids)),
        np.int64,
        len(ids),
    )
    kept = postings.kept_of(one)
    arrays = {name: getattr(kept, name) for name in _COUNTED}
    arrays |= {"positions": positions, "marks": _marks(ids), "lengths": lengths.astype(np.uint32)}
    return arrays, max(last, int(positions.max(initial=0)))


def _documents(
    connection: Connection, above: int, *, last: int = _NO_END, most: int = _NO_END
) -> tuple[NDArray[np.int64], list[str]]:
    """Return the positions and ids of the documents above a position, up to another one, `most` at most."""
    query = "SELECT position, id FROM documents WHERE position > ? AND position <= ? ORDER BY position LIMIT ?"
    positions, ids = list[int](), list[str]()
    while some := connection.execute(query, (above, last, min(_AT_ONCE, most - len(ids)))).fetchall():
        positions += [position for position, _ in some]
        ids += [id_ for _, id_ in some]
        above = positions[-1]
    return np.array(positions, np.int64), ids


def _marks(ids: Sequence[str]) -> NDArray[np.uint32]:
    """Return a checksum of each id: (n,)."""
    return np.fromiter((zlib.crc32(id_.encode()) for id_ in ids), np.uint32, len(ids))
