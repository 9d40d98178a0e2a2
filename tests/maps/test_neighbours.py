"""The true neighbours of a map's documents: by tables in bfloat16, by halves of one in float32, and by the index."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.progress import Meter, silent
from engine.core.rows import DenseRows, Rows
from engine.maps import neighbours
from engine.maps.neighbours import AskedNeighbours, Neighbours, find_among, find_neighbours
from engine.vectors.exact import DenseIndex
from tests.halves import GivenRows

SIZE, DIM, K = 300, 40, 15


@pytest.fixture
def index(tmp_path: Path) -> DenseIndex:
    index = DenseIndex(tmp_path / "vectors", fingerprint="f", dim=DIM, precision="int8")
    random = np.random.default_rng(5)
    rows = np.repeat(random.normal(size=(30, DIM)), SIZE // 30, axis=0) + 0.7 * random.normal(size=(SIZE, DIM))
    rows[200] = rows[100]
    index.add([f"d{number}" for number in range(SIZE)], (rows / np.linalg.norm(rows, axis=1)[:, None]))
    return index


def found(index: DenseIndex, queries: Rows, ids: list[str], *, way: str, patch: pytest.MonkeyPatch) -> Neighbours:
    patch.setattr(neighbours, "_WORTH_A_TABLE", 1_000 if way == "index" else 1)
    patch.setattr(neighbours, "_has_bfloat16", lambda: way == "tables")
    return find_neighbours(index, AskedNeighbours(ids, index.rows(ids), queries), k=K, report=silent)


@pytest.mark.parametrize("asking", ["as they answer", "turned round", "some turned round"])
@pytest.mark.parametrize("size", [SIZE, 120])
@pytest.mark.parametrize("way", ["tables", "halves"])
def test_tables_find_what_the_index_finds(
    index: DenseIndex, asking: str, size: int, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = list(index.ids)[:size]
    rows = index.rows(ids)
    assert isinstance(rows, np.ndarray)
    queries: DenseRows = rows if asking == "as they answer" else np.ascontiguousarray(rows[:, ::-1])
    if asking == "some turned round":
        queries[::3] = rows[::3]
    quick, slow = (found(index, queries, ids, way=one, patch=monkeypatch) for one in (way, "index"))
    np.testing.assert_array_equal(quick.numbers, slow.numbers)
    np.testing.assert_allclose(quick.similarities, slow.similarities, atol=1e-5)


@pytest.mark.parametrize("way", ["tables", "index"])
def test_others_find_their_nearest_among_some(index: DenseIndex, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "_WORTH_A_TABLE", 1)
    monkeypatch.setattr(neighbours, "_BLOCK", 64)
    monkeypatch.setattr(neighbours, "_has_bfloat16", lambda: way == "tables")
    held, asking = list(index.ids)[::3], list(index.ids)[1::3]
    near = find_among(index, held, asking, encoder=GivenRows(), k=4, meter=Meter("place", len(asking), silent))
    products = np.asarray(index.rows(asking)) @ np.asarray(index.rows(held)).T
    np.testing.assert_array_equal(near.numbers, np.argsort(-products, axis=1, kind="stable")[:, :4])
    np.testing.assert_allclose(near.similarities, -np.sort(-products, axis=1)[:, :4], atol=1e-5)


def test_rows_that_a_table_cannot_tell_apart_are_left_to_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = DenseIndex(tmp_path / "vectors", fingerprint="f", dim=DIM)
    ids = [f"d{number}" for number in range(100)]
    random = np.random.default_rng(0)
    index.add(ids, (1 + 1e-4 * random.normal(size=(100, DIM))).astype(np.float32))
    asked: list[int] = []
    search = index.search

    def counted(rows: Rows, k: int, *, within: list[str] | None = None) -> object:
        asked.append(rows.shape[0])
        return search(rows, k, within=within)

    monkeypatch.setattr(index, "search", counted)
    rows = index.rows(ids)
    assert isinstance(rows, np.ndarray)
    quick = found(index, rows, ids, way="tables", patch=monkeypatch)
    assert sum(asked) == 100
    similar = rows.astype(np.float64) @ rows.T.astype(np.float64)
    np.fill_diagonal(similar, -np.inf)
    assert np.take_along_axis(similar, quick.numbers, 1).min() >= np.sort(similar, axis=1)[:, -K].min() - 1e-4
    assert (quick.numbers != np.arange(100)[:, None]).all()
