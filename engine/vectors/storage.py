"""How vectors lie on disk: documents' rows in one file an index, passages' rows in a file a segment.

    vectors/ENCODER/FINGERPRINT/   an index of documents (`engine.vectors.index`)
        index.json                 whose rows they are, in what form, and the documents' ids in their order
        rows.safetensors           the rows, as numbers, as bytes with their steps, or as a sparse matrix
        codes.safetensors          their binary codes and hash tables, in a library of many documents
    passages/FINGERPRINT/          a store of passages (`engine.vectors.passages`); chunks/FINGERPRINT/ is one, too
        passages.json              whose rows they are, the segments, and which documents are gone from each
        NAME.safetensors           a segment: documents' passages, their rows as bytes, their places in the text, and
                                   of a large one lists of rows that are near each other, with their signs

The folders lie in a library's. An index is written as a whole. A segment never changes, so what is added to a store
costs only its own; `passages.json` is written last and as a whole, so that a stopped process leaves the passages as
they were, with at most a file that nothing names. Each file's sha256 stands in the JSON beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import FingerprintError, ShapeError, StorageError, VectorIndexError
from engine.core.files import (
    forget_digests,
    map_arrays,
    new_folder,
    read_arrays,
    read_json,
    read_through,
    require_arrays,
    stamp,
    write_arrays,
    write_json,
)
from engine.core.rows import DenseRows, Precision
from engine.documents import Chunk
from engine.vectors.codes import Signs
from engine.vectors.lists import LISTED, SignLists
from engine.vectors.packed import PackedRows

_FORMAT = 1
StoredArrays = dict[str, NDArray[Any]]


def _read_list(path: Path, what: str, keys: set[str]) -> dict[str, Any]:
    """Read a JSON file that names what lies beside it. Raises StorageError where it is damaged or none of ours."""
    held = read_json(path)
    is_ours = isinstance(held, dict) and not ({"format", "fingerprint", "dim"} | keys) - held.keys()
    if not is_ours or held["format"] != _FORMAT:
        raise StorageError(
            f"Expected {what} of format {_FORMAT} in {path.parent}, found another. Remove the folder and index again."
        )
    return dict(held)


# An index of documents' rows ---------------------------------------------------------------------

_INDEX, _ROWS, _CODES = "index.json", "rows.safetensors", "codes.safetensors"


@dataclass(frozen=True, slots=True)
class IndexForm:
    """What a folder must hold to be opened as an index: an encoder's rows, their width, layout and precision."""

    fingerprint: str
    dim: int
    layout: str
    precision: Precision

    def check(self, header: dict[str, Any], folder: Path | str) -> None:
        """Raise FingerprintError, ShapeError or VectorIndexError where the header of a folder names something else."""
        if header["fingerprint"] != self.fingerprint:
            raise FingerprintError(
                f"Expected vectors of the encoder {self.fingerprint}, found those of {header['fingerprint']} in "
                f"{folder}. Open it with the encoder that made it, or remove it and index again."
            )
        if header["dim"] != self.dim:
            raise ShapeError(f"Expected rows of width {self.dim}, found width {header['dim']} in {folder}.")
        if header["layout"] != self.layout:
            raise VectorIndexError(
                f"Expected {self.layout} rows, found {header['layout']} rows in {folder}. "
                "Open it with the kind of index that made it."
            )
        if (found := header.get("precision", "float32")) != self.precision:  # which older headers do not name
            raise VectorIndexError(
                f"Expected rows kept as {self.precision}, found rows kept as {found} in {folder}. "
                "Remove the folder and index again."
            )


class StoredRows(NamedTuple):
    """What an index's folder holds: ids in their order, the arrays of their rows, and those of their codes if any."""

    ids: list[str]
    rows: StoredArrays
    codes: StoredArrays | None


def is_index(folder: Path) -> bool:
    """Return whether a folder holds an index of documents."""
    return (folder / _INDEX).exists()


def kept_ids(folder: Path) -> list[str]:
    """Return the ids of the rows that a folder holds, without reading the rows; none where it holds no index.

    Raises StorageError where its list is damaged.
    """
    return list(_read_list(folder / _INDEX, "an index", {"ids"})["ids"]) if is_index(folder) else []


def mark_of_list(folder: Path) -> list[int] | None:
    """Return what changes with each writing of an index, to be kept; None where the folder holds none."""
    mark = stamp(folder / _INDEX)
    return [*mark] if isinstance(mark, tuple) else None


def has_codes(folder: Path) -> bool:
    """Return whether an index's folder holds binary codes of its rows."""
    return (folder / _CODES).is_file()


def write_index(folder: Path, form: IndexForm, held: StoredRows) -> None:
    """Write an index in place of what the folder holds, all or nothing."""
    with new_folder(folder) as new:
        header = {
            "format": _FORMAT,
            "layout": form.layout,
            "precision": form.precision,
            "fingerprint": form.fingerprint,
            "dim": form.dim,
            "sha256": write_arrays(new / _ROWS, held.rows),
            "ids": held.ids,
        }
        if held.codes is not None:
            header["codes_sha256"] = write_arrays(new / _CODES, held.codes)
        write_json(new / _INDEX, header)


def read_index(folder: Path, form: IndexForm, *, mapped: bool = False) -> StoredRows:
    """Read what `write_index` wrote; `mapped` reads codes, too, and all arrays from the disk as they are used.

    Raises what `IndexForm.check` does, and StorageError where the folder is damaged.
    """
    header = read_json(folder / _INDEX)
    while True:
        try:
            return _read_index(folder, form, mapped=mapped)
        except StorageError:
            changed = read_json(folder / _INDEX)
            if changed == header:
                raise
            header = changed  # another process put its own in this one's place between two files


def _read_index(folder: Path, form: IndexForm, *, mapped: bool) -> StoredRows:
    header = _read_list(folder / _INDEX, "an index", {"layout", "sha256", "ids"})
    form.check(header, folder)
    read = map_arrays if mapped else read_arrays
    rows = read(folder / _ROWS, header["sha256"])
    codes = read(folder / _CODES, header["codes_sha256"]) if mapped and "codes_sha256" in header else None
    return StoredRows(header["ids"], rows, codes)


# Segments of passages' rows ----------------------------------------------------------------------

_LIST, _SUFFIX = "passages.json", ".safetensors"
_ARRAYS = ("ids", "counts", "codes", "steps", "parts", "starts", "lengths")


@dataclass(frozen=True, slots=True)
class ReadPassages:
    """A document's passages (n,) in reading order, and their vectors (n, dim)."""

    id: str
    passages: Sequence[Chunk]
    rows: DenseRows


@dataclass(frozen=True)
class Segment:
    """The passages of m documents end to end: n in all.

    `counts` (m,) are passages a document, `rows` (n, dim) their vectors as bytes. `parts`, `starts` and `lengths` (n,)
    say which part of its document a passage is from, and which characters of it. A large one has `lists` of its rows.
    """

    name: str
    ids: tuple[str, ...]
    counts: NDArray[np.int64]
    rows: PackedRows
    parts: NDArray[np.uint16]
    starts: NDArray[np.uint32]
    lengths: NDArray[np.uint32]
    lists: SignLists | None = None

    @classmethod
    def of(cls, read: Sequence[ReadPassages], dim: int) -> Self:
        """Return a new segment of documents in their order."""
        chunks = [chunk for one in read for chunk in one.passages]
        rows = np.concatenate([np.zeros((0, dim), np.float32), *(one.rows for one in read)])
        return cls(
            uuid4().hex,
            tuple(one.id for one in read),
            np.array([len(one.passages) for one in read], np.int64),
            PackedRows.of(np.asarray(rows, np.float32), "int8"),
            np.array([chunk.part for chunk in chunks], np.uint16),
            np.array([chunk.start for chunk in chunks], np.uint32),
            np.array([chunk.stop - chunk.start for chunk in chunks], np.uint32),
        )

    @classmethod
    def joined(cls, parts: Sequence[tuple[Segment, NDArray[np.bool_]]], dim: int) -> Self:
        """Return one segment of several, each with which of its documents (m,) stay."""
        both = [(one, kept, np.repeat(kept, one.counts)) for one, kept in parts]  # rows: (n,)
        return cls(
            uuid4().hex,
            tuple(name for one, kept, _ in both for name, stays in zip(one.ids, kept.tolist(), strict=True) if stays),
            np.concatenate([one.counts[kept] for one, kept, _ in both]),
            PackedRows.joined([one.rows.take(np.flatnonzero(own)) for one, _, own in both], dim=dim, precision="int8"),
            np.concatenate([one.parts[own] for one, _, own in both]),
            np.concatenate([one.starts[own] for one, _, own in both]),
            np.concatenate([one.lengths[own] for one, _, own in both]),
        )

    @classmethod
    def read(cls, folder: Path, name: str, sha256: str) -> Self:
        """Read what `write` wrote, from the disk as it is used. Raises StorageError where it is missing or damaged."""
        arrays = map_arrays(folder / f"{name}{_SUFFIX}", sha256)
        require_arrays(arrays, _ARRAYS, "a segment of passages", "Read the passages again.")
        ids = json.loads(arrays["ids"].tobytes())
        rows = PackedRows.from_arrays({"rows": arrays["codes"], "steps": arrays["steps"]}, "int8")
        places = (arrays["parts"], arrays["starts"], arrays["lengths"])
        lists = SignLists.from_arrays(arrays) if "centres" in arrays else None  # which earlier versions did not write
        return cls(name, tuple(ids), np.array(arrays["counts"], np.int64), rows, *places, lists)

    def listed(self) -> Segment:
        """Return the segment with lists of its rows, if it is large."""
        return replace(self, lists=SignLists.of(self.rows)) if len(self) >= LISTED else self

    def write(self, folder: Path) -> str:
        """Write the segment; returns the file's sha256."""
        arrays: StoredArrays = {
            "ids": np.frombuffer(json.dumps(self.ids, ensure_ascii=False).encode(), np.uint8),
            "counts": self.counts.astype(np.uint32),
            "codes": self.rows.codes,
            "steps": np.asarray(self.rows.steps, np.float32),
            "parts": self.parts,
            "starts": self.starts,
            "lengths": self.lengths,
            **(self.lists.arrays if self.lists is not None else {}),
        }
        return write_arrays(folder / f"{self.name}{_SUFFIX}", arrays)

    @cached_property
    def signs(self) -> Signs:
        """The signs of the rows, for a search that compares only some, where it has no lists."""
        return Signs.of(self.rows.codes)

    def __len__(self) -> int:
        """Return how many passages it holds, those of removed documents included."""
        return len(self.parts)


def read_segments_through(folder: Path, names: Iterable[str]) -> None:
    """Read the files of segments to their ends, several at a time, before they are opened one by one."""
    read_through(folder / f"{name}{_SUFFIX}" for name in names)


def forget_segment(folder: Path, name: str) -> None:
    """Remove a segment's file, if it is there; Windows keeps one that is mapped, and no list names it."""
    with suppress(PermissionError):
        (folder / f"{name}{_SUFFIX}").unlink(missing_ok=True)


def has_passages(folder: Path) -> bool:
    """Return whether a folder holds a store of passages."""
    return (folder / _LIST).is_file()


def read_passage_list(folder: Path) -> dict[str, Any]:
    """Read the list in a folder of passages. Raises StorageError where it is damaged or none of ours."""
    return _read_list(folder / _LIST, "passages", {"revision", "segments"})


def write_passage_list(
    folder: Path, *, fingerprint: str, dim: int, revision: int, segments: Sequence[dict[str, Any]]
) -> None:
    """Write the list of a folder of passages."""
    header = {"format": _FORMAT, "fingerprint": fingerprint, "dim": dim, "revision": revision}
    write_json(folder / _LIST, {**header, "segments": segments})


# Whether all is whole ----------------------------------------------------------------------------


def check_rows(folder: Path) -> list[str]:
    """Read all that a folder holds of an index or of passages, and return the ids of its documents.

    Raises StorageError where a file is missing or damaged.
    """
    path = folder / (_LIST if has_passages(folder) else _INDEX)
    forget_digests()
    while True:
        header = read_json(path)
        try:
            return _passages_in(folder) if path.name == _LIST else _rows_in(folder)
        except StorageError:
            if header == read_json(path):  # else another process has written meanwhile
                raise


def _rows_in(folder: Path) -> list[str]:
    header = _read_list(folder / _INDEX, "an index", {"layout", "sha256", "ids"})
    for name, key in ((_ROWS, "sha256"), (_CODES, "codes_sha256")):
        if key in header:
            map_arrays(folder / name, header[key])
    return list(header["ids"])


def _passages_in(folder: Path) -> list[str]:
    found = []
    for one in read_passage_list(folder)["segments"]:
        ids, gone = Segment.read(folder, one["name"], one["sha256"]).ids, set(one["gone"])
        found += [id_ for place, id_ in enumerate(ids) if place not in gone]
    return found
