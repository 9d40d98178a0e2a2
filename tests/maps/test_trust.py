"""The picture's figures against scikit-learn and against counting by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.maps.trust import kept_neighbours, neighbours_in_picture, trustworthiness


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
