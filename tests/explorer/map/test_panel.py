"""One encoder's map on the page, and what its age leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.encoders import registry
from engine.library import Library
from explorer.state import handles
from tests.explorer.map.maps import filled, page, rows_of, settings, words


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
    from engine.ingest import encoder_for, import_paths, index_library

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
