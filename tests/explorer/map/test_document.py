"""Documents that were picked or selected on the map."""

from __future__ import annotations

import html
from pathlib import Path

import pytest

from engine.maps import SelectionSummary
from engine.maps.clusters import Years
from explorer.map.document import summary_words
from tests.explorer.map.maps import filled, page, rows_of, settings, words


def test_a_selection_says_its_terms_years_and_kinds(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page()
    app.session_state["map_selection"] = frozenset(f"F03B-{number}" for number in range(16))
    app.run()
    said = html.unescape(words(app))
    assert "<dt>Terms</dt>" in said
    assert "16 patents" in said
    assert "turbine, blade (16)" in said
    keys = [button.proto.id for button in app.get("download_button")]
    assert any(key.endswith("selection-table-parquet") for key in keys)


@pytest.mark.parametrize(
    ("years", "told"),
    [
        (Years(1990, 2001, 2010, 0), "1990 to 2010, half of them by 2001"),
        (Years(1990, 1990, 1990, 2), "1990; 2 without a year"),
        (Years(0, 0, 0, 3), "3 without a year"),
    ],
)
def test_years_are_told_as_far_as_they_are_known(years: Years, told: str) -> None:
    found = SelectionSummary(3, (), years, {"paper": 3}, {})
    said = str(summary_words(found))
    assert f"<dd>{told}</dd>" in said
    assert "Terms" not in said and "Clusters" not in said


def test_many_clusters_are_told_by_the_largest() -> None:
    clusters = {f"<c{number}>": 9 - number for number in range(5)}
    said = str(summary_words(SelectionSummary(9, ("a", "b"), Years(0, 0, 0, 9), {}, clusters)))
    assert "&lt;c0&gt; (9); &lt;c1&gt; (8); &lt;c2&gt; (7); 2 more" in said


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
