"""The map on vectors made here: what it holds, how it is kept, honest and named by people."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import MapError, StorageError
from engine.maps.model import LibraryMap
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
    with pytest.raises(MapError, match=f"a label of at most {LibraryMap.MAX_LABEL} characters that can be seen"):
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
