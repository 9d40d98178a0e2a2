"""The points of a map: joined with what the library holds, coloured, and found in another map."""

from __future__ import annotations

from pathlib import Path

from engine.library import Library
from explorer.map import points
from tests.explorer.map.maps import (
    DOCUMENTS,
    filled,
    small_map,
)


def test_a_document_that_the_other_map_lacks_is_joined_to_none(paired: Path) -> None:
    with Library.open(paired) as library:
        summaries = library.summaries()
    whole = points.join(small_map(list(summaries.ids), "f"), summaries)
    part = points.join(small_map([*summaries.ids[1:], "gone"], "f"), summaries)
    assert whole.rows_in(part) == [-1, *range(DOCUMENTS - 1)]
    assert part.rows_in(whole) == list(range(1, DOCUMENTS))


def test_both_maps_wear_the_cluster_colours_of_the_first(paired: Path) -> None:
    with Library.open(paired) as library:
        summaries = library.summaries()
    first = small_map(list(summaries.ids), "f")
    turned = small_map(list(summaries.ids)[::-1], "f")
    of_first = points.cluster_colours(first, list(first.ids))
    of_second = points.cluster_colours(first, [*turned.ids, "stranger"])
    assert of_second.codes[:-1].tolist() == of_first.codes.tolist()[::-1]
    assert of_second.entries[of_second.codes[-1]].label == "in no cluster"
    assert [entry.count for entry in of_first.entries] == [16, 16, 16, 16, 0]


def test_a_map_joins_only_what_the_library_still_holds(empty_folder: Path) -> None:
    filled(empty_folder, with_map=False)
    with Library.open(empty_folder) as library:
        summaries = library.summaries()
    library_map = small_map([*summaries.ids[:-1], "gone"], "f")
    shown = points.join(library_map, summaries)
    assert (len(shown.ids), shown.missing, shown.row_of("gone")) == (63, 1, None)
    assert shown.nearest_rows(0.0, 0.0, count=3, leave_out=0).isdisjoint({0})
