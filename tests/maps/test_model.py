"""The map: what it holds, how it is kept and named, and how far its picture may be trusted."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.core import files
from engine.core.errors import MapError, StorageError
from engine.maps.model import LibraryMap
from engine.maps.trust import (
    NEIGHBOURS,
    EncoderAgreement,
    kept_neighbours,
    measure_agreement,
    neighbours_in_picture,
    shared_part,
    trustworthiness,
)
from engine.vectors import VectorIndex, open_index
from tests.halves import GivenRows
from tests.maps.made import EACH, Mapped


def test_neighbours_are_the_encoder_s_own(mapped: Mapped, library_map: LibraryMap) -> None:
    rows = np.asarray(mapped.index.rows(library_map.ids))
    similar = rows @ rows.T
    np.fill_diagonal(similar, -1)
    assert library_map.neighbours[7].tolist() == np.argsort(-similar[7], kind="stable")[:15].tolist()


def test_a_group_is_called_as_a_person_wants_and_keeps_the_name_that_was_made(
    library_map: LibraryMap, tmp_path: Path
) -> None:
    label = library_map.labels[1]
    named = library_map.renamed(label.level, label.cluster, "  Ours\nalone ")
    assert [one.name for one in named.labels] == [
        one.text if one != label else "Ours alone" for one in library_map.labels
    ]
    assert named.labels[1].text == label.text
    named.save(tmp_path / "map")
    again = LibraryMap.load(tmp_path / "map")
    assert again.labels == named.labels
    assert again.renamed(label.level, label.cluster, " ").labels == library_map.labels


def test_a_map_of_before_groups_had_names_of_a_persons_own(library_map: LibraryMap, tmp_path: Path) -> None:
    library_map.save(tmp_path / "map")
    facts = json.loads((tmp_path / "map" / "map.json").read_text("utf-8"))
    for label in facts["labels"]:
        del label["own"]
    (tmp_path / "map" / "map.json").write_text(json.dumps(facts), "utf-8")
    assert LibraryMap.load(tmp_path / "map").labels == library_map.labels


@pytest.mark.parametrize("name", ["x" * (LibraryMap.MAX_LABEL + 1), "turned \u202e round"])
def test_a_name_that_cannot_be_a_label_is_refused(library_map: LibraryMap, name: str) -> None:
    with pytest.raises(MapError, match=f"a label of at most {LibraryMap.MAX_LABEL} visible characters"):
        library_map.renamed(0, 0, name)
    with pytest.raises(MapError, match="Expected a group of the map, got number 99 of level 0"):
        library_map.renamed(0, 99, "fine")


@pytest.mark.parametrize("name", ["positions", "levels", "neighbours", "kept_per_point", "placed"])
def test_nobody_can_write_to_a_map(library_map: LibraryMap, name: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        getattr(library_map, name)[...] = 0


def test_an_unknown_zoom_is_refused(library_map: LibraryMap) -> None:
    with pytest.raises(MapError, match="zoom level from 0 to 2, got 7"):
        library_map.labels_at(7)


def test_a_map_comes_back_from_its_folder(library_map: LibraryMap, tmp_path: Path) -> None:
    library_map.save(tmp_path / "map")
    loaded = LibraryMap.load(tmp_path / "map", fingerprint="print")
    for field in dataclasses.fields(LibraryMap):
        assert np.array_equal(getattr(loaded, field.name), getattr(library_map, field.name)), field.name
    with pytest.raises(ValueError, match="read-only"):
        loaded.positions[0] = 0


def test_another_encoder_s_map_is_refused(library_map: LibraryMap, tmp_path: Path) -> None:
    library_map.save(tmp_path / "map")
    with pytest.raises(MapError, match="the fingerprint other, found one of made with print"):
        LibraryMap.load(tmp_path / "map", fingerprint="other")


def test_damaged_folders_are_refused(library_map: LibraryMap, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"map\.json"):
        LibraryMap.load(tmp_path / "none")
    folder = tmp_path / "map"
    library_map.save(folder)
    facts = files.read_json(folder / "map.json")
    for wrong, found in (
        ({**facts, "format": "other"}, "something else"),
        ({**facts, "surprise": 1}, "the facts .*surprise"),
        ({**facts, "labels": [{"no": 1}]}, "labels of another form"),
        ({**facts, "ids": facts["ids"][1:]}, "119 ids and arrays of length"),
    ):
        files.write_json(folder / "map.json", wrong)
        with pytest.raises(StorageError, match=found):
            LibraryMap.load(folder)
    files.write_json(folder / "map.json", facts)
    files.write_bytes(folder / "map.safetensors", b"cut")
    with pytest.raises(StorageError, match=r"no readable map\.safetensors"):
        LibraryMap.load(folder)


def test_an_array_too_few_is_refused(library_map: LibraryMap, tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    library_map.save(tmp_path / "map")
    save_file({"positions": np.ones((2, 2), np.float32)}, tmp_path / "map" / "map.safetensors")
    with pytest.raises(StorageError, match="found the arrays positions"):
        LibraryMap.load(tmp_path / "map")


def test_figures_of_the_fit_stay_those_of_the_fit(mapped: Mapped, library_map: LibraryMap, tmp_path: Path) -> None:
    assert (library_map.fitted_count, library_map.counted) == (3 * EACH, 15)
    few = library_map.without(set(library_map.ids[5:]))
    assert (few.kept, few.counted, few.fitted_count) == (library_map.kept, 15, 3 * EACH)
    few.save(tmp_path / "map")
    facts = json.loads((tmp_path / "map" / "map.json").read_text("utf-8"))
    assert LibraryMap.load(tmp_path / "map").counted == 15
    del facts["fitted"]  # as older maps have it
    (tmp_path / "map" / "map.json").write_text(json.dumps(facts), "utf-8")
    assert LibraryMap.load(tmp_path / "map").fitted_count == 5


def test_colours_are_of_the_coarsest_level_that_has_groups(library_map: LibraryMap) -> None:
    levels = library_map.levels.copy()
    levels[0] = -1
    labels = tuple(label for label in library_map.labels if label.level)
    small = dataclasses.replace(library_map, levels=levels, labels=labels)
    assert (library_map.coarsest, small.coarsest) == (0, 1)
    assert np.array_equal(small.clusters, library_map.levels[1]) and (small.clusters >= 0).any()


def test_a_map_without_nobody_is_itself(mapped: Mapped) -> None:
    assert mapped.library_map.without({"unknown"}) is mapped.library_map


def unit_rows(size: int, dim: int = 8, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(size, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize(("size", "k"), [(40, 5), (120, 15)])
def test_trustworthiness_is_that_of_scikit_learn(size: int, k: int) -> None:
    from sklearn.manifold import trustworthiness as reference

    rows = unit_rows(size)
    positions = rows[:, :2].copy()
    expected = reference(rows, positions, n_neighbors=k, metric="cosine")
    assert trustworthiness(rows, positions, k=k) == pytest.approx(expected, abs=1e-9)


def test_sparse_rows_give_the_same_trustworthiness() -> None:
    rows = unit_rows(60)
    assert trustworthiness(csr_array(rows), rows[:, :2]) == pytest.approx(trustworthiness(rows, rows[:, :2]))


def test_a_sample_comes_near_the_whole_and_is_the_same_each_time() -> None:
    rows = unit_rows(900)
    positions = rows[:, :2].copy()
    whole = trustworthiness(rows, positions, sample=900)
    assert trustworthiness(rows, positions, sample=300) == pytest.approx(whole, abs=0.02)
    assert trustworthiness(rows, positions, sample=300) == trustworthiness(rows, positions, sample=300)


def test_a_true_picture_is_trusted_whole() -> None:
    angles = np.linspace(0, 1.2, 50) ** 2  # uneven, so that no two neighbours tie
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    assert trustworthiness(rows, rows) == pytest.approx(1.0)


@pytest.mark.parametrize("size", [0, 1, 2])
def test_too_few_points_can_show_nothing_wrong(size: int) -> None:
    assert trustworthiness(unit_rows(size), np.zeros((size, 2), np.float32)) == 1.0


def test_kept_is_the_share_of_true_neighbours_drawn_near() -> None:
    line = np.array([[0, 0], [1, 0], [2, 0], [10, 0]], np.float32)
    neighbours = np.array([[1, 2], [0, 3], [-1, -1], [2, -1]], np.int32)
    assert kept_neighbours(line, neighbours).tolist() == [1.0, 0.5, 0.0, 1.0]


def test_points_on_one_spot_have_k_neighbours_each() -> None:
    spot = np.zeros((20, 2), np.float32)
    found = neighbours_in_picture(spot, 5)
    assert found.shape == (20, 5)
    assert all(number not in row for number, row in enumerate(found) if number > 5)


@pytest.mark.parametrize("size", [0, 1])
def test_nobody_has_no_neighbours_to_keep(size: int) -> None:
    assert kept_neighbours(np.zeros((size, 2), np.float32), np.zeros((size, 0), np.int32)).tolist() == [0.0] * size


DIM = 8


MADE = (GivenRows(), GivenRows())


def rows_of(size: int, *, seed: int = 0, dim: int = DIM) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(size, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def index_of(folder: Path, ids: list[str], rows: np.ndarray | csr_array) -> VectorIndex:
    kind = "embedded" if isinstance(rows, np.ndarray) else "sparse"
    index = open_index(folder, fingerprint="print", dim=rows.shape[1], kind=kind)
    index.add(ids, rows)
    return index


def ids_of(size: int) -> list[str]:
    return [f"d{number}" for number in range(size)]


def by_hand(first: np.ndarray, second: np.ndarray, k: int) -> float:
    """The mean overlap over all documents, from two tables of inner products."""
    parts = []
    for own in range(len(first)):
        lists = []
        for rows in (first, second):
            order = [other for other in np.argsort(-(rows @ rows[own]), kind="stable").tolist() if other != own]
            lists.append(set(order[:k]))
        parts.append(len(lists[0] & lists[1]) / k)
    return float(np.mean(parts))


@pytest.mark.parametrize(
    ("first", "second", "share"),
    [
        ("abc", "abc", 1.0),
        ("abc", "cab", 1.0),
        ("abcd", "cdef", 0.5),
        ("ab", "cd", 0.0),
        ("abcd", "ab", 0.5),
        ("", "", 0),
    ],
)
def test_the_share_of_two_lists(first: str, second: str, share: float) -> None:
    assert shared_part(list(first), list(second)) == share


def test_an_encoder_agrees_with_itself_whatever_the_order_of_its_documents(tmp_path: Path) -> None:
    ids, rows = ids_of(60), rows_of(60)
    first = index_of(tmp_path / "a", ids, rows)
    second = index_of(tmp_path / "b", ids[::-1], rows[::-1].copy())
    assert measure_agreement(first, second, encoders=MADE) == EncoderAgreement(1.0, 60, NEIGHBOURS, NEIGHBOURS / 59)


def test_the_mean_is_that_counted_by_hand(tmp_path: Path) -> None:
    one, two = rows_of(80), rows_of(80, seed=1)
    mixed = one + 0.8 * two
    found = measure_agreement(
        index_of(tmp_path / "a", ids_of(80), one), index_of(tmp_path / "b", ids_of(80), mixed), encoders=MADE
    )
    assert found.shared == pytest.approx(by_hand(one, mixed, NEIGHBOURS))
    assert found.chance < found.shared < 1


def test_encoders_without_anything_in_common_agree_by_chance(tmp_path: Path) -> None:
    one, two = rows_of(400, dim=40), rows_of(400, seed=1, dim=40)
    found = measure_agreement(
        index_of(tmp_path / "a", ids_of(400), one), index_of(tmp_path / "b", ids_of(400), two), encoders=MADE
    )
    assert found.shared == pytest.approx(found.chance, abs=0.01)


def test_sparse_and_dense_rows_are_compared_as_equals(tmp_path: Path) -> None:
    rows = rows_of(50)
    dense, sparse = index_of(tmp_path / "a", ids_of(50), rows), index_of(tmp_path / "b", ids_of(50), csr_array(rows))
    assert measure_agreement(dense, sparse, encoders=MADE).shared == pytest.approx(1.0)
    assert measure_agreement(dense, sparse, encoders=MADE) == measure_agreement(sparse, dense, encoders=MADE)


def test_a_sample_is_the_same_each_time_and_near_the_whole(tmp_path: Path) -> None:
    one = rows_of(500)
    two = one + 0.5 * rows_of(500, seed=1)
    first, second = index_of(tmp_path / "a", ids_of(500), one), index_of(tmp_path / "b", ids_of(500), two)
    sampled = measure_agreement(first, second, encoders=MADE, sample=200)
    assert sampled == measure_agreement(first, second, encoders=MADE, sample=200)
    assert (sampled.sampled, sampled.neighbours) == (200, NEIGHBOURS)
    assert sampled.shared == pytest.approx(measure_agreement(first, second, encoders=MADE).shared, abs=0.03)


def test_only_documents_that_both_hold_are_compared(tmp_path: Path) -> None:
    rows = rows_of(60)
    first = index_of(tmp_path / "a", ids_of(60), rows)
    second = index_of(tmp_path / "b", ids_of(60)[:40], rows[:40].copy())
    assert measure_agreement(first, second, encoders=MADE) == EncoderAgreement(1.0, 40, NEIGHBOURS, NEIGHBOURS / 39)


def test_a_document_without_a_word_is_not_asked_about(tmp_path: Path) -> None:
    rows = rows_of(40)
    blank = rows.copy()
    blank[7] = 0
    found = measure_agreement(
        index_of(tmp_path / "a", ids_of(40), rows), index_of(tmp_path / "b", ids_of(40), blank), encoders=MADE
    )
    assert found.sampled == 39


@pytest.mark.parametrize("size", [0, 1, 2])
def test_too_few_documents_have_no_figure(tmp_path: Path, size: int) -> None:
    first = open_index(tmp_path / "a", fingerprint="print", dim=DIM, kind="embedded")
    second = open_index(tmp_path / "b", fingerprint="print", dim=DIM, kind="embedded")
    if size:
        first.add(ids_of(size), rows_of(size))
        second.add(ids_of(size), rows_of(size))
    assert measure_agreement(first, second, encoders=MADE) == EncoderAgreement(0.0, 0, 0, 0.0)
