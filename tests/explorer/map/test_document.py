"""Documents that were picked or selected on the map, and its clusters in a table."""

from __future__ import annotations

import html
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.encoders import registry
from engine.maps import SelectionSummary
from engine.maps.clusters import Years
from explorer.map.document import summary_words
from tests.explorer.map.maps import TOPIC_NAMES, filled, page, rows_of, settings, words


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


def test_the_clusters_stand_in_a_table(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    said = words(page())
    assert all(name in said for name in TOPIC_NAMES)
    assert '<td class="ps-number">16</td>' in said


def rename(app: AppTest, cluster: int, name: str) -> AppTest:
    encoder = registry.DEFAULT
    app.selectbox(key=f"rename-cluster-{encoder}").set_value(cluster)
    app.text_input(key=f"rename-cluster-to-{encoder}").input(name)
    (button,) = [button for button in app.button if button.label == "Rename"]
    return button.click().run()


def test_a_cluster_is_called_as_the_visitor_wants(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = rename(page(), 1, "Stars & <b>dust</b>")
    assert not app.exception
    assert TOPIC_NAMES[1] not in words(app) and "Stars &amp; &lt;b&gt;dust&lt;/b&gt;" in words(app)
    assert "dust" in words(page())  # another visit
    assert TOPIC_NAMES[1] in words(rename(app, 1, ""))


def test_a_name_too_long_for_a_label_is_told(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    assert "Expected a label of at most 60 characters" in words(rename(page(), 0, "x\u202e"))


def test_clusters_are_sorted_and_tell_years_and_central_documents(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page()
    said = words(app)
    assert "Most central documents" in said
    assert said.count('<th scope="row">') == 4
    control = app.get("button_group")
    by_size = [said.index(f'<th scope="row">{name}') for name in TOPIC_NAMES]
    assert by_size == sorted(by_size)
    app.session_state[f"clusters-order-{registry.DEFAULT}"] = "label"
    said = words(app.run())
    by_label = [said.index(f'<th scope="row">{name}') for name in sorted(TOPIC_NAMES)]
    assert control and by_label == sorted(by_label)
