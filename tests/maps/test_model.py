"""The map on vectors made here: fitted, kept, honest, still while documents are placed on it."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine import files
from engine.documents import Document, Hit, Section
from engine.errors import EmptyLibraryError, MapError, StorageError
from engine.index import VectorIndex, open_index
from engine.maps import LibraryMap, extend, fit, open_map, place
from engine.maps.model import MAX_LABEL
from engine.maps.placement import densest, membership
from engine.maps.trust import kept_neighbours, trustworthiness
from engine.progress import Progress
from tests.halves import GivenRows

TOPICS = ("neural networks learn images", "enzymes bind a protein in yeast", "galaxies and dark matter halos")
EACH = 40
DIM = 12
MADE = GivenRows()


class Documents:
    """A library as the map sees one: ids, and documents one after another."""

    def __init__(self, documents: list[Document]) -> None:
        self.documents = documents

    def iter_documents(self, *, batch: int = 500) -> Iterator[Document]:
        yield from self.documents

    def ids(self) -> list[str]:
        return [document.id for document in self.documents]


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)).astype(np.float32)


def topic_rows(each: int = EACH, seed: int = 1) -> np.ndarray:
    """Rows around three directions, 40 each, one topic after another."""
    random = np.random.default_rng(seed)
    centres = np.repeat(np.eye(DIM, dtype=np.float32)[:3], each, axis=0)
    return unit(centres + random.normal(scale=0.15, size=(3 * each, DIM)))


def index_of(folder: Path, rows: np.ndarray | csr_array, *, fingerprint: str = "print") -> VectorIndex:
    kind = "exact" if isinstance(rows, np.ndarray) else "sparse"
    index = open_index(folder, fingerprint=fingerprint, dim=rows.shape[1], kind=kind)
    index.add([f"d{number}" for number in range(rows.shape[0])], rows)
    return index


def library_of(size: int) -> Documents:
    return Documents([Document(id=f"d{n}", title=TOPICS[min(n // EACH, 2)]) for n in range(size)])


class Mapped:
    """One index, its library, the map fitted on them and what the fit reported."""

    def __init__(self, folder: Path) -> None:
        self.index = index_of(folder / "vectors", topic_rows())
        self.library = library_of(3 * EACH)
        self.reports: list[Progress] = []
        self.library_map = fit(self.index, self.library, encoder=MADE, report=self.reports.append)


@pytest.fixture(scope="module")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> Mapped:
    return Mapped(tmp_path_factory.mktemp("mapped"))


@pytest.fixture(scope="module")
def library_map(mapped: Mapped) -> LibraryMap:
    return mapped.library_map


def hits_for(mapped: Mapped, row: np.ndarray, k: int = 15) -> list[Hit]:
    return mapped.index.search(row[None, :], k)[0]


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


def test_documents_of_a_topic_lie_together(library_map: LibraryMap) -> None:
    middles = [library_map.positions[first : first + EACH].mean(axis=0) for first in range(0, 3 * EACH, EACH)]
    nearest = np.linalg.norm(library_map.positions[:, None, :] - np.stack(middles), axis=2).argmin(axis=1)
    assert (nearest == np.repeat([0, 1, 2], EACH)).mean() > 0.95


def test_the_figures_are_those_of_the_picture(mapped: Mapped, library_map: LibraryMap) -> None:
    rows = np.asarray(mapped.index.rows(library_map.ids))
    assert library_map.trustworthiness == pytest.approx(trustworthiness(rows, library_map.positions))
    assert library_map.kept_per_point == pytest.approx(kept_neighbours(library_map.positions, library_map.neighbours))
    assert library_map.kept == pytest.approx(float(library_map.kept_per_point.mean()))
    assert 0.2 < library_map.kept < 1
    assert library_map.trustworthiness > 0.8


def test_neighbours_are_the_encoder_s_own(mapped: Mapped, library_map: LibraryMap) -> None:
    rows = np.asarray(mapped.index.rows(library_map.ids))
    similar = rows @ rows.T
    np.fill_diagonal(similar, -1)
    assert library_map.neighbours[7].tolist() == np.argsort(-similar[7], kind="stable")[:15].tolist()


def test_the_same_vectors_give_the_same_map(mapped: Mapped, library_map: LibraryMap) -> None:
    again = fit(mapped.index, mapped.library, encoder=MADE)
    assert np.array_equal(again.positions, library_map.positions)
    assert again.labels == library_map.labels


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


@pytest.mark.parametrize("name", ["x" * (MAX_LABEL + 1), "turned \u202e round"])
def test_a_name_that_cannot_be_a_label_is_refused(library_map: LibraryMap, name: str) -> None:
    with pytest.raises(MapError, match=f"a label of at most {MAX_LABEL} characters that can be seen"):
        library_map.renamed(0, 0, name)
    with pytest.raises(MapError, match="Expected a group of the map, got number 99 of level 0"):
        library_map.renamed(0, 99, "fine")


def test_progress_names_each_stage_to_its_end(mapped: Mapped) -> None:
    last = {report.stage: report for report in mapped.reports}
    assert list(last) == ["Finding neighbours", "Drawing the map", "Naming groups", "Measuring the map"]
    assert all(report.done == report.total for report in last.values())


def test_a_stage_that_prepares_for_long_is_named_before_it_does(mapped: Mapped) -> None:
    first = {report.stage: report.done for report in reversed(mapped.reports)}
    assert [first[stage] for stage in ("Finding neighbours", "Drawing the map", "Measuring the map")] == [0, 0, 0]


def test_a_document_is_placed_among_its_neighbours_and_nothing_moves(mapped: Mapped, library_map: LibraryMap) -> None:
    before = library_map.positions.copy()
    placement = place(library_map, hits_for(mapped, topic_rows(seed=9)[EACH + 3]))
    assert np.array_equal(library_map.positions, before)
    own = library_map.positions[EACH : 2 * EACH]
    assert np.linalg.norm(own - [placement.x, placement.y], axis=1).min() < 4 * library_map.spacing
    assert len(placement.neighbours) == 15
    assert all(EACH <= int(name[1:]) < 2 * EACH for name in placement.neighbours)
    assert 0 < placement.kept <= 1


@pytest.mark.parametrize("name", ["positions", "levels", "neighbours", "kept_per_point", "placed"])
def test_nobody_can_write_to_a_map(library_map: LibraryMap, name: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        getattr(library_map, name)[...] = 0


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


def test_an_unknown_zoom_is_refused(library_map: LibraryMap) -> None:
    with pytest.raises(MapError, match="zoom level from 0 to 2, got 7"):
        library_map.labels_at(7)


def test_membership_sums_to_the_logarithm_of_k() -> None:
    weights = membership(np.linspace(0.9, 0.4, 15))
    assert weights[0] == 1.0
    assert weights.sum() == pytest.approx(np.log2(15), abs=1e-6)
    assert membership(np.full(4, 0.3)).tolist() == [1.0] * 4


def test_the_peak_is_in_the_denser_group() -> None:
    points = np.array([[0, 0], [0.1, 0], [0, 0.1], [9, 9], [9.5, 9]])
    x, y = densest(points, np.ones(5), reach=1.0)
    assert np.hypot(x, y) < 0.3


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


def test_groups_count_what_was_placed_in_them(mapped: Mapped, library_map: LibraryMap, tmp_path: Path) -> None:
    index = index_of(tmp_path / "vectors", topic_rows())
    index.add(["late", "later"], topic_rows(seed=4)[[2, 100]])
    longer = extend(library_map, index, ["late", "later"], encoder=MADE)
    for label in longer.labels:
        assert label.size == np.count_nonzero(longer.levels[label.level] == label.cluster)
    assert sum(label.size for label in longer.labels_at(0)) > sum(label.size for label in library_map.labels_at(0))


def test_colours_are_of_the_coarsest_level_that_has_groups(library_map: LibraryMap) -> None:
    levels = library_map.levels.copy()
    levels[0] = -1
    labels = tuple(label for label in library_map.labels if label.level)
    small = dataclasses.replace(library_map, levels=levels, labels=labels)
    assert (library_map.coarsest, small.coarsest) == (0, 1)
    assert np.array_equal(small.clusters, library_map.levels[1]) and (small.clusters >= 0).any()


def test_a_map_without_nobody_is_itself(mapped: Mapped) -> None:
    assert mapped.library_map.without({"unknown"}) is mapped.library_map


def test_an_empty_library_has_no_map(tmp_path: Path) -> None:
    index = open_index(tmp_path, fingerprint="print", dim=4, kind="exact")
    with pytest.raises(EmptyLibraryError, match="Expected documents to map, the library holds none"):
        fit(index, Documents([]), encoder=MADE)


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
