"""The query on a map, its neighbours, and what a map keeps of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.rows import Rows
from engine.documents import Hit
from engine.exports.maps import points
from engine.library import Library
from engine.workspace import Workspace
from explorer.map import query
from explorer.map.panel import map_points
from explorer.map.query import compared, place_query
from explorer.state import handles
from tests.explorer.map.maps import (
    filled,
    linked,
    page,
    placed,
    small_map,
    words,
)


def test_neighbours_that_one_encoder_alone_finds_are_told_apart(paired: Path) -> None:
    with Library.open(paired) as library:
        summaries = library.summaries()
    shown = points.MapPoints.of(small_map(list(summaries.ids), "f"), summaries)
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


def test_a_map_of_one_document_does_not_praise_itself(empty_folder: Path) -> None:
    assert query.trust_sentence(0.0, 1.0, neighbours=1, documents=1).startswith("There is too little on it")
    assert "at random would keep 50.0%" in query.trust_help(1, 3)
    assert query.kept_sentence([]) == "This encoder finds nothing like it here, so it has no neighbours."


def test_a_document_without_a_known_word_has_no_neighbours(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(empty_folder, with_map=True)

    class Blind:
        """Every document is as near as every other one."""

        def search(self, row: Rows, k: int) -> list[list[Hit]]:
            return [[Hit(f"astroph-{number}", 0.0) for number in range(min(k, 16))]]

    monkeypatch.setattr(Workspace, "exact_index", lambda self, name: Blind())
    app = page(doc="astroph-0")
    assert not app.exception
    assert "finds nothing like it here" in words(app) and 'class="ps-near"' not in words(app)
