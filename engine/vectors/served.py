"""An index and a store of passages whose rows lie on a server: PostgreSQL with pgvector, or Milvus.

A `RowTable` is what a server does: it keeps one encoder's rows, several a document, and finds near ones by a graph. The
rest is written once, here. Of a few documents all rows are read when they are opened, and compared in memory: the same
answers as those of rows in a folder. Of many only the ids are read, and the server is asked: an answer may then miss a
near row in a hundred, and of equal rows at its end others than the first added.

A writer sends rows in batches, a document's first row last: a document whose first row is missing is not held, so
whatever ends a writer leaves whole documents, and the next one completes the rest. What is sent twice is held once.

All of it stands in one file, because both servers share what is asked of one, and how it is asked again.
"""

from __future__ import annotations

import math
import threading
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import FingerprintError, VectorServerError
from engine.core.rows import DenseRows, Positions, Rows
from engine.documents import Hit
from engine.documents.selections import remembered
from engine.vectors.exact import EmbeddedIndex
from engine.vectors.index import VectorIndex
from engine.vectors.packed import PackedRows
from engine.vectors.passages import PassagePlace, PassageStore, PassageView
from engine.vectors.storage import IndexForm, ReadPassages, Segment

AT_ONCE = 2_000
"""Rows of one message: 3 MB where an encoder has 384 numbers."""
_SHORT = 1_000
"""So few rows that a question is asked within are read and compared here: a graph is bad at finding few of many."""
_SPARE, _TIMES = 32, 1.5
"""More candidates than are asked for: some may count no longer, or have the same score as the last one."""
_FEW = 1 << 14
"""Of no more rows than this a server needs no graph; of passages, those of some 400 papers, they are read at once."""
_DOCUMENTS_KEPT = 512
"""As many documents have their passages at hand, once read: a search looks at those of some hundred three times."""
_MANY_GONE = 10_000

RowKey = tuple[str, int]
"""A document's id, and which of its rows: from 0."""


@dataclass(frozen=True, slots=True, eq=False)
class TableRows:
    """Rows (n, dim) of a table with what it says of each: its key, how many rows its document has, when it was added.

    `added` orders documents; `places` (n, 3) are a passage's part, start and stop.
    """

    keys: Sequence[RowKey]
    counts: NDArray[np.int64]
    added: NDArray[np.int64]
    places: NDArray[np.int64]
    rows: DenseRows

    @classmethod
    def of(cls, documents: Sequence[ReadPassages], added: Sequence[int]) -> Self:
        """Return the rows of documents; one without passages has a row of zeros, and a count of 0."""
        keys, counts, times, places, rows = [], [], [], [], []
        for one, when in zip(documents, added, strict=True):
            cut = [(chunk.part, chunk.start, chunk.stop) for chunk in one.passages]
            keys += [(one.id, number) for number in range(max(1, len(cut)))]
            counts += [len(cut)] * max(1, len(cut))
            times += [when] * max(1, len(cut))
            places += cut or [(0, 0, 0)]
            rows.append(np.asarray(one.rows, np.float32) if cut else np.zeros((1, one.rows.shape[1]), np.float32))
        return cls(keys, np.array(counts), np.array(times), np.array(places), np.concatenate(rows))

    def some(self, places: Positions) -> TableRows:
        """Return some of them, in the order of their places."""
        keys = [self.keys[place] for place in places.tolist()]
        return TableRows(keys, self.counts[places], self.added[places], self.places[places], self.rows[places])


class HeldDocument(NamedTuple):
    """A document of a table, how many rows it has, and what orders it."""

    id: str
    size: int
    added: int


class FoundKeys(NamedTuple):
    """One question's candidates, nearest first: their scores (n,), and their rows (n, dim) where those are rough."""

    keys: Sequence[RowKey]
    scores: NDArray[np.float32]
    rows: DenseRows | None = None


@dataclass(frozen=True, slots=True)
class TableState:
    """What a table holds rows of, the library's revision that it has seen, and a number that grows with each change."""

    form: IndexForm
    revision: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class Admitted:
    """Which rows of a table count: `size` of `total`, which `keys` lists.

    `place` gives a row its place in an order that settles ties; None where it does not count.
    """

    total: int
    size: int
    place: Callable[[RowKey], int | None]
    keys: Callable[[], Sequence[RowKey]]


class NearKeys(NamedTuple):
    """A row of an answer: its score, its place, and its document."""

    score: float
    place: int
    document: str


class RowTable(ABC):
    """One encoder's rows of a library on a server, under a name. Every call may raise VectorServerError."""

    most: ClassVar[int]
    """An answer holds no more rows than this."""

    def __init__(self, address: str, name: str) -> None:
        """Name the table; nothing is asked of the server yet."""
        self.address, self.name = address, name

    @classmethod
    @abstractmethod
    def names(cls, address: str) -> list[str]:
        """Return the names of all tables at an address."""

    @abstractmethod
    def state(self) -> TableState | None:
        """Return what the table says of itself; None before it is made."""

    @abstractmethod
    def keep_state(self, state: TableState) -> None:
        """Write it; makes the table where it is missing."""

    @abstractmethod
    def listed(self) -> list[HeldDocument]:
        """Return the documents held, in the order added."""

    @abstractmethod
    def put(self, rows: TableRows) -> None:
        """Write at most `AT_ONCE` rows, in place of those under the same keys."""

    @abstractmethod
    def remove(self, documents: Sequence[str]) -> None:
        """Remove all rows of documents; unknown ones are ignored."""

    @abstractmethod
    def take(self, keys: Sequence[RowKey]) -> TableRows:
        """Return at most `AT_ONCE` rows by their keys, in any order; unknown ones are left out."""

    @abstractmethod
    def nearest(self, queries: DenseRows, k: int, within: Sequence[str] | None) -> list[FoundKeys]:
        """Return the k nearest rows of each query (q, dim), or fewer, of all or some documents."""

    @abstractmethod
    def has_graph(self) -> bool:
        """Return whether near rows are found by a graph; otherwise all are compared."""

    @abstractmethod
    def make_graph(self) -> None:
        """Make the graph, if it is not there: minutes for a million rows."""

    @abstractmethod
    def compact(self) -> None:
        """Let the server give back the room of removed rows."""

    @abstractmethod
    def drop(self) -> None:
        """Remove the table, if it is there."""

    def change(self, form: IndexForm, revision: int | None = None) -> None:
        """Say that rows have changed, or which revision of the library they have seen."""
        seen = revision
        if seen is None:
            held = self.state()
            seen = held.revision if held is not None else 0
        self.keep_state(TableState(form, seen, time.time_ns()))

    def write(self, rows: TableRows) -> None:
        """Write rows in batches, the first of each document last."""
        is_first = np.array([number == 0 for _, number in rows.keys], bool)
        for places in (np.flatnonzero(~is_first), np.flatnonzero(is_first)):
            for start in range(0, len(places), AT_ONCE):
                self.put(rows.some(places[start : start + AT_ONCE]))

    def fetch(self, keys: Sequence[RowKey]) -> TableRows:
        """Return rows by their keys, in their order. Raises VectorServerError where one was removed meanwhile."""
        parts = [self.take(keys[start : start + AT_ONCE]) for start in range(0, len(keys), AT_ONCE)]
        place_of = {key: place for place, key in enumerate(chain.from_iterable(one.keys for one in parts))}
        missing = [key for key in keys if key not in place_of]
        if missing:
            raise VectorServerError(
                f"Expected the rows of {missing[0][0]!r} at {self.address}; another process removed them. Ask again."
            )
        counts, added, places, rows = (
            np.concatenate([getattr(one, name) for one in parts]) for name in ("counts", "added", "places", "rows")
        )
        order = np.array([place_of[key] for key in keys], np.int64)
        return TableRows(keys, counts[order], added[order], places[order], rows[order])

    def search(self, queries: DenseRows, k: int, among: Admitted) -> list[list[NearKeys]]:
        """Return the k best rows that count of each query (q, dim), best first; equal ones by their places.

        Few rows that count are compared here. Otherwise the server is asked for more rows than k, by the share of those
        that count, which costs less than to name them all; only where too few of these count is it asked for the rows
        of some documents.
        """
        if among.size <= min(_SHORT, among.total - 1):
            near = self.fetch(among.keys())
            return [_counting(own, FoundKeys(near.keys, near.rows @ own), k, among) for own in queries]
        asked = math.ceil(k * (1 if among.size >= among.total else _TIMES * among.total / max(1, among.size))) + _SPARE
        found: list[list[NearKeys]] = [[] for _ in queries]
        left = list(range(len(queries)))
        if asked <= self.most or among.size >= among.total:
            answers = self.nearest(queries, min(asked, self.most), None)
            found = [_counting(*pair, k, among) for pair in zip(queries, answers, strict=True)]
            left = [
                n
                for n, (own, answer) in enumerate(zip(found, answers, strict=True))
                if len(own) < min(k, among.size) and len(answer.keys) >= asked
            ]
        if left and among.size < among.total:
            within = list(dict.fromkeys(name for name, _ in among.keys()))
            again = self.nearest(queries[left], min(k + _SPARE, self.most), within)
            for n, answer in zip(left, again, strict=True):
                found[n] = _counting(queries[n], answer, k, among)
        return found


def _counting(query: DenseRows, answer: FoundKeys, k: int, among: Admitted) -> list[NearKeys]:
    """Return the k best of an answer that count; rough scores are counted again from the rows."""
    scores = answer.scores if answer.rows is None else answer.rows @ query
    placed = zip(scores.tolist(), map(among.place, answer.keys), answer.keys, strict=True)
    found = [NearKeys(score, place, key[0]) for score, place, key in placed if place is not None]
    return sorted(found, key=lambda one: (-one.score, one.place))[:k]


_NOWHERE = Path("served")
"""Rows at hand are never written to a folder."""


class _Held:
    """Stands for the ids that an index holds at a time."""


class ServedIndex(VectorIndex):
    """Documents' rows on a server. What is added or removed waits here until it is flushed, and counts at once.

    `loaded` reads all rows and compares them in memory: exactly, ties as promised. Otherwise the server is asked. Of
    rows with the same score those added first are preferred among the candidates that it gives, 32 more than are asked
    for, which need not be the first of all.
    """

    def __init__(self, table: RowTable, form: IndexForm, *, loaded: bool) -> None:
        """Read what the table holds. Raises FingerprintError, ShapeError or VectorIndexError where it is not for it."""
        self.fingerprint, self.dim, self.precision = form.fingerprint, form.dim, form.precision
        self.is_exact = loaded
        self._table, self._form, self._lock = table, form, threading.RLock()
        self._at_hand = self._empty()  # all rows, or those that wait
        self._added: dict[str, int] = {}
        self._waiting: set[str] = set()
        self._gone: set[str] = set()
        self._following = 0
        self._ids: Sequence[str] | None = None
        self._state = _Held()
        if (state := table.state()) is not None:
            form.check(asdict(state.form), f"{table.name} at {table.address}")
            self._added = {one.id: one.added for one in table.listed()}
            self._following = 1 + max(self._added.values(), default=0)
            if loaded:
                for ids in _parts(list(self._added)):
                    self._at_hand.add(ids, self._fetched(ids))

    @property
    def ids(self) -> Sequence[str]:
        """Every id held, in the order added."""
        with self._lock:
            if self._ids is None:
                self._ids = tuple(self._added)
            return self._ids

    def __len__(self) -> int:
        """Return how many documents are held."""
        return len(self._added)

    def __contains__(self, name: object) -> bool:
        """Return whether a document of this id is held."""
        return name in self._added

    def remove(self, ids: Collection[str]) -> None:
        """Forget ids; unknown ones are ignored."""
        with self._lock:
            held = [name for name in ids if self._added.pop(name, None) is not None]
            self._at_hand.remove(held)
            self._waiting.difference_update(held)
            self._gone.update(held)
            self._changed()

    def flush(self) -> None:
        """Write what waits to the server, in batches; a stopped process leaves those that were written."""
        with self._lock:
            if (gone := len(self._gone)) or self._waiting or self._table.state() is None:
                self._table.change(self._form)  # makes the table
            for ids in _parts([name for name in self._added if name in self._waiting]):
                rows = np.asarray(self._at_hand.rows(ids))
                numbers, ones = np.array([self._added[name] for name in ids]), np.ones(len(ids), np.int64)
                keys = [(name, 0) for name in ids]
                self._table.write(TableRows(keys, ones, numbers, np.zeros((len(ids), 3), np.int64), rows))
            for ids in _parts(sorted(self._gone)):
                self._table.remove(ids)
            if gone >= min(_MANY_GONE, max(1, len(self._added))):
                self._table.compact()
            if not self.is_exact:
                if len(self._added) > _FEW:
                    self._table.make_graph()
                self._at_hand = self._empty()
            if gone or self._waiting:
                self._table.change(self._form)
            self._waiting, self._gone = set(), set()

    def _empty(self) -> EmbeddedIndex:
        return EmbeddedIndex(_NOWHERE, fingerprint=self.fingerprint, dim=self.dim, precision=self.precision)

    def _changed(self) -> None:
        """Forget what was true of the ids before."""
        self._ids, self._state = None, _Held()

    def _typed(self, rows: Rows) -> DenseRows:
        return np.array(rows, dtype=np.float32, order="C")

    def _add(self, ids: Sequence[str], rows: Rows) -> None:
        with self._lock:
            self._at_hand.add(ids, rows)
            self._following = max(time.time_ns() // 1_000, self._following)  # after those of other machines
            for name in ids:
                self._added.setdefault(name, self._following)
                self._following += 1
            self._waiting.update(ids)
            self._gone.difference_update(ids)
            self._changed()

    def _rows(self, ids: Sequence[str]) -> Rows:
        with self._lock:
            if self.is_exact:
                return self._at_hand.rows(ids)
            rows = np.empty((len(ids), self.dim), np.float32)
            waits = np.array([name in self._waiting for name in ids], bool)
            rows[waits] = self._at_hand.rows([name for name in ids if name in self._waiting])
            if not waits.all():
                rows[~waits] = self._fetched([name for name in ids if name not in self._waiting])
            return rows

    def _fetched(self, ids: Sequence[str]) -> DenseRows:
        return self._table.fetch([(name, 0) for name in ids]).rows

    def _search(self, rows: Rows, k: int, within: Collection[str] | None) -> list[list[Hit]]:
        if self.is_exact:
            return self._at_hand.search(rows, k, within=within)
        queries = np.asarray(rows)
        with self._lock:
            added, waiting = self._added, self._waiting
            among = self.ids if within is None else remembered(within, self._state, lambda: self._order(within))
            there = [name for name in among if name not in waiting] if waiting else among
        wanted: Collection[str] = added if within is None else within if isinstance(within, Set) else set(within)

        def place(key: RowKey) -> int | None:
            name, number = key
            return None if number or name in waiting or name not in wanted else added.get(name)

        found: list[list[NearKeys]] = [[] for _ in queries]
        if there and len(queries):
            total = len(added) - len(waiting) + len(self._gone)
            found = self._table.search(
                queries, k, Admitted(total, len(there), place, lambda: [(name, 0) for name in there])
            )
        if waiting:
            here = self._at_hand.search(queries, k, within=None if within is None else wanted)
            for own, hits in zip(found, here, strict=True):
                own += [NearKeys(hit.score, added[hit.id], hit.id) for hit in hits]
                own[:] = sorted(own, key=lambda one: (-one.score, one.place))[:k]
        return [[Hit(one.document, one.score) for one in own] for own in found]

    def _order(self, within: Collection[str]) -> Sequence[str]:
        """Return those of some ids that are held, in the order added."""
        wanted = frozenset(within)
        if len(wanted) < len(self._added) // 4:
            return sorted(wanted.intersection(self._added), key=self._added.__getitem__)
        return [name for name in self._added if name in wanted]


def _parts(names: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), AT_ONCE):
        yield names[start : start + AT_ONCE]


# Passages -----------------------------------------------------------------------------------------


class ServedPassages(PassageStore):
    """Passages on a server, each a row with its place in the text.

    A small library's are read when they are first searched, and compared in memory.
    """

    def __init__(self, table: RowTable, *, fingerprint: str, dim: int) -> None:
        """Read which documents the table holds. Raises FingerprintError for another encoder's passages."""
        super().__init__(fingerprint=fingerprint, dim=dim)
        self._table, self._gone = table, dict[str, int]()
        self._form = IndexForm(fingerprint, dim, "dense", "int8")
        if (state := table.state()) is not None:
            if (state.form.fingerprint, state.form.dim) != (fingerprint, dim):
                raise FingerprintError(
                    f"Expected passages read by the encoder {fingerprint}, found those of {state.form.fingerprint} at "
                    f"{table.address}. Open them with the encoder that made them, or give the library another name."
                )
            self.revision = state.revision
            self._placed = {one.id: one for one in table.listed()}

    def keep(self) -> None:
        """Write what was removed, and the revision."""
        with self._lock:
            self._settle()

    def _viewed(self) -> PassageView:
        held = list(self._place.values())
        if sum(one.size for one in held) > _FEW:
            return ServedView.on(self._table, held, self.dim, left_out=sum(self._gone.values()))
        read = self._table.fetch([(one.id, number) for one in held for number in range(one.size)]) if held else None
        if read is None or not read.keys:
            return PassageView.of([], self.dim)
        part, start, stop = read.places.T
        ids, counts = tuple(one.id for one in held), np.array([one.size for one in held])
        packed = PackedRows.of(read.rows, "int8")
        places = (part.astype(np.uint16), start.astype(np.uint32), (stop - start).astype(np.uint32))
        return PassageView.of([(Segment("", ids, counts, packed, *places), np.ones(len(ids), bool))], self.dim)

    def _take(self, read: Sequence[ReadPassages]) -> None:
        last = {one.id: one for one in read}
        self._table.change(self._form, self.revision)  # makes the table
        self._remove({*last, *self._gone})  # or what a stopped process left of them would be found
        following = max(time.time_ns() // 1_000, 1 + max((one.added for one in self._place.values()), default=0))
        added = range(following, following + len(last))
        packed = [
            replace(one, rows=PackedRows.of(np.asarray(one.rows, np.float32), "int8").unpacked())
            for one in last.values()
        ]
        self._table.write(TableRows.of(packed, added))
        self._place.update(
            (one.id, HeldDocument(one.id, len(one.passages), when))
            for one, when in zip(last.values(), added, strict=True)
        )
        if sum(one.size for one in self._place.values()) > _FEW:
            self._table.make_graph()

    def _leave_out(self, place: HeldDocument) -> None:
        self._gone[place.id] = place.size

    def _settle(self) -> None:
        self._remove(self._gone.keys())
        self._gone, self._view = {}, None
        self._table.change(self._form, self.revision)

    def _remove(self, ids: Set[str]) -> None:
        for some in _parts(sorted(ids)):
            self._table.remove(some)
        if len(ids) >= _MANY_GONE:
            self._table.compact()


@dataclass(frozen=True, eq=False)
class ServedView(PassageView):
    """Passages that a server searches; the rows of documents looked at last are at hand.

    `keys` are the documents' ids there, where `left_out` more rows are. Of documents that are removed while it is used,
    rows cannot be read.
    """

    table: RowTable = field(kw_only=True)
    keys: tuple[str, ...] = field(kw_only=True)
    left_out: int = field(kw_only=True)
    _read: OrderedDict[int, TableRows] = field(default_factory=OrderedDict, kw_only=True)
    _reading: threading.Lock = field(default_factory=threading.Lock, kw_only=True)

    @classmethod
    def on(cls, table: RowTable, held: Sequence[HeldDocument], dim: int, *, left_out: int) -> Self:
        """Return the passages of documents that a table holds."""
        counts = np.array([one.size for one in held], np.int64)
        owner = np.repeat(np.arange(len(held), dtype=np.int32), counts)
        first, names = np.cumsum(counts) - counts, tuple(one.id for one in held)
        fields = ((), names, np.ones(len(held), bool), first, counts, owner, np.zeros(1, np.int64), dim)
        return cls(*fields, table=table, keys=names, left_out=left_out)

    @cached_property
    def _number_of_key(self) -> Mapping[str, int]:
        return {self.keys[number]: number for number in np.flatnonzero(self.held).tolist()}

    def place(self, passage: int) -> PassagePlace:
        """Return where a passage stands in its document."""
        number = int(self.owner[passage])
        part, start, stop = self._of([number])[number].places[passage - int(self.first[number])].tolist()
        return PassagePlace(part, start, stop)

    def rows(self, passages: Positions) -> DenseRows:
        """Return the vectors (n, dim) of some passages (n,)."""
        owners = self.owner[passages]
        read, found = self._of(np.unique(owners).tolist()), np.empty((len(passages), self.dim), np.float32)
        for number, own in read.items():
            theirs = owners == number
            found[theirs] = own.rows[passages[theirs] - self.first[number]]
        return found

    def search(
        self, queries: DenseRows, k: int, *, among: NDArray[np.bool_] | None = None
    ) -> tuple[Positions, DenseRows]:
        """Return the k passages nearest to each of q rows (q, dim), as `PassageView.search` does."""
        counting = self.held if among is None else self.held & among
        size, total = int(self.counts[counting].sum()), int(self.counts.sum()) + self.left_out
        places = np.full((len(queries), k), -1, np.int64)
        scores = np.full((len(queries), k), -np.inf, np.float32)
        if not size:
            return places, scores

        def place(key: RowKey) -> int | None:
            number = self._number_of_key.get(key[0])
            counts = number is not None and counting[number] and 0 <= key[1] < self.counts[number]
            return int(self.first[number]) + key[1] if counts else None

        def keys() -> list[RowKey]:
            some = np.flatnonzero(counting).tolist()
            return [(self.keys[document], number) for document in some for number in range(int(self.counts[document]))]

        asked = Admitted(total, size, place, keys)
        for row, found in enumerate(self.table.search(queries, k, asked)):
            places[row, : len(found)] = [one.place for one in found]
            scores[row, : len(found)] = [one.score for one in found]
        return places, scores

    def _of(self, documents: Sequence[int]) -> dict[int, TableRows]:
        """Return the places and rows of documents by their numbers."""
        with self._reading:
            found = {number: self._read[number] for number in documents if number in self._read}
            missing = [number for number in documents if number not in found]
            if missing:
                keys = [(self.keys[number], place) for number in missing for place in range(int(self.counts[number]))]
                read = self.table.fetch(keys)
                for number, stop in zip(missing, np.cumsum(self.counts[missing]).tolist(), strict=True):
                    found[number] = self._read[number] = read.some(np.arange(stop - self.counts[number], stop))
            while len(self._read) > _DOCUMENTS_KEPT:
                self._read.popitem(last=False)
        return found
