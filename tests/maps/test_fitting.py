"""Fitting a map: the true neighbours, positions, keeping and opening it again, and new documents placed on it."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.decomposition import PCA

from engine.core import files
from engine.core.errors import EmptyLibraryError, MapError, StorageError
from engine.core.progress import Meter, Progress, silent
from engine.core.rows import DenseRows, Rows
from engine.documents import Document, Hit, Section
from engine.maps import fitting, neighbours
from engine.maps.fitting import fit, open_map
from engine.maps.model import LibraryMap
from engine.maps.neighbours import AskedNeighbours, Neighbours, find_among, find_neighbours
from engine.maps.placement import densest, extend, membership, place
from engine.maps.trust import kept_neighbours, trustworthiness
from engine.maps.umap_process import Drawing
from engine.vectors import open_index
from engine.vectors.exact import DenseIndex
from tests.halves import GivenRows
from tests.maps.made import DIM, EACH, MADE, TOPICS, Documents, Mapped, index_of, library_of, topic_rows


def test_every_document_has_a_place_and_is_named_by_its_group(library_map: LibraryMap) -> None:
    assert len(library_map) == 3 * EACH == len(set(library_map.ids))
    assert library_map.positions.shape == (3 * EACH, 2)
    assert library_map.positions.dtype == np.float32
    assert np.isfinite(library_map.positions).all()
    groups = [library_map.clusters[first : first + EACH] for first in range(0, 3 * EACH, EACH)]
    names = {label.cluster: label.text for label in library_map.labels_at(0)}
    main = [int(np.bincount(part[part >= 0]).argmax()) for part in groups]
    assert len(set(main)) == 3
    assert "protein" in names[main[1]]
    assert "galaxies" in names[main[2]]


def test_the_figures_are_those_of_the_picture(mapped: Mapped, library_map: LibraryMap) -> None:
    rows = np.asarray(mapped.index.rows(library_map.ids))
    assert library_map.trustworthiness == pytest.approx(trustworthiness(rows, library_map.positions))
    assert library_map.kept_per_point == pytest.approx(kept_neighbours(library_map.positions, library_map.neighbours))
    assert library_map.kept == pytest.approx(float(library_map.kept_per_point.mean()))
    assert 0.2 < library_map.kept < 1
    assert library_map.trustworthiness > 0.8


def test_the_same_vectors_give_the_same_map(mapped: Mapped, library_map: LibraryMap) -> None:
    again = fit(mapped.index, mapped.library, encoder=MADE)
    assert np.array_equal(again.positions, library_map.positions)
    assert again.labels == library_map.labels


def test_progress_names_each_stage_to_its_end(mapped: Mapped) -> None:
    last = {report.stage: report for report in mapped.reports}
    assert list(last) == ["Finding neighbours", "Drawing the map", "Measuring the map", "Naming groups"]
    assert all(report.done == report.total for report in last.values())


def test_a_stage_that_prepares_for_long_is_named_before_it_does(mapped: Mapped) -> None:
    first = {report.stage: report.done for report in reversed(mapped.reports)}
    assert [first[stage] for stage in ("Finding neighbours", "Drawing the map", "Measuring the map")] == [0, 0, 0]


def test_a_map_of_former_vectors_is_fitted_anew(mapped: Mapped, library_map: LibraryMap, tmp_path: Path) -> None:
    library_map.save(tmp_path / "map")
    index = index_of(tmp_path / "vectors", topic_rows(), fingerprint="newer")
    assert open_map(index, mapped.library, tmp_path / "map", encoder=MADE).fingerprint == "newer"
    assert LibraryMap.load(tmp_path / "map").fingerprint == "newer"


def test_a_damaged_map_is_not_silently_replaced(mapped: Mapped, library_map: LibraryMap, tmp_path: Path) -> None:
    library_map.save(tmp_path / "map")
    files.write_bytes(tmp_path / "map" / "map.json", b"{")
    with pytest.raises(StorageError, match="Expected JSON"):
        open_map(mapped.index, mapped.library, tmp_path / "map", encoder=MADE)
    assert open_map(mapped.index, mapped.library, tmp_path / "map", encoder=MADE, refit=True).kept > 0


def test_a_map_is_fitted_once_and_then_extended(mapped: Mapped, tmp_path: Path) -> None:
    index = index_of(tmp_path / "vectors", topic_rows())
    folder = tmp_path / "maps" / "made"
    first = open_map(index, mapped.library, folder, encoder=MADE)
    index.add(["late"], topic_rows(seed=4)[[2]])
    second = open_map(index, mapped.library, folder, encoder=MADE)
    assert np.array_equal(second.positions[:-1], first.positions)
    assert LibraryMap.load(folder).placed_count == 1
    refitted = open_map(index, mapped.library, folder, encoder=MADE, refit=True)
    assert (len(refitted), refitted.placed_count) == (3 * EACH + 1, 0)


def test_a_large_map_is_drawn_from_some_documents_and_the_others_stand_among_them(
    mapped: Mapped, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitting, "LARGE", 3 * EACH - 1)
    monkeypatch.setattr(fitting, "DRAWN", 2 * EACH)
    index = index_of(tmp_path / "vectors", topic_rows())
    reports: list[Progress] = []
    large = fit(index, mapped.library, encoder=MADE, report=reports.append)
    assert sorted(large.ids) == sorted(index.ids)
    assert (large.fitted, large.placed_count, large.beside, large.later_count) == (3 * EACH, EACH, EACH, 0)
    topics = [int(name[1:]) // EACH for name in large.ids]
    middles = [large.positions[np.equal(topics, topic) & ~large.placed].mean(axis=0) for topic in range(3)]
    for row in np.flatnonzero(large.placed):
        assert np.argmin(np.linalg.norm(large.positions[row] - middles, axis=1)) == topics[row]
    assert large.notes[0].startswith("The map was drawn from 80 of its 120 documents, taken at random; the others were")
    rows = np.asarray(index.rows(list(large.ids)))
    assert large.trustworthiness == pytest.approx(trustworthiness(rows, large.positions))
    nearest = np.argsort(-(rows @ rows.T - 2 * np.eye(len(rows))), axis=1)[:, :15].astype(np.int32)
    assert large.kept == pytest.approx(kept_neighbours(large.positions, nearest).mean(), abs=1e-6)
    assert {"Placing documents", "Measuring the map"} <= {one.stage for one in reports}
    np.testing.assert_array_equal(fit(index, mapped.library, encoder=MADE).positions, large.positions)


def test_documents_that_come_to_a_large_map_or_leave_it_are_told_from_those_beside_the_drawn(
    mapped: Mapped, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitting, "LARGE", 100)
    monkeypatch.setattr(fitting, "DRAWN", 60)
    index = index_of(tmp_path / "vectors", topic_rows())
    large = open_map(index, mapped.library, tmp_path / "map", encoder=MADE)
    index.add(["late"], topic_rows(seed=4)[[2]])
    longer = open_map(
        index, Documents([*mapped.library.documents, Document(id="late")]), tmp_path / "map", encoder=MADE
    )
    assert (longer.beside, longer.later_count) == (60, 1)
    gone = [large.ids[number] for number in (0, 70, 71)]
    assert [large.placed[number] for number in (0, 70, 71)] == [False, True, True]
    assert (longer.without(gone).beside, longer.without(gone).later_count) == (58, 1)
    assert LibraryMap.load(tmp_path / "map").beside == 60


def test_what_left_the_library_leaves_the_map_and_nothing_moves(mapped: Mapped, tmp_path: Path) -> None:
    index = index_of(tmp_path / "vectors", topic_rows())
    folder = tmp_path / "maps" / "made"
    first = open_map(index, mapped.library, folder, encoder=MADE)
    gone = set(first.ids[:EACH]) | {first.ids[-1]}
    index.remove(gone)
    left = Documents([document for document in mapped.library.documents if document.id not in gone])
    second = open_map(index, left, folder, encoder=MADE)
    assert second.ids == first.ids[EACH:-1]
    assert np.array_equal(second.positions, first.positions[EACH:-1])
    assert np.array_equal(second.kept_per_point, first.kept_per_point[EACH:-1])
    for row, identity in enumerate(second.ids):
        near = [first.ids[number] for number in first.neighbours[first.numbers[identity]] if number >= 0]
        assert [second.ids[number] for number in second.neighbours[row] if number >= 0] == [
            name for name in near if name not in gone
        ]
    for label in second.labels:
        assert label.size == np.count_nonzero(second.levels[label.level] == label.cluster) > 0
    assert len(LibraryMap.load(folder)) == len(second)
    assert open_map(index, left, folder, encoder=MADE).ids == second.ids


def test_a_map_that_nothing_fitted_is_left_of_is_fitted_anew(mapped: Mapped, tmp_path: Path) -> None:
    folder, others = tmp_path / "maps" / "made", topic_rows(seed=4)[:20]
    index = index_of(tmp_path / "vectors", topic_rows())
    first = open_map(index, mapped.library, folder, encoder=MADE)
    names = [f"n{number}" for number in range(20)]
    index.add(names, others)
    placed = open_map(index, mapped.library, folder, encoder=MADE)
    assert placed.placed_count == 20
    index.remove(first.ids)
    left = Documents(
        [dataclasses.replace(one, id=name) for one, name in zip(mapped.library.documents, names, strict=False)]
    )
    again = open_map(index, left, folder, encoder=MADE)
    assert set(again.ids) == set(names) and again.placed_count == 0
    assert len(np.unique(again.positions, axis=0)) == 20
    index.remove(names)
    index.add(["only"], others[:1])
    assert open_map(
        index, Documents([dataclasses.replace(left.documents[0], id="only")]), folder, encoder=MADE
    ).ids == ("only",)


def test_an_empty_library_has_no_map(tmp_path: Path) -> None:
    index = open_index(tmp_path, fingerprint="print", dim=4, kind="embedded")
    with pytest.raises(EmptyLibraryError, match="Expected documents to map, the library holds none"):
        fit(index, Documents([]), encoder=MADE)


def test_documents_without_a_known_word_stand_below_the_map(tmp_path: Path) -> None:
    rows = topic_rows()
    rows[[4, 70]] = 0
    blank = fit(index_of(tmp_path, rows), library_of(len(rows)), encoder=MADE)
    others = np.delete(blank.positions, [4, 70], axis=0)
    assert (blank.positions[[4, 70], 1] < others[:, 1].min()).all()
    assert blank.clusters[[4, 70]].tolist() == [-1, -1]
    assert blank.neighbours[4].max() == -1
    assert not np.isin([4, 70], np.delete(blank.neighbours, [4, 70], axis=0)).any()
    assert "In 2 documents the encoder knows no word" in blank.notes[-1]


def test_a_library_without_any_known_word_has_a_map(tmp_path: Path) -> None:
    blank = fit(index_of(tmp_path, np.zeros((3, 4), np.float32)), library_of(3), encoder=MADE)
    assert np.isfinite(blank.positions).all()
    assert blank.kept == 0


def test_sparse_rows_have_a_map(tmp_path: Path, library_map: LibraryMap) -> None:
    sparse = fit(index_of(tmp_path, csr_array(topic_rows())), library_of(3 * EACH), encoder=MADE)
    assert np.array_equal(sparse.neighbours, library_map.neighbours)
    assert sparse.trustworthiness > 0.8


def test_groups_of_patents_are_named_by_claims_or_text_where_there_is_no_abstract(tmp_path: Path) -> None:
    documents = [
        Document(id=f"d{n}", kind="patent", claims=("A turbine blade", "The blade of claim 1")) for n in range(40)
    ]
    documents += [Document(id=f"d{n}", sections=(Section("Text", "gene therapy"),)) for n in range(40, 80)]
    documents += [Document(id=f"d{n}", title=TOPICS[2]) for n in range(80, 120)]
    named = fit(index_of(tmp_path, topic_rows()), Documents(documents), encoder=MADE)
    assert {"turbine blade", "gene therapy"} <= {label.text for label in named.labels_at(0)}


def test_the_map_s_room_loads_nothing_heavy_when_imported() -> None:
    script = "import sys, engine.maps; sys.stdout.write(' '.join(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"umap", "sklearn", "numba", "scipy.spatial", "faiss"} & set(run.stdout.split())


def test_documents_of_a_topic_lie_together(library_map: LibraryMap) -> None:
    middles = [library_map.positions[first : first + EACH].mean(axis=0) for first in range(0, 3 * EACH, EACH)]
    nearest = np.linalg.norm(library_map.positions[:, None, :] - np.stack(middles), axis=2).argmin(axis=1)
    assert (nearest == np.repeat([0, 1, 2], EACH)).mean() > 0.95


@pytest.mark.parametrize("size", [1, 2, 3, 10, 15])
def test_a_handful_of_documents_has_a_map_without_umap(size: int, tmp_path: Path) -> None:
    index = index_of(tmp_path, topic_rows()[::8][:size])
    small = fit(index, library_of(size), encoder=MADE)
    assert np.isfinite(small.positions).all()
    assert len(np.unique(small.positions, axis=0)) == size
    assert "fewer than 16 documents" in small.notes[0]
    assert 0 <= small.kept <= 1
    assert small.counted == max(1, (size - 1) // 2)
    assert 0 <= small.trustworthiness <= 1
    assert place(small, [Hit("d0", 0.5)]).neighbours == ("d0",)


@pytest.mark.parametrize("form", [np.asarray, csr_array])
@pytest.mark.parametrize("size", [2, 3, 5, 16, 40])
def test_equal_vectors_do_not_stop_the_map(size: int, form: Callable[..., Any], tmp_path: Path) -> None:
    index = index_of(tmp_path, form(np.repeat(topic_rows()[:1], size, axis=0)))
    assert np.isfinite(fit(index, library_of(size), encoder=MADE).positions).all()


SIZE, WIDTH, K = 300, 40, 15


@pytest.fixture
def index(tmp_path: Path) -> DenseIndex:
    index = DenseIndex(tmp_path / "vectors", fingerprint="f", dim=WIDTH, precision="int8")
    random = np.random.default_rng(5)
    rows = np.repeat(random.normal(size=(30, WIDTH)), SIZE // 30, axis=0) + 0.7 * random.normal(size=(SIZE, WIDTH))
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
    index = DenseIndex(tmp_path / "vectors", fingerprint="f", dim=WIDTH)
    ids = [f"d{number}" for number in range(100)]
    random = np.random.default_rng(0)
    index.add(ids, (1 + 1e-4 * random.normal(size=(100, WIDTH))).astype(np.float32))
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


def hits_for(mapped: Mapped, row: np.ndarray, k: int = 15) -> list[Hit]:
    return mapped.index.search(row[None, :], k)[0]


def test_a_document_is_placed_among_its_neighbours_and_nothing_moves(mapped: Mapped, library_map: LibraryMap) -> None:
    before = library_map.positions.copy()
    placement = place(library_map, hits_for(mapped, topic_rows(seed=9)[EACH + 3]))
    assert np.array_equal(library_map.positions, before)
    own = library_map.positions[EACH : 2 * EACH]
    assert np.linalg.norm(own - [placement.x, placement.y], axis=1).min() < 4 * library_map.spacing
    assert len(placement.neighbours) == 15
    assert all(EACH <= int(name[1:]) < 2 * EACH for name in placement.neighbours)
    assert 0 < placement.kept <= 1


def test_a_document_with_neighbours_in_two_places_does_not_fall_between(library_map: LibraryMap) -> None:
    hits = [Hit(f"d{number}", 0.9) for number in range(9)] + [Hit(f"d{number}", 0.9) for number in range(100, 106)]
    placement = place(library_map, hits)
    distances = np.linalg.norm(library_map.positions - [placement.x, placement.y], axis=1)
    assert distances[:EACH].min() < 2 * library_map.spacing


def test_kept_counts_the_true_neighbours_drawn_near(library_map: LibraryMap) -> None:
    lone = place(library_map, [Hit("d5", 0.9)])
    assert (lone.x, lone.y) == pytest.approx(tuple(library_map.positions[5].tolist()))
    assert lone.kept == 1.0
    assert lone.neighbours == ("d5",)


def test_hits_that_the_map_does_not_hold_are_passed_over(library_map: LibraryMap) -> None:
    assert place(library_map, [Hit("new", 0.99), Hit("d5", 0.9)]).neighbours == ("d5",)


def test_a_document_without_a_neighbour_on_the_map_is_refused(library_map: LibraryMap) -> None:
    with pytest.raises(MapError, match="at least one hit that is on the map, got 1 hits"):
        place(library_map, [Hit("new", 0.99)])


def test_a_document_that_is_like_no_other_is_refused(library_map: LibraryMap) -> None:
    with pytest.raises(MapError, match="words that made knows, got one that it sees as empty"):
        place(library_map, [Hit("d1", 0.0), Hit("d2", 0.0)])


def test_membership_sums_to_the_logarithm_of_k() -> None:
    weights = membership(np.linspace(0.9, 0.4, 15))
    assert weights[0] == 1.0
    assert weights.sum() == pytest.approx(np.log2(15), abs=1e-6)
    assert membership(np.full(4, 0.3)).tolist() == [1.0] * 4


def test_the_peak_is_in_the_denser_group() -> None:
    points = np.array([[0, 0], [0.1, 0], [0, 0.1], [9, 9], [9.5, 9]])
    x, y = densest(points, np.ones(5), reach=1.0)
    assert np.hypot(x, y) < 0.3


def test_later_documents_are_placed_and_old_ones_stay(mapped: Mapped, library_map: LibraryMap, tmp_path: Path) -> None:
    index = index_of(tmp_path / "vectors", topic_rows())
    index.add(["late", "later"], topic_rows(seed=4)[[2, 100]])
    longer = extend(library_map, index, ["late", "d3", "later", "late"], encoder=MADE)
    assert longer.ids == (*library_map.ids, "late", "later")
    assert np.array_equal(longer.positions[:-2], library_map.positions)
    assert (longer.placed_count, library_map.placed_count) == (2, 0)
    assert longer.levels.shape == (3, 3 * EACH + 2)
    assert longer.neighbours[-2].max() < EACH <= 2 * EACH <= longer.neighbours[-1].min()
    assert longer.kept == library_map.kept
    assert extend(longer, index, ["late"], encoder=MADE) is longer


def test_a_later_document_without_a_known_word_stands_below_the_map(
    mapped: Mapped, library_map: LibraryMap, tmp_path: Path
) -> None:
    index = index_of(tmp_path / "vectors", topic_rows())
    index.add(["blank"], np.zeros((1, DIM), np.float32))
    longer = extend(library_map, index, ["blank"], encoder=MADE)
    assert longer.positions[-1, 1] < library_map.positions[:, 1].min()
    assert longer.neighbours[-1].max() == -1


def test_groups_count_what_was_placed_in_them(mapped: Mapped, library_map: LibraryMap, tmp_path: Path) -> None:
    index = index_of(tmp_path / "vectors", topic_rows())
    index.add(["late", "later"], topic_rows(seed=4)[[2, 100]])
    longer = extend(library_map, index, ["late", "later"], encoder=MADE)
    for label in longer.labels:
        assert label.size == np.count_nonzero(longer.levels[label.level] == label.cluster)
    assert sum(label.size for label in longer.labels_at(0)) > sum(label.size for label in library_map.labels_at(0))


@pytest.mark.parametrize("way", ["tables", "halves"])
def test_rows_are_unpacked_some_at_a_time(tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "_has_bfloat16", lambda: way == "tables")
    monkeypatch.setattr("engine.encoders.nearest_rows._ROWS_AT_ONCE", 1 << 16)
    rows = np.random.default_rng(3).normal(size=(5_000, WIDTH)).astype(np.float32)
    index, unpacked, taken = index_of(tmp_path, rows), [0], DenseIndex.rows
    monkeypatch.setattr(DenseIndex, "rows", lambda self, ids: unpacked.append(len(ids)) or taken(self, ids))
    _, near, begun = fitting._near(index, list(index.ids), MADE, silent)
    assert max(unpacked) <= 2_048
    products = rows @ rows.T
    np.fill_diagonal(products, -np.inf)
    np.testing.assert_array_equal(near.numbers[:, 0], products.argmax(axis=1))
    assert isinstance(begun, Drawing)
    expected = PCA(2, svd_solver="full").fit_transform(rows)
    np.testing.assert_allclose(np.abs(begun.start), np.abs(10 * expected / np.abs(expected).max(axis=0)), atol=1e-3)
