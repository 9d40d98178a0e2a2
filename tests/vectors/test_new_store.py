"""A store of vectors that the engine does not know: its class, one entry and one fixture, and every contract holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np
import pytest

from engine.core import stores
from engine.core.rows import DenseRows
from engine.core.stores import Stores
from engine.vectors import served
from engine.vectors.served import FoundKeys, HeldDocument, RowKey, RowTable, TableRows, TableState
from tests.contracts.index import IndexContract
from tests.contracts.passages import PassageContract

Row = tuple[int, int, tuple[int, ...], DenseRows]
"""How many rows its document has, when it was added, its place in the text, and the row (dim,)."""


class MemoryTable(RowTable):
    """Rows in this process, under their server and name."""

    most: ClassVar[int] = 10_000
    held: ClassVar[dict[tuple[str, str], tuple[TableState, dict[RowKey, Row]]]] = {}

    @classmethod
    def names(cls, address: str) -> list[str]:
        return sorted(name for at, name in cls.held if at == address)

    def state(self) -> TableState | None:
        return self.held[self.address, self.name][0] if (self.address, self.name) in self.held else None

    def keep_state(self, state: TableState) -> None:
        self.held[self.address, self.name] = state, self._rows() if self.state() else {}

    def listed(self) -> list[HeldDocument]:
        first = [(name, row) for (name, number), row in self._rows().items() if number == 0]
        return sorted((HeldDocument(name, *row[:2]) for name, row in first), key=lambda one: (one.added, one.id))

    def put(self, rows: TableRows) -> None:
        places = map(tuple, rows.places.tolist())
        labels = zip(rows.counts.tolist(), rows.added.tolist(), places, rows.rows, strict=True)
        self._rows().update(zip(rows.keys, labels, strict=True))

    def remove(self, documents: Sequence[str]) -> None:
        for key in [key for key in self._rows() if key[0] in documents]:
            del self._rows()[key]

    def take(self, keys: Sequence[RowKey]) -> TableRows:
        found = {key: self._rows()[key] for key in keys if key in self._rows()}
        counts, added, places, rows = zip(*found.values(), strict=True) if found else ((), (), (), ())
        return TableRows(list(found), np.array(counts), np.array(added), np.array(places), np.array(rows))

    def nearest(self, queries: DenseRows, k: int, within: Sequence[str] | None) -> list[FoundKeys]:
        near = self.take([key for key in self._rows() if within is None or key[0] in within])
        products = queries @ near.rows.T
        best = np.argsort(-products, axis=1, kind="stable")[:, :k]
        pairs = zip(products, best, strict=True)
        return [FoundKeys([near.keys[place] for place in some], scores[some]) for scores, some in pairs]

    def has_graph(self) -> bool:
        return False

    def make_graph(self) -> None:
        pass

    def compact(self) -> None:
        pass

    def drop(self) -> None:
        self.held.pop((self.address, self.name), None)

    def _rows(self) -> dict[RowKey, Row]:
        return self.held[self.address, self.name][1]


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stores]:
    """A server under one new entry, empty."""
    monkeypatch.setitem(stores.VECTOR_SERVERS, "memory", (__name__, "MemoryTable"))
    yield Stores(vectors="memory://here")
    MemoryTable.held.clear()


class InMemory:
    @pytest.fixture(autouse=True)
    def server(self, memory: Stores) -> None:
        self.stores = memory


class TestLoadedFromMemory(InMemory, IndexContract):
    kind = "embedded"


class TestFoundInMemory(InMemory, IndexContract):
    kind, is_elsewhere = "binary", True


class TestPassagesLoadedFromMemory(InMemory, PassageContract):
    pass


class TestPassagesFoundInMemory(InMemory, PassageContract):
    @pytest.fixture(autouse=True)
    def many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(served, "_FEW", 0)
