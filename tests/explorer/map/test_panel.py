"""One encoder's map on the page, and what its age leaves out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.encoders import registry
from engine.exports.maps import packing, points
from engine.library import Library
from explorer.map import pair
from explorer.state import handles
from tests.explorer.map.maps import filled, page, rows_of, second_map, sent, settings, words


def test_a_map_that_is_finished_while_the_page_is_drawn_does_not_break_it(
    empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(empty_folder, with_map=True)
    answers = iter([False])
    monkeypatch.setattr(handles, "is_mapped", lambda name: next(answers, True))
    app = page()
    assert "No map drawn yet" in words(app)
    assert "This picture keeps 41%" in words(app.run())


def test_a_damaged_map_says_so_and_offers_to_draw_it_anew(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    for path in empty_folder.rglob("map.safetensors"):
        path.write_bytes(b"no")
    app = page()
    assert "Expected a map" in words(app)
    assert "Draw it again" in [button.label for button in app.button]


def test_documents_that_came_after_the_map_are_put_on_it(empty_folder: Path) -> None:
    from engine.workspace.importing import import_paths
    from engine.workspace.indexing import encoder_for, index_library

    filled(empty_folder, with_map=True)
    late = empty_folder.parent / "late.md"
    late.write_text("# Steering a catheter\n\n## Abstract\n\nA tube carries a sensor to the vessel.\n", "utf-8")
    with Library.open(empty_folder) as library:
        import_paths(library, [late])
        index_library(library, encoder_for(library, registry.DEFAULT))
    app = page()
    assert "1 document came after" in words(app)
    assert "Draw it again" in [button.label for button in app.button]


def test_words_that_were_sent_light_up_what_holds_them_all_in_any_form(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page()
    assert settings(app)["found"] is None
    app.session_state["map_words"] = "the turbines of blades"
    app.run()
    found = settings(app)["found"]
    assert found["words"] == "the turbines of blades"
    rows = rows_of(found["rows"])
    assert found["count"] == len(rows) > 8
    assert set(rows) <= set(range(32, 48))  # the turbines
    app.session_state["map_words"] = "turbine galaxies"
    assert settings(app.run())["found"]["count"] == 0


def _counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is packed for the browser from now on, by the names of what packs it."""
    packed: list[str] = []

    def counting(owner: object, name: str) -> None:
        packs = getattr(owner, name)

        def counted(*given: Any) -> object:  # noqa: ANN401  whatever is packed
            packed.append(name)
            return packs(*given)

        monkeypatch.setattr(owner, name, counted)

    counting(packing, "pack")
    counting(points, "map_labels")
    counting(pair, "pack_link")
    return packed


def test_points_and_labels_are_packed_once_for_a_drawn_map_and_not_at_each_rerun(
    empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(empty_folder, with_map=True)
    packed = _counted(monkeypatch)
    app = page()
    assert sorted(packed) == ["map_labels", "pack"]
    (first,) = sent(app, "map-points")
    app.session_state["map_words"] = "turbine"
    app.run()
    app.session_state["visit"] = replace(app.session_state["visit"], selected="astroph-0", colour="year")
    app.run()
    other = page(doc="astroph-1", colour="kind", kind="paper")
    assert sent(app, "map-points") == sent(other, "map-points") == [first]
    assert sorted(packed) == ["map_labels", "pack"]
    handles.workspace().rename_cluster(registry.DEFAULT, 0, 0, "Stars by me")
    (renamed,) = sent(app.run(), "map-points")
    assert renamed != first and sorted(packed) == ["map_labels"] * 2 + ["pack"] * 2


def test_two_maps_and_what_links_them_are_packed_once(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(empty_folder, with_map=True)
    second_map(empty_folder)
    packed = _counted(monkeypatch)
    app = page(beside="tfidf")
    once = ["map_labels"] * 2 + ["pack"] * 2 + ["pack_link"]
    assert sorted(packed) == once
    links = sent(app, "map-link")
    app.session_state["visit"] = replace(app.session_state["visit"], selected="astroph-0", colour="year")
    assert sent(app.run(), "map-link") == links and sorted(packed) == once
