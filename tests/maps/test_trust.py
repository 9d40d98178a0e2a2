"""The picture's figures against scikit-learn and against counting by hand.

The figure that says how far two encoders agree, against lists counted by hand.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

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
