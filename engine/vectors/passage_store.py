"""Keeps a library's passages in segments: what is added is written once, and small segments are joined now and then.

A list of segments names what counts; it is written last and as a whole, so that a stopped process leaves the passages
as they were, with at most a file that nothing names. Eight segments of about one size become one (a log-structured
merge: O'Neil, Cheng, Gawlick and O'Neil 1996, "The log-structured merge-tree"), so each passage is written again a few
times at most, however large the library grows.
"""

from __future__ import annotations

import logging
import math
import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.errors import FingerprintError, StorageError
from engine.vectors.passage_view import PassageView
from engine.vectors.segments import ReadDocument, Segment, forget_file

_LOG = logging.getLogger(__name__)
_LIST = "passages.json"
_FORMAT = 1
_JOINED = 8
"""This number of segments of one size becomes one."""
_SMALLEST = 1_000
"""Segments of no more passages than this count as of one size; the next size is eight times that."""
_MOST_GONE = 0.5
"""A segment with a larger share of removed documents is written again without them."""


@dataclass(slots=True)
class Listed:
    """A segment, its file's sha256, and which of its documents count: (m,)."""

    segment: Segment
    sha256: str
    kept: NDArray[np.bool_]

    @property
    def gone(self) -> list[int]:
        """The places of documents that were removed, or replaced by a later segment's."""
        return [int(place) for place in np.flatnonzero(~self.kept)]

    @property
    def size(self) -> int:
        """The class of sizes that it belongs to."""
        return math.ceil(math.log(max(1.0, len(self.segment) / _SMALLEST), _JOINED))


class PassageStore:
    """Passages of one encoder under their documents' ids, kept in a folder. Thread-safe.

    At most 400 bytes a passage where the encoder has 384 numbers.
    """

    def __init__(self, folder: Path, *, fingerprint: str, dim: int) -> None:
        """Open the passages kept in `folder`, or start without any.

        Documents of a missing or damaged segment are not held, so that they are read again. Raises FingerprintError for
        another encoder's passages, StorageError where the list is damaged.
        """
        self.folder, self.fingerprint, self.dim = folder, fingerprint, dim
        self.revision = 0
        """The library's revision up to which changed texts were read again; `keep` writes it."""
        self._lock = threading.RLock()
        self._listed: list[Listed] = []
        self._place: dict[str, tuple[Listed, int]] = {}
        self._view: PassageView | None = None
        if (folder / _LIST).is_file():
            self._read()

    @classmethod
    def kept(cls, folder: Path) -> Self:
        """The passages kept in `folder`, whatever encoder read them. Raises StorageError where the list is damaged."""
        header = _header(folder)
        return cls(folder, fingerprint=header["fingerprint"], dim=header["dim"])

    def __contains__(self, name: object) -> bool:
        """Whether the passages of a document of this id are held."""
        return name in self._place

    def __len__(self) -> int:
        """How many documents are held."""
        return len(self._place)

    @property
    def ids(self) -> Collection[str]:
        """Every document held."""
        with self._lock:
            return tuple(self._place)

    def view(self) -> PassageView:
        """What is held now, to be searched; later changes do not reach it."""
        with self._lock:
            if self._view is None:
                self._view = PassageView.of([(one.segment, one.kept) for one in self._listed], self.dim)
            return self._view

    def add(self, read: Sequence[ReadDocument]) -> None:
        """Keep the passages of documents; those of a document that is held already are replaced. Writes at once."""
        if not read:
            return
        made = Segment.of(read, self.dim)
        with self._lock:
            self._list(made)
            self._settle()

    def remove(self, ids: Iterable[str]) -> None:
        """Forget documents; unknown ones are ignored. Writes at once."""
        with self._lock:
            if self.hide(ids):
                self._settle()

    def hide(self, ids: Iterable[str]) -> bool:
        """Forget documents for now; whether any was held. They are gone from the disk with the next change."""
        with self._lock:
            held = [name for name in ids if name in self._place]
            for name in held:
                listed, place = self._place.pop(name)
                listed.kept[place] = False
            self._view = None if held else self._view
            return bool(held)

    def keep(self) -> None:
        """Write the list of what is held, with the revision."""
        with self._lock:
            self._write()

    def _list(self, made: Segment) -> None:
        """Write a segment and count its documents, in place of what was held under their ids."""
        listed = Listed(made, made.write(self.folder), np.ones(len(made.ids), bool))
        for place, name in enumerate(made.ids):
            if name in self._place:
                before, there = self._place[name]
                before.kept[there] = False
            self._place[name] = (listed, place)
        self._listed.append(listed)

    def _settle(self) -> None:
        """Join segments where that is due, and write the list; files that it does not name go last."""
        written = {one.segment.name for one in self._listed}
        while due := self._due():
            made = Segment.joined([(one.segment, one.kept) for one in due], self.dim)
            self._listed = [one for one in self._listed if one not in due]
            if made.ids:
                self._list(made)
                written.add(made.name)  # and may be joined at once
        self._view = None
        self._write()
        for name in written - {one.segment.name for one in self._listed}:
            forget_file(self.folder, name)

    def _due(self) -> list[Listed]:
        """The segments to write again as one."""
        by_size: defaultdict[int, list[Listed]] = defaultdict(list)
        for one in self._listed:
            if len(one.gone) > _MOST_GONE * len(one.kept):
                return [one]
            by_size[one.size].append(one)
        return next((some for _, some in sorted(by_size.items()) if len(some) >= _JOINED), [])

    def _write(self) -> None:
        segments = [{"name": one.segment.name, "sha256": one.sha256, "gone": one.gone} for one in self._listed]
        header = {"format": _FORMAT, "fingerprint": self.fingerprint, "dim": self.dim, "revision": self.revision}
        files.write_json(self.folder / _LIST, {**header, "segments": segments})

    def _read(self) -> None:
        """Read the list and its segments; again where another process has changed them meanwhile."""
        header = _header(self.folder)
        if (header["fingerprint"], header["dim"]) != (self.fingerprint, self.dim):
            raise FingerprintError(
                f"Expected passages read by the encoder {self.fingerprint}, found those of {header['fingerprint']} in "
                f"{self.folder}. Open them with the encoder that made them, or remove the folder and index again."
            )
        while True:
            self._listed, self._place = [], {}
            lost = [one for one in header["segments"] if not self._read_segment(one)]
            again = _header(self.folder) if lost else header
            if again == header:
                break
            header = again
        for one in lost:
            _LOG.warning("the segment of passages %s is lost; its documents are read again", one["name"])
        self.revision = int(header["revision"])

    def _read_segment(self, entry: dict[str, Any]) -> bool:
        """Take a segment from the disk; whether it could be read."""
        try:
            segment = Segment.read(self.folder, entry["name"], entry["sha256"])
        except StorageError as error:
            _LOG.info("%s", error)
            return False
        listed = Listed(segment, entry["sha256"], np.ones(len(segment.ids), bool))
        listed.kept[entry["gone"]] = False
        self._place |= {name: (listed, n) for n, name in enumerate(segment.ids) if listed.kept[n]}
        self._listed.append(listed)
        return True


def _header(folder: Path) -> dict[str, Any]:
    """The list in a folder, checked."""
    header: dict[str, Any] = files.read_json(folder / _LIST)
    missing = {"format", "fingerprint", "dim", "revision", "segments"} - header.keys()
    if missing or header["format"] != _FORMAT:
        raise StorageError(
            f"Expected passages of format {_FORMAT} in {folder}, found another. Remove the folder and index again."
        )
    return header
