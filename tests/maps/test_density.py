"""Groups of points that lie densely together."""

from __future__ import annotations

import numpy as np
import pytest

from engine.maps.density import FEWEST_POINTS, LEVELS, find_levels
from tests.maps.blobs import blobs


def test_blobs_are_found_and_numbered_by_size() -> None:
    sizes = [40, 90, 60]
    coarse = find_levels(blobs(sizes))[0]
    assert coarse.shape == (190,)
    found = [np.bincount(part[part >= 0]).argmax() for part in np.split(coarse, np.cumsum(sizes)[:-1])]
    assert found == [2, 0, 1]
    assert (coarse >= 0).mean() > 0.85


def test_finer_levels_have_at_least_as_many_groups() -> None:
    counts = [int(groups.max()) + 1 for groups in find_levels(blobs([120] * 20))]
    assert counts == sorted(counts)
    assert counts[0] >= 10


def test_the_same_points_give_the_same_groups() -> None:
    points = blobs([50, 50, 50])
    assert np.array_equal(find_levels(points), find_levels(points))


@pytest.mark.parametrize("size", [0, 1, FEWEST_POINTS - 1])
def test_few_points_have_no_groups(size: int) -> None:
    assert find_levels(np.zeros((size, 2), np.float32)).tolist() == [[-1] * size] * len(LEVELS)


def test_points_on_one_spot_have_no_groups() -> None:
    assert find_levels(np.ones((100, 2), np.float32)).max() == -1


def test_points_on_one_line_and_doubles_do_not_stop_the_search() -> None:
    line = blobs([60, 60])
    line[:, 1] = 0
    assert find_levels(line)[0].max() == 1
    doubled = np.repeat(blobs([30, 30]), 3, axis=0)
    assert find_levels(doubled)[0].max() >= 1
