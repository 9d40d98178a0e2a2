"""A library's passages: kept in segments on disk, found by their vectors, and matched document by document.

Up to 65,536 passages, some 1,600 papers, are all compared. In a larger library only some thousand are, those that
differ from the question in the fewest signs (`engine.vectors.codes`); and above a million passages, only the signs of
about that many are counted, in the lists that are nearest: a question's time hardly grows from there on. Segments never
change, so what is added costs only its own signs and lists, and is written once.

A list of segments names what counts; it is written last and as a whole, so that a stopped process leaves the passages
as they were, with at most a file that nothing names. Eight segments of about one size become one (a log-structured
merge: O'Neil, Cheng, Gawlick and O'Neil 1996, "The log-structured merge-tree"), so each passage is written again a few
times at most, however large the library grows. A store and the view of what it holds at one moment stand together.
"""

from __future__ import annotations

import logging
import math
import threading
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import FingerprintError, StorageError
from engine.core.rows import DenseRows, Positions
from engine.documents import Document
from engine.documents.selections import places
from engine.vectors.codes import Signs, fewest
from engine.vectors.storage import (
    ReadPassages,
    Segment,
    forget_segment,
    has_passages,
    read_passage_list,
    read_segments_through,
    write_passage_list,
)

_FEWEST_AT_ONCE = 1_024
_NUMBERS_AT_ONCE = 1 << 22
"""Scores at once: 16 MiB, whatever the library holds."""

_ALL_COMPARED = 1 << 16
"""Of no more passages than this, every search compares all."""
_LOOKED_UP = 1 << 20
"""Of a larger library the signs of about a million are counted, those in the nearest lists (`engine.vectors.lists`)."""
_COMPARED, _TIMES = 2_000, 32
"""Of these, this many are compared whose signs differ least, and 32 more for each that is asked for."""

Scored = Iterator[tuple[DenseRows, Positions]]
"""Inner products (q, n) of queries with passages, and which these are (n,)."""


class PassagePlace(NamedTuple):
    """Where a passage stands: the part of its document, and the characters of that part."""

    part: int
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class PassageView:
    """Passages are numbered through all segments, and documents in their order; `held` (documents,) says which count.

    `first` (documents,) and `counts` (documents,) say which passages are a document's, `owner` (passages,) which
    document's a passage is.
    """

    segments: tuple[Segment, ...]
    names: tuple[str, ...]
    held: NDArray[np.bool_]
    first: Positions
    counts: Positions
    owner: NDArray[np.int32]
    offsets: Positions
    dim: int

    @classmethod
    def of(cls, parts: Sequence[tuple[Segment, NDArray[np.bool_]]], dim: int) -> Self:
        """Return what some segments hold, each with which of its documents (m,) count."""
        counts = np.concatenate([np.zeros(0, np.int64), *(one.counts for one, _ in parts)])
        held = np.concatenate([np.zeros(0, bool), *(kept for _, kept in parts)])
        first = np.cumsum(counts) - counts
        owner = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        sizes = np.cumsum([0, *(len(one) for one, _ in parts)], dtype=np.int64)
        names = tuple(name for one, _ in parts for name in one.ids)
        return cls(tuple(one for one, _ in parts), names, held, first, counts, owner, sizes, dim)

    @classmethod
    def in_memory(cls, read: Sequence[ReadPassages], dim: int) -> Self:
        """Return the passages of documents that stand in no store."""
        return cls.of([(Segment.of(read, dim), np.ones(len(read), bool))], dim)

    def __len__(self) -> int:
        """Return how many passages count."""
        return int(self.counts[self.held].sum())

    @cached_property
    def number_of(self) -> dict[str, int]:
        """The number of each document that counts, by its id."""
        held = np.flatnonzero(self.held).tolist()
        return dict(zip(compress(self.names, self.held.tolist()), held, strict=True))

    def only(self, names: Mapping[str, str]) -> PassageView:
        """Return the documents whose ids are keys, under new ids; the others do not count."""
        held = self.held & np.array([name in names for name in self.names], bool)
        return replace(self, names=tuple(names.get(name, name) for name in self.names), held=held)

    def among(self, ids: Collection[str]) -> NDArray[np.bool_]:
        """Return which documents (documents,) are some ids' and count."""
        found = np.zeros(len(self.names), bool)
        found[places(ids, self.number_of, self)] = True
        return found

    def place(self, passage: int) -> PassagePlace:
        """Return where a passage stands in its document."""
        number = int(np.searchsorted(self.offsets, passage, side="right")) - 1
        segment, row = self.segments[number], passage - int(self.offsets[number])
        start = int(segment.starts[row])
        return PassagePlace(int(segment.parts[row]), start, start + int(segment.lengths[row]))

    def rows(self, passages: Positions) -> DenseRows:
        """Return the vectors (n, dim) of some passages (n,)."""
        found = np.empty((len(passages), self.dim), np.float32)
        where = np.searchsorted(self.offsets, passages, side="right") - 1
        for number in np.unique(where):
            own = where == number
            found[own] = self.segments[number].rows.take(passages[own] - self.offsets[number]).unpacked()
        return found

    def of_documents(self, documents: Positions) -> tuple[Positions, Positions]:
        """Return the passages (n,) of some documents (m,) end to end, and where each document's begin (m,)."""
        counts = self.counts[documents]
        starts = np.cumsum(counts) - counts
        inside = np.arange(int(counts.sum())) - np.repeat(starts, counts)
        return np.repeat(self.first[documents], counts) + inside, starts

    def read(self, document: Document) -> ReadPassages | None:
        """Return the passages of a document, whose text is as it was read, with rows; None if it does not count."""
        number = self.number_of.get(document.id)
        if number is None:
            return None
        passages, _ = self.of_documents(np.array([number]))
        places, parts = [self.place(passage) for passage in passages.tolist()], document.parts
        chunks = [parts[one.part].chunk(document.id, *one) for one in places]
        return ReadPassages(document.id, chunks, self.rows(passages))

    def nearest_in(self, name: str, queries: DenseRows, k: int) -> list[PassagePlace]:
        """Return a document's k passages nearest to any of q rows (q, dim), nearest first; none if not held."""
        if name not in self.number_of:
            return []
        passages, _ = self.of_documents(np.array([self.number_of[name]]))
        scores = (queries @ self.rows(passages).T).max(axis=0)  # (n,)
        return [self.place(int(passages[place])) for place in np.argsort(-scores, kind="stable")[:k]]

    def search(
        self, queries: DenseRows, k: int, *, among: NDArray[np.bool_] | None = None
    ) -> tuple[Positions, DenseRows]:
        """Return the k passages nearest to each of q rows (q, dim): numbers and inner products (q, k), nearest first.

        `among` (documents,) limits the answer. Where fewer are held, the last numbers are -1.
        """
        counting = self.held if among is None else self.held & among
        places = np.full((len(queries), k), -1, np.int64)
        scores = np.full((len(queries), k), -np.inf, np.float32)
        are_few = int(self.counts[counting].sum()) <= _ALL_COMPARED
        candidates = self._all(counting) if are_few else self._of_few_signs(queries, k, counting)
        for asked, some in candidates:
            for block, numbers in self._products(queries[asked], some):
                scores[asked], places[asked] = _best(scores[asked], places[asked], block, numbers)
        places[scores == -np.inf] = -1
        return places, scores

    def _all(self, counting: NDArray[np.bool_]) -> Iterator[tuple[slice, Positions]]:
        """Give all queries all passages of the documents that are `counting` (documents,)."""
        yield slice(None), self.of_documents(np.flatnonzero(counting))[0]

    def _of_few_signs(
        self, queries: DenseRows, k: int, counting: NDArray[np.bool_]
    ) -> Iterator[tuple[slice, Positions]]:
        """Give each query the passages of documents that count and differ from it in the fewest signs, ascending."""
        share = int(self.counts[counting].sum()) / len(self.owner)
        for number in range(len(queries)):
            one = slice(number, number + 1)
            numbers, differing = self._looked_up(queries[one], share)
            if share < 1:
                own = counting[self.owner[numbers]]
                numbers, differing = numbers[own], differing[own]
            yield one, np.sort(numbers[fewest(differing, _COMPARED + _TIMES * k)])

    def _looked_up(self, query: DenseRows, share: float) -> tuple[Positions, NDArray[np.uint16]]:
        """Return the passages (n,) in the lists nearest to a query (1, dim), and in how many signs they differ (n,).

        Of segments without lists it is all passages. Where only a `share` of the passages counts, there are more lists.
        """
        signs, chosen = Signs.of(query), self._nearest_lists(query, share)
        numbers, differing = [], []
        for number, (segment, offset) in enumerate(zip(self.segments, self.offsets.tolist(), strict=False)):
            if segment.lists is None:
                numbers.append(np.arange(offset, offset + len(segment)))
                differing.append(segment.signs.differing(signs))
            elif number in chosen:
                places, counts = segment.lists.differing(chosen[number], signs)
                numbers.append(places.astype(np.int64) + offset)
                differing.append(counts)
        return np.concatenate(numbers), np.concatenate(differing)

    def _nearest_lists(self, query: DenseRows, share: float) -> dict[int, Positions]:
        """Return the lists by segment whose centres are nearest to a query (1, dim), as many as are looked up."""
        owners, sizes = self._lists
        if not len(sizes):
            return {}
        products = np.concatenate([one.lists.centres @ query[0] for one in self.segments if one.lists is not None])
        order = np.argsort(-products, kind="stable")
        taken = np.sort(order[: int(np.searchsorted(np.cumsum(sizes[order]), _LOOKED_UP / share)) + 1])
        segments, first = np.unique(owners[taken, 0], return_index=True)
        return dict(zip(segments.tolist(), np.split(owners[taken, 1], first[1:]), strict=True))

    @cached_property
    def _lists(self) -> tuple[Positions, Positions]:
        """Whose each list is, as its segment's number and its own there (l, 2), and how many passages it has: (l,)."""
        held = [(number, one.lists.sizes) for number, one in enumerate(self.segments) if one.lists is not None]
        owners = [np.column_stack([np.full(len(sizes), number), np.arange(len(sizes))]) for number, sizes in held]
        none = np.zeros(0, np.int64)
        return np.concatenate([none.reshape(0, 2), *owners]), np.concatenate([none, *(sizes for _, sizes in held)])

    def _products(self, queries: DenseRows, passages: Positions) -> Scored:
        """Yield the inner products (q, n) of queries with some passages, ascending, and which these are, by blocks."""
        at_once = max(_FEWEST_AT_ONCE, _NUMBERS_AT_ONCE // max(1, len(queries)))
        for segment, offset, own in zip(
            self.segments,
            self.offsets.tolist(),
            np.split(passages, np.searchsorted(passages, self.offsets[1:-1])),
            strict=False,
        ):
            for start in range(0, len(own), at_once):
                some = own[start : start + at_once]
                places = some - offset
                is_whole = int(places[-1] - places[0]) == len(places) - 1
                rows = segment.rows.part(slice(int(places[0]), int(places[-1]) + 1)) if is_whole else None
                yield (rows or segment.rows.take(places)).products(queries), some


def _best(scores: DenseRows, places: Positions, block: DenseRows, numbers: Positions) -> tuple[DenseRows, Positions]:
    """Return the best k of what was found (q, k) and a block's scores (q, n) of the passages `numbers` (n,)."""
    k = scores.shape[1]
    joined = np.concatenate([scores, block], axis=1)
    found = np.argpartition(-joined, k - 1, axis=1)[:, :k]
    own = np.take_along_axis(places, np.minimum(found, k - 1), 1)
    best_numbers = np.where(found < k, own, numbers[np.maximum(found - k, 0)])
    best = np.take_along_axis(joined, found, 1)
    order = np.lexsort((best_numbers, -best), axis=1)
    return np.take_along_axis(best, order, 1), np.take_along_axis(best_numbers, order, 1)


_LOG = logging.getLogger(__name__)
_JOINED = 8
"""This number of segments of one size becomes one."""
_SMALLEST = 1_000
"""Segments of no more passages than this count as of one size; the next size is eight times that."""
_LARGEST = 1 << 20
"""Segments that would hold more passages together are not joined: what is joined has to fit in memory."""
_MOST_GONE = 0.5
"""A segment with a larger share of removed documents is written again without them."""


@dataclass(slots=True)
class HeldSegment:
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


class PassageStore(ABC):
    """Passages of one encoder under their documents' ids. Thread-safe."""

    def __init__(self, *, fingerprint: str, dim: int) -> None:
        """Begin without any."""
        self.fingerprint, self.dim = fingerprint, dim
        self.revision = 0
        """The library's revision up to which changed texts were read again; `keep` writes it."""
        self._lock = threading.RLock()
        self._placed: dict[str, Any] | None = {}
        self._view: PassageView | None = None

    def __contains__(self, name: object) -> bool:
        """Return whether the passages of a document of this id are held."""
        return name in self._place

    def __len__(self) -> int:
        """Return how many documents are held."""
        return len(self._place)

    @property
    def ids(self) -> Sequence[str]:
        """Every document held."""
        with self._lock:
            return tuple(self._place)

    @property
    def _place(self) -> dict[str, Any]:
        """Where each document that is held lies; found out when it is first needed, which searches do not."""
        with self._lock:
            if self._placed is None:
                self._placed = self._found()
            return self._placed

    def _found(self) -> dict[str, Any]:
        """Find out where each document lies."""
        return {}

    def view(self) -> PassageView:
        """Return what is held now, to be searched; later changes do not reach it."""
        with self._lock:
            if self._view is None:
                self._view = self._viewed()
            return self._view

    def add(self, read: Sequence[ReadPassages]) -> None:
        """Keep the passages of documents; those of a document that is held already are replaced. Writes at once."""
        if not read:
            return
        with self._lock:
            self._take(read)
            self._settle()

    def remove(self, ids: Iterable[str]) -> None:
        """Forget documents; unknown ones are ignored. Writes at once."""
        with self._lock:
            if self.hide(ids):
                self._settle()

    def hide(self, ids: Iterable[str]) -> bool:
        """Forget documents for now; whether any was held. They are gone for good with the next change."""
        with self._lock:
            asked = list(ids)
            held = [name for name in asked if name in self._place] if asked else []
            for name in held:
                self._leave_out(self._place.pop(name))
            self._view = None if held else self._view
            return bool(held)

    @abstractmethod
    def keep(self) -> None:
        """Write the list of what is held, with the revision."""

    @abstractmethod
    def _viewed(self) -> PassageView:
        """Return what is held now."""

    @abstractmethod
    def _take(self, read: Sequence[ReadPassages]) -> None:
        """Hold the passages of documents, in place of what was held under their ids."""

    @abstractmethod
    def _leave_out(self, place: Any) -> None:  # noqa: ANN401  a store's own
        """Let a document, which is held no longer, be left out with the next change."""

    @abstractmethod
    def _settle(self) -> None:
        """Write what has changed."""


class SegmentStore(PassageStore):
    """Passages kept in a folder: at most 400 bytes a passage where the encoder has 384 numbers."""

    def __init__(self, folder: Path, *, fingerprint: str, dim: int) -> None:
        """Open the passages kept in `folder`, or start without any.

        Documents of a missing or damaged segment are not held, so that they are read again. Raises FingerprintError for
        another encoder's passages, StorageError where the list is damaged.
        """
        super().__init__(fingerprint=fingerprint, dim=dim)
        self.folder = folder
        self._listed: list[HeldSegment] = []
        if has_passages(folder):
            self._read()

    @classmethod
    def kept(cls, folder: Path) -> Self:
        """Open the passages kept in `folder`, whatever encoder read them. Raises StorageError for a damaged list."""
        header = read_passage_list(folder)
        return cls(folder, fingerprint=header["fingerprint"], dim=header["dim"])

    def __len__(self) -> int:
        """Return how many documents are held."""
        return sum(int(np.count_nonzero(one.kept)) for one in self._listed)

    @property
    def ids(self) -> Sequence[str]:
        """Every document held."""
        with self._lock:
            return [name for one in self._listed for name in compress(one.segment.ids, one.kept.tolist())]

    def keep(self) -> None:
        """Write the list of what is held, with the revision."""
        with self._lock:
            self._write()

    def _viewed(self) -> PassageView:
        return PassageView.of([(one.segment, one.kept) for one in self._listed], self.dim)

    def _take(self, read: Sequence[ReadPassages]) -> None:
        self._list(Segment.of(read, self.dim))

    def hide(self, ids: Iterable[str]) -> bool:
        """Forget documents for now, as of any store; where none was looked up before, none is looked up for it."""
        with self._lock:
            if self._placed is not None:
                return super().hide(ids)
            names, found = frozenset(ids), False
            for one in self._listed if names else ():
                places = [place for place, name in enumerate(one.segment.ids) if name in names and one.kept[place]]
                one.kept[places] = False
                found = found or bool(places)
            self._view = None if found else self._view
            return found

    def _leave_out(self, place: tuple[HeldSegment, int]) -> None:
        listed, number = place
        listed.kept[number] = False

    def _list(self, made: Segment) -> None:
        """Write a segment and count its documents, in place of what was held under their ids."""
        made = made.listed()
        sha256 = made.write(self.folder)
        if made.lists is not None:  # a large one is read from the disk from now on
            made = Segment.read(self.folder, made.name, sha256)
        listed, held = HeldSegment(made, sha256, np.ones(len(made.ids), bool)), self._place
        for place, name in enumerate(made.ids):
            if name in held:
                before, there = held[name]
                before.kept[there] = False
            held[name] = (listed, place)
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
            forget_segment(self.folder, name)

    def _due(self) -> list[HeldSegment]:
        """Return the segments to write again as one."""
        by_size: defaultdict[int, list[HeldSegment]] = defaultdict(list)
        for one in self._listed:
            if len(one.gone) > _MOST_GONE * len(one.kept):
                return [one]
            by_size[one.size].append(one)
        alike = (some for _, some in sorted(by_size.items()) if len(some) >= _JOINED)
        return next((some for some in alike if sum(len(one.segment) for one in some) <= _LARGEST), [])

    def _write(self) -> None:
        segments = [{"name": one.segment.name, "sha256": one.sha256, "gone": one.gone} for one in self._listed]
        write_passage_list(
            self.folder, fingerprint=self.fingerprint, dim=self.dim, revision=self.revision, segments=segments
        )

    def _read(self) -> None:
        """Read the list and its segments; again where another process has changed them meanwhile."""
        header = read_passage_list(self.folder)
        if (header["fingerprint"], header["dim"]) != (self.fingerprint, self.dim):
            raise FingerprintError(
                f"Expected passages read by the encoder {self.fingerprint}, found those of {header['fingerprint']} in "
                f"{self.folder}. Open them with the encoder that made them, or remove the folder and index again."
            )
        while True:
            self._listed, self._placed = [], None
            read_segments_through(self.folder, [one["name"] for one in header["segments"]])
            lost = [one for one in header["segments"] if not self._read_segment(one)]
            again = read_passage_list(self.folder) if lost else header
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
        listed = HeldSegment(segment, entry["sha256"], np.ones(len(segment.ids), bool))
        listed.kept[entry["gone"]] = False
        self._listed.append(listed)
        return True

    def _found(self) -> dict[str, Any]:
        return {
            name: (one, place) for one in self._listed for place, name in enumerate(one.segment.ids) if one.kept[place]
        }
