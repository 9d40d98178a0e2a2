"""The clusters of a map in a table, and the names that a visitor gives them."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from engine.encoders import registry
from tests.explorer.map.maps import TOPIC_NAMES, filled, page, words


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
