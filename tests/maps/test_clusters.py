"""The clusters of a map as a list."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from engine.library import Summaries
from engine.maps.clusters import in_order, list_clusters
from engine.maps.model import LibraryMap
from engine.maps.summary import Years
from tests.explorer.map.maps import DOCUMENTS, TOPIC_NAMES, small_map

EACH = DOCUMENTS // len(TOPIC_NAMES)


@pytest.fixture
def summaries() -> Summaries:
    ids = [f"d{number}" for number in range(DOCUMENTS)]
    titles = [f"Title {number}" for number in range(DOCUMENTS)]
    years = [0 if number < EACH else 1900 - number for number in range(DOCUMENTS)]
    return Summaries(ids, titles, years, ["paper"] * DOCUMENTS, [""] * DOCUMENTS, titles)


def pointing(ids: list[str], hearts: list[int]) -> LibraryMap:
    """A map whose documents all count the heart of their cluster among their neighbours, and one of another."""
    neighbours = np.full((DOCUMENTS, 15), -1, np.int32)
    group = np.arange(DOCUMENTS) // EACH
    neighbours[:, 0] = np.array(hearts)[group]
    neighbours[:, 1] = np.array(hearts)[(group + 1) % len(hearts)] + 1  # from outside, which does not count
    return dataclasses.replace(small_map(ids, "f"), neighbours=neighbours)


def test_the_most_central_are_those_that_their_own_cluster_points_at(summaries: Summaries) -> None:
    hearts = [3, EACH + 5, 2 * EACH, DOCUMENTS - 2]
    found = list_clusters(pointing(summaries.ids, hearts), summaries)
    assert [one.central[0] for one in found] == [(f"d{heart}", f"Title {heart}") for heart in hearts]
    assert all(len(set(one.central)) == 3 for one in found)


def test_a_level_that_repeats_the_one_above_is_left_out(summaries: Summaries) -> None:
    assert [one.label.name for one in list_clusters(small_map(summaries.ids, "f"), summaries)] == list(TOPIC_NAMES)


def test_years_are_those_of_the_members_and_unknown_ones_come_last(summaries: Summaries) -> None:
    found = list_clusters(small_map(summaries.ids, "f"), summaries)
    assert found[0].years == Years(0, 0, 0, EACH)
    assert (found[1].years.first, found[1].years.last) == (1900 - 2 * EACH + 1, 1900 - EACH)
    assert [one.label.cluster for one in in_order(found, "years")] == [3, 2, 1, 0]
    names = [one.label.name for one in in_order(found, "label")]
    assert names == sorted(TOPIC_NAMES)


def test_a_document_that_the_library_lacks_is_not_central(summaries: Summaries) -> None:
    drawn = pointing(["gone", *summaries.ids[1:]], [0, EACH, 2 * EACH, 3 * EACH])
    assert all(id_ != "gone" for one in list_clusters(drawn, summaries) for id_, _ in one.central)
