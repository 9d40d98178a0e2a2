"""The documents that a visitor selects on the map."""

from __future__ import annotations

from pathlib import Path

from tests.explorer.map.maps import filled, page, rows_of, settings


def test_a_selection_is_listed_and_marked_until_it_is_cleared(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page()
    app.session_state["map_selection"] = frozenset({"astroph-3", "gone"})
    app.run()
    assert [title.value for title in app.header] == ["1 selected"]
    assert rows_of(settings(app)["selected"]) == [19]
    app.button(key="map-selection-clear").click().run()
    assert settings(app)["selected"] is None
    assert not app.header
