"""The query on a map, among its neighbours."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engine.exports.maps import points
from engine.library import Library
from explorer.map.panel import map_points
from explorer.map.query import compared, place_query
from explorer.state import handles
from tests.explorer.map.maps import (
    filled,
    linked,
    page,
    small_map,
    words,
)
from tests.explorer.map.pairs import placed


def test_neighbours_that_one_encoder_alone_finds_are_told_apart(paired: Path) -> None:
    with Library.open(paired) as library:
        summaries = library.summaries()
    shown = points.join(small_map(list(summaries.ids), "f"), summaries)
    found = compared(placed(["csIR-0", "csIR-1", "csIR-2"]), placed(["csIR-2", "csIR-7", "csIR-0"]), shown)
    assert [near.shared for near in found.near] == [True, False, True]
    assert found.marker.apart == (shown.row_of("csIR-1"),)


def test_a_query_lists_its_true_neighbours_and_not_itself(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page(doc="astroph-0")
    said = words(app)
    assert said.count('class="ps-near"') == 15
    assert "of its 15 true neighbours are also among the 15 nearest points here." in said
    shown = [button.key for button in app.button if button.key and button.key.startswith("near-ask-")]
    assert len(shown) == 15


def test_a_neighbour_becomes_the_query_and_the_link_says_so(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page(doc="astroph-0")
    app.button(key="near-ask-1").click().run()
    assert not app.exception
    asked = linked(app, "doc")
    assert asked.startswith("astroph-")
    assert asked != "astroph-0"


def test_a_library_document_that_was_corrected_finds_another_place(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    shown, library = map_points("blend"), handles.library()
    held, other = library.get(["astroph-0", "F03B-1"])
    own = place_query(held, "blend", shown).marker
    row = shown.row_of("astroph-0")
    assert [own.x, own.y] == shown.positions[row].tolist()
    corrected = replace(held, title=other.title, abstract=other.abstract)
    placed = place_query(corrected, "blend", shown)
    assert {near.document.id.split("-")[0] for near in placed.near[:5]} == {"F03B"}
    assert placed.marker.x < 5 < placed.marker.y  # the corner of the turbines
    assert own.y < 5 < own.x  # that of the galaxies


def test_an_unknown_document_in_the_link_is_named_and_the_map_is_shown(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    said = words(page(doc="nobody-9"))
    assert "nobody-9" in said
    assert "This picture keeps" in said
