"""What a selection on the map has in common."""

from __future__ import annotations

import numpy as np
import pytest

from engine.library import Summaries
from engine.maps.labels import ClusterLabel
from engine.maps.model import LibraryMap
from engine.maps.summary import Titles, Years

TITLES = (
    *("Neutrino oscillations in matter", "Sterile neutrino mass", "A neutrino detector"),
    *("Random graphs", "Coloring of graphs", "Planar graphs and trees"),
    *("Relay for telegraphs", "A relay", "Improved relay switch"),
)
NAMES = ("first", "second", "third")
YEARS = [2001, 2003, 2009, 1990, 1990, 0, 1880, 1881, 1882]


@pytest.fixture
def titles() -> Titles:
    count = len(TITLES)
    ids = [f"d{number}" for number in range(count)]
    group = np.repeat(np.arange(3, dtype=np.int32), 3)
    drawn = LibraryMap(
        ids=(*reversed(ids), "gone"),
        positions=np.zeros((count + 1, 2), np.float32),
        levels=np.tile(np.append(group[::-1], -1).astype(np.int32), (3, 1)),
        labels=tuple(
            ClusterLabel(0, number, name, 0, 0, 3) for number, name in enumerate(("first", "second", "third"))
        ),
        neighbours=np.zeros((count + 1, 15), np.int32),
        kept_per_point=np.zeros(count + 1, np.float32),
        placed=np.zeros(count + 1, bool),
        trustworthiness=1,
        kept=1,
        spacing=1,
        fingerprint="f",
        encoder="e",
    )
    kinds = ["patent" if number > 5 else "paper" for number in range(count)]
    summaries = Summaries([*ids, "unmapped"], [*TITLES, "Other"], [*YEARS, 0], [*kinds, "paper"], [""] * 10, [""] * 10)
    return Titles.read(drawn, summaries)


def test_terms_set_a_selection_apart_from_the_rest(titles: Titles) -> None:
    assert titles.summary(["d0", "d1", "d2"]).terms[0] == "neutrino"
    assert titles.summary(["d6", "d7", "d8"]).terms[0] == "relay"


def test_a_selection_across_clusters_is_counted_by_kind_and_cluster(titles: Titles) -> None:
    found = titles.summary(["d0", "d3", "d4", "d8", "unmapped", "stranger"])
    assert found.count == 5
    assert found.kinds == {"paper": 4, "patent": 1}
    assert found.clusters == {"second": 2, "first": 1, "third": 1}
    assert found.years == Years(1882, 1990, 2001, 1)


def test_nothing_selected_has_no_terms_and_no_years(titles: Titles) -> None:
    found = titles.summary([])
    assert (found.count, found.terms, found.years) == (0, (), Years(0, 0, 0, 0))
