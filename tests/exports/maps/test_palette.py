from __future__ import annotations

import itertools

import numpy as np
import pytest

from engine.exports.maps.palette import (
    CATEGORICAL,
    NAMED,
    OTHER,
    SEQUENTIAL,
    by_category,
    by_cluster,
    by_kind,
    by_year,
    spread_colours,
)


def channel(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4


def luminance(colour: str) -> float:
    red, green, blue = (channel(int(colour[at : at + 2], 16)) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


# Machado, Oliveira and Fernandes (2009): severity 1.0 on linear RGB
SIGHT = {
    "full": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: str, sight: str) -> np.ndarray:
    linear = np.array([channel(int(colour[at : at + 2], 16)) for at in (1, 3, 5)])
    xyz = TO_XYZ @ np.clip(SIGHT[sight] @ linear, 0, 1) / np.array([0.9505, 1.0, 1.089])
    cube = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * cube[1] - 16, 500 * (cube[0] - cube[1]), 200 * (cube[1] - cube[2])])


@pytest.mark.parametrize("sight", list(SIGHT))
@pytest.mark.parametrize("side", [0, 1])
def test_category_colours_stay_apart_for_colour_blind_eyes(sight: str, side: int) -> None:
    colours = [pair[side] for pair in (*CATEGORICAL, OTHER)]
    distances = [float(np.linalg.norm(lab(a, sight) - lab(b, sight))) for a, b in itertools.combinations(colours, 2)]
    assert min(distances) >= 15


def test_every_category_colour_stands_out_from_its_ground() -> None:
    assert min(contrast(light, "#fdfdfc") for light, _ in CATEGORICAL) > 2
    assert min(contrast(dark, "#12181a") for _, dark in CATEGORICAL) > 3


def test_the_year_scale_runs_in_one_direction_of_lightness() -> None:
    light, dark = ([luminance(pair[side]) for pair in SEQUENTIAL] for side in (0, 1))
    assert light == sorted(light, reverse=True)
    assert dark == sorted(dark)


def test_kinds_keep_their_colour_whatever_the_library_holds() -> None:
    both, alone = by_kind(["paper", "patent", "paper"]), by_kind(["patent"])
    assert [entry.count for entry in both.entries] == [2, 1, 0]
    assert both.entries[both.codes[1]].light == alone.entries[alone.codes[0]].light


def test_the_ten_most_frequent_categories_are_named_and_the_rest_is_grey() -> None:
    categories = [f"c{number}" for number in range(14) for _ in range(20 - number)] + [""]
    colouring = by_category(categories)
    assert [entry.label for entry in colouring.entries[:NAMED]] == [f"c{number}" for number in range(10)]
    assert colouring.entries[NAMED].label == "4 others"
    assert (colouring.entries[colouring.codes[-1]].label, colouring.entries[colouring.codes[-1]].light) == (
        "no subject given",
        OTHER[0],
    )
    assert sum(entry.count for entry in colouring.entries) == len(categories)


def test_years_fall_into_steps_of_about_equal_number_and_unknown_ones_are_apart() -> None:
    years = [1880] * 50 + list(range(1990, 2022)) * 10 + [0, 0, 0]
    colouring = by_year(years)
    assert colouring.entries[0].label == "1880"
    assert colouring.entries[-1].count == 3
    assert colouring.entries[colouring.codes[-1]].label == "year unknown"
    assert len(colouring.entries) <= len(SEQUENTIAL) + 1
    assert sum(entry.count for entry in colouring.entries) == len(years)


def test_years_that_are_all_unknown_still_have_a_colour() -> None:
    colouring = by_year([0, 0])
    assert colouring.codes.tolist() == [0, 0]
    assert colouring.entries[0].label == "year unknown"


def test_clusters_are_named_by_size_and_small_ones_are_summed_up() -> None:
    clusters = np.repeat(np.arange(12, dtype=np.int32), np.arange(12, 0, -1))
    clusters = np.append(clusters, [-1, -1]).astype(np.int32)
    colouring = by_cluster(clusters, {number: f"cluster {number}" for number in range(12)})
    assert colouring.entries[0].label == "cluster 0"
    assert [entry.label for entry in colouring.entries[10:12]] == ["", ""]
    assert colouring.entries[colouring.codes[-1]].label == "in no cluster"
    assert colouring.more == "and 2 smaller clusters, which share these colours"


@pytest.mark.parametrize("modern", [1, 40, 5_000])
def test_two_ages_of_documents_both_show_colours_whichever_is_larger(modern: int) -> None:
    old = list(range(1877, 1899)) * 5
    colouring = by_year([*old, *[2020] * modern])
    steps = colouring.entries[:-1]
    assert len({entry.light for entry in steps}) == len(steps) <= len(SEQUENTIAL)
    assert [entry.gap for entry in steps] == [False] * (len(steps) - 1) + [True]
    assert steps[-1].label == "2020"
    assert steps[-1].count == modern
    assert len(steps) >= 4
    assert max(entry.count for entry in steps[:-1]) < len(old) / 2


def test_a_year_that_holds_most_documents_leaves_colours_for_the_others() -> None:
    colouring = by_year([*range(1990, 2020), *[2020] * 9_000])
    assert len(colouring.entries) == len(SEQUENTIAL) + 1
    assert not any(entry.gap for entry in colouring.entries)


def test_more_ages_than_colours_still_have_a_scale() -> None:
    colouring = by_year(list(range(1500, 2000, 25)) * 2)
    assert len(colouring.entries) <= len(SEQUENTIAL) + 1
    assert sum(entry.count for entry in colouring.entries) == 40


def test_near_clusters_have_colours_that_are_easier_to_tell_than_by_size_alone() -> None:
    def nearest(colours: list[int]) -> float:
        """The smallest difference of colour between neighbours along a line."""
        pairs = itertools.pairwise(colours)
        return min(
            min(
                float(np.linalg.norm(lab(CATEGORICAL[a][side], "full") - lab(CATEGORICAL[b][side], "full")))
                for side in (0, 1)
            )
            for a, b in pairs
        )

    line = [(float(number), 0.0) for number in range(NAMED)]
    chosen = spread_colours(line)
    assert sorted(chosen) == list(range(NAMED))
    assert nearest(chosen) > nearest(list(range(NAMED)))


def test_clusters_beyond_the_colours_do_not_share_one_with_a_neighbour() -> None:
    grid = [(float(x), float(y)) for x in range(6) for y in range(6)]
    chosen = spread_colours(grid)
    for one, other in itertools.combinations(range(36), 2):
        if np.hypot(grid[one][0] - grid[other][0], grid[one][1] - grid[other][1]) < 1.5:
            assert chosen[one] != chosen[other]
