"""The points of a map: joined with what the library holds, coloured, and found in another map."""

from __future__ import annotations

import pytest

from engine.documents import Kind
from engine.exports.maps import points
from engine.library import Summaries
from tests.explorer.map.maps import (
    DOCUMENTS,
    small_map,
)


@pytest.fixture(scope="module")
def summaries() -> Summaries:
    count = range(DOCUMENTS)
    kinds: list[Kind] = ["patent" if number >= DOCUMENTS // 2 else "paper" for number in count]
    titles = [f"Title {number}" for number in count]
    return Summaries([f"d{number}" for number in count], titles, [2000] * DOCUMENTS, kinds, [""] * DOCUMENTS, titles)


def test_a_document_that_the_other_map_lacks_is_joined_to_none(summaries: Summaries) -> None:
    whole = points.join(small_map(list(summaries.ids), "f"), summaries)
    part = points.join(small_map([*summaries.ids[1:], "gone"], "f"), summaries)
    assert whole.rows_in(part) == [-1, *range(DOCUMENTS - 1)]
    assert part.rows_in(whole) == list(range(1, DOCUMENTS))


def test_both_maps_wear_the_cluster_colours_of_the_first(summaries: Summaries) -> None:
    first = small_map(list(summaries.ids), "f")
    turned = small_map(list(summaries.ids)[::-1], "f")
    of_first = points.cluster_colours(first, list(first.ids))
    of_second = points.cluster_colours(first, [*turned.ids, "stranger"])
    assert of_second.codes[:-1].tolist() == of_first.codes.tolist()[::-1]
    assert of_second.entries[of_second.codes[-1]].label == "in no cluster"
    assert [entry.count for entry in of_first.entries] == [16, 16, 16, 16, 0]


def test_a_map_joins_only_what_the_library_still_holds(summaries: Summaries) -> None:
    library_map = small_map([*summaries.ids[:-1], "gone"], "f")
    shown = points.join(library_map, summaries)
    assert (len(shown.ids), shown.missing, shown.row_of("gone")) == (63, 1, None)
    assert shown.nearest_rows(0.0, 0.0, count=3, leave_out=0).isdisjoint({0})
