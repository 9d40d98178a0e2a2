"""What indexes remember of documents that are asked about often."""

from __future__ import annotations

import gc
from collections.abc import Collection
from pathlib import Path

import numpy as np
import pytest

from engine.documents.document import Document
from engine.documents.selections import Selection, places
from engine.library import KeywordIndex
from engine.vectors import VectorIndex
from engine.vectors.binary import BinaryIndex, BinarySettings
from engine.vectors.exact import DenseIndex


class State:
    """Rows at a time."""


class Counted(dict[str, int]):
    """Rows by id; `seen` has every id that was looked up."""

    def __init__(self, rows: dict[str, int]) -> None:
        super().__init__(rows)
        self.seen: list[str] = []

    def __getitem__(self, name: str) -> int:
        self.seen.append(name)
        return super().__getitem__(name)


@pytest.mark.parametrize("ids", [[], ["d3"], ["d8", "d3", "d8"], ["nowhere", *(f"d{n}" for n in range(8, 2, -1))]])
@pytest.mark.parametrize("kind", [list, set, frozenset, Selection])
def test_the_places_of_few_and_of_many_ids_come_in_order_and_once(ids: list[str], kind: type[Collection[str]]) -> None:
    held = {f"d{number}": 2 * number for number in reversed(range(10))}
    found = places(kind(ids), held)
    assert found.dtype == np.int64
    assert found.tolist() == sorted({held[name] for name in ids if name in held})


def test_a_selection_finds_once_for_each_state_and_lets_states_go() -> None:
    selection, states, calls = Selection("abc"), [State(), State()], list[int]()

    def find(number: int) -> int:
        calls.append(number)
        return number

    for _ in range(3):
        for number in range(2):
            assert selection.remembered(states[number], lambda number=number: find(number)) == number
    assert calls == [0, 1]
    assert selection == frozenset("abc") and len(selection.__dict__["_held"]) == 2
    states.clear()
    gc.collect()
    assert len(selection.__dict__["_held"]) == 0


@pytest.fixture(params=[DenseIndex, BinaryIndex])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> VectorIndex:
    more = {"settings": BinarySettings(fewest=1)} if request.param is BinaryIndex else {}
    made: VectorIndex = request.param(tmp_path, fingerprint="f", dim=64, **more)
    made.add([f"d{number}" for number in range(600)], rows(600))
    return made


def rows(count: int, seed: int = 0) -> np.ndarray:
    found = np.random.default_rng(seed).normal(size=(count, 64)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_an_index_answers_as_without_one_while_documents_come_and_go(index: VectorIndex) -> None:
    selection = Selection(f"d{number}" for number in range(0, 900, 2))

    def agrees() -> None:
        for _ in range(2):
            found = index.search(rows(3, 1), 7, within=selection)
            assert found == index.search(rows(3, 1), 7, within=list(selection))
            assert all(len(hits) == 7 and {hit.id for hit in hits} <= selection for hits in found)

    agrees()
    index.add([f"d{number}" for number in range(600, 800)], rows(200, 2))
    agrees()
    index.add(["d4"], rows(1, 3))
    agrees()
    index.remove(["d0", "d4", "d7"])
    agrees()
    index.flush()
    agrees()


def test_rows_are_looked_up_once_while_nothing_changes(index: VectorIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    selection = Selection(["d1", "d2"])
    index.search(rows(1), 2)  # joins what waits
    counted = Counted(index._row_of)
    monkeypatch.setattr(index, "_row_of", counted)
    for _ in range(3):
        assert {hit.id for hit in index.search(rows(1), 2, within=selection)[0]} == selection
    assert sorted(counted.seen) == ["d1", "d2"]


def test_keywords_look_rows_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    keywords = KeywordIndex.in_memory([Document(f"d{n}", title=f"boiler valve {'steam ' * n}") for n in range(20)])
    postings = keywords._postings()
    counted = Counted(postings._rows)
    monkeypatch.setattr(postings, "_rows", counted)
    selection = Selection(["d3", "d5", "nowhere"])
    found = [keywords.search("steam", 5, within=selection) for _ in range(3)]
    assert sorted(counted.seen) == ["d3", "d5"]
    assert found == [keywords.search("steam", 5, within=["d3", "d5"])] * 3 and len(found[0]) == 2
