"""Documents placed on a map that stays still."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import MapError
from engine.documents import Hit
from engine.maps.model import LibraryMap
from engine.maps.placement import densest, extend, membership, place
from tests.maps.made import DIM, EACH, MADE, Mapped, index_of, topic_rows


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
