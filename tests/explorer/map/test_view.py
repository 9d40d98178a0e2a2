"""The map page without a browser: its states, its words, what its controls change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import engine.ingest
from engine.documents import Hit
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.index.base import VectorIndex
from engine.library import Library
from engine.maps import LibraryMap
from engine.progress import Report
from engine.rows import Rows
from explorer.map import points
from explorer.map.query import place_query
from explorer.shared import neighbours
from explorer.state import handles, jobs
from tests.explorer.map.maps import DOCUMENTS, TOPIC_NAMES, filled, linked, page, rows_of, settings, small_map, words


@pytest.fixture(autouse=True)
def own_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "library"
    monkeypatch.setenv("PRIORSCOPE_LIBRARY", str(folder))
    monkeypatch.setattr(handles, "warm", lambda name: None)  # a thread would outlive the folder
    st.cache_resource.clear()
    yield folder
    st.cache_resource.clear()


def test_an_empty_library_names_the_next_step() -> None:
    app = page()
    assert "Your library is empty" in words(app)
    assert [button.label for button in app.button] == ["Go to the library"]


def test_a_library_without_a_map_offers_to_draw_it(own_library: Path) -> None:
    filled(own_library, with_map=False)
    app = page()
    assert "No map drawn yet" in words(app)
    assert "64 documents" in words(app)
    assert "Draw the map" in [button.label for button in app.button]


def test_a_map_that_is_finished_while_the_page_is_drawn_does_not_break_it(
    own_library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(own_library, with_map=True)
    answers = iter([False])
    monkeypatch.setattr(handles, "is_mapped", lambda name: next(answers, True))
    app = page()
    assert "No map drawn yet" in words(app)
    assert "This picture keeps 41%" in words(app.run())


def test_the_trust_figure_stands_in_words(own_library: Path) -> None:
    filled(own_library, with_map=True)
    said = words(page())
    assert "This picture keeps 41% of each document&#39;s 15 nearest neighbours; trustworthiness 0.93." in said
    assert "0.5 is chance" in said


def test_a_map_that_is_drawn_stands_before_its_encoder_is_loaded(
    own_library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(own_library, with_map=True)
    asked: list[str] = []
    load = engine.ingest.encoder_for

    def counted(library: Library, name: str, *, report: Report) -> Encoder:
        asked.append(name)
        return load(library, name, report=report)

    monkeypatch.setattr(engine.ingest, "encoder_for", counted)
    assert "This picture keeps 41%" in words(page())
    assert asked == []
    assert "true neighbours are also among" in words(page(doc="astroph-0"))
    assert asked


def test_the_clusters_stand_in_a_table(own_library: Path) -> None:
    filled(own_library, with_map=True)
    said = words(page())
    assert all(name in said for name in TOPIC_NAMES)
    assert '<td class="ps-number">16</td>' in said


def rename(app: AppTest, cluster: int, name: str) -> AppTest:
    encoder = registry.DEFAULT
    app.selectbox(key=f"rename-cluster-{encoder}").set_value(cluster)
    app.text_input(key=f"rename-cluster-to-{encoder}").input(name)
    (button,) = [button for button in app.button if button.label == "Rename"]
    return button.click().run()


def test_a_cluster_is_called_as_the_visitor_wants(own_library: Path) -> None:
    filled(own_library, with_map=True)
    app = rename(page(), 1, "Stars & <b>dust</b>")
    assert not app.exception
    assert TOPIC_NAMES[1] not in words(app) and "Stars &amp; &lt;b&gt;dust&lt;/b&gt;" in words(app)
    assert "dust" in words(page())  # another visit
    assert TOPIC_NAMES[1] in words(rename(app, 1, ""))


def test_a_name_too_long_for_a_label_is_told(own_library: Path) -> None:
    filled(own_library, with_map=True)
    assert "Expected a label of at most 60 characters" in words(rename(page(), 0, "x\u202e"))


def test_a_query_lists_its_true_neighbours_and_not_itself(own_library: Path) -> None:
    filled(own_library, with_map=True)
    app = page(doc="astroph-0")
    said = words(app)
    assert said.count('class="ps-near"') == 15
    assert "of its 15 true neighbours are also among the 15 nearest points here." in said
    shown = [button.key for button in app.button if button.key and button.key.startswith("near-ask-")]
    assert len(shown) == 15


def test_a_neighbour_becomes_the_query_and_the_link_says_so(own_library: Path) -> None:
    filled(own_library, with_map=True)
    app = page(doc="astroph-0")
    app.button(key="near-ask-1").click().run()
    assert not app.exception
    asked = linked(app, "doc")
    assert asked.startswith("astroph-")
    assert asked != "astroph-0"


def test_the_link_restores_colours_labels_and_filters(own_library: Path) -> None:
    filled(own_library, with_map=True)
    app = page(colour="year", labels="topics", **{"from": "2000"})
    assert app.selectbox(key="map-labels").value == "topics"
    assert app.slider(key="map-years").value[0] == 2000
    app.selectbox(key="map-labels").select("none").run()
    assert linked(app, "labels") == "none"
    assert linked(app, "colour") == "year"


def test_years_that_leave_nothing_out_turn_nothing_pale(own_library: Path) -> None:
    filled(own_library, with_map=True)
    app = page(**{"from": "1600", "to": "2200"})
    assert settings(app)["years"] is None
    assert "from" not in app.query_params and "to" not in app.query_params
    first, last = app.slider(key="map-years").value
    assert settings(page(**{"from": str(first), "to": str(last)}))["years"] is None
    assert settings(page(**{"from": str(first + 1)}))["years"] == [first + 1, 9999]
    assert "no document of the years that were asked for" in words(page(**{"from": str(last + 1)}))


def test_a_library_document_that_was_corrected_finds_another_place(own_library: Path) -> None:
    filled(own_library, with_map=True)
    shown, library = points.opened("blend"), handles.library()
    held, other = library.get(["astroph-0", "F03B-1"])
    own = place_query(held, "blend", shown).marker
    row = shown.row_of("astroph-0")
    assert [own.x, own.y] == shown.positions[row].tolist()
    corrected = replace(held, title=other.title, abstract=other.abstract)
    placed = place_query(corrected, "blend", shown)
    assert {near.document.id.split("-")[0] for near in placed.near[:5]} == {"F03B"}
    assert placed.marker.x < 5 < placed.marker.y  # the corner of the turbines
    assert own.y < 5 < own.x  # that of the galaxies


def test_a_hostile_title_is_escaped(own_library: Path) -> None:
    filled(own_library, with_map=True)
    said = words(page(doc="F03B-0"))
    assert "&lt;script&gt;document.title=" in said
    assert "<script>" not in said


def test_an_unknown_document_in_the_link_is_named_and_the_map_is_shown(own_library: Path) -> None:
    filled(own_library, with_map=True)
    said = words(page(doc="nobody-9"))
    assert "nobody-9" in said
    assert "This picture keeps" in said


def test_a_damaged_map_says_so_and_offers_to_draw_it_anew(own_library: Path) -> None:
    filled(own_library, with_map=True)
    for path in own_library.rglob("map.safetensors"):
        path.write_bytes(b"no")
    app = page()
    assert "Expected a map" in words(app)
    assert "Draw it again" in [button.label for button in app.button]


def test_documents_that_came_after_the_map_are_put_on_it(own_library: Path) -> None:
    from engine.encoders import registry
    from engine.ingest import encoder_for, import_paths, index_library

    filled(own_library, with_map=True)
    late = own_library.parent / "late.md"
    late.write_text("# Steering a catheter\n\n## Abstract\n\nA tube carries a sensor to the vessel.\n", "utf-8")
    with Library.open(own_library) as library:
        import_paths(library, [late])
        index_library(library, encoder_for(library, registry.DEFAULT))
    app = page()
    assert "1 document came after" in words(app)
    assert "Draw it again" in [button.label for button in app.button]


def test_a_map_joins_only_what_the_library_still_holds(own_library: Path) -> None:
    filled(own_library, with_map=False)
    with Library.open(own_library) as library:
        summaries = library.summaries()
    library_map = small_map([*summaries.ids[:-1], "gone"], "f")
    shown = points.join(library_map, summaries)
    assert (len(shown.ids), shown.missing, shown.row_of("gone")) == (63, 1, None)
    assert shown.nearest_rows(0.0, 0.0, count=3, leave_out=0).isdisjoint({0})


def test_the_button_draws_the_map_in_the_background(own_library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import engine.maps

    def drawn(index: VectorIndex, library: Library, *, encoder: Encoder, report: Report) -> LibraryMap:
        return small_map(list(index.ids), index.fingerprint)

    monkeypatch.setattr(engine.maps, "fit", drawn)
    filled(own_library, with_map=False)
    app = page()
    app.button(key="draw-map").click().run()
    job = jobs.last()
    assert job is not None
    assert job.finished.wait(60)
    app.run()
    assert not app.exception
    assert "This picture keeps 41%" in words(app)


def test_a_map_that_cannot_be_drawn_says_why(own_library: Path) -> None:
    filled(own_library, with_map=False)
    app = page()
    with handles.workspace().working():  # another window imports
        said = words(app.button(key="draw-map").click().run())  # the job may be over by then
        job = jobs.last()
        assert job is not None and job.finished.wait(60)
        said += words(app.run())
    assert not app.exception
    assert said.count("Expected the library to be free") == 1


def test_a_map_of_one_document_does_not_praise_itself(own_library: Path) -> None:
    assert neighbours.trust_sentence(0.0, 1.0, neighbours=1, documents=1).startswith("There is too little on it")
    assert "at random would keep 50.0%" in neighbours.trust_help(1, 3)
    assert neighbours.kept_sentence([]) == "This encoder finds nothing like it here, so it has no neighbours."


def test_a_document_without_a_known_word_has_no_neighbours(own_library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(own_library, with_map=True)

    class Blind:
        """Every document is as near as every other one."""

        def search(self, row: Rows, k: int) -> list[list[Hit]]:
            return [[Hit(f"astroph-{number}", 0.0) for number in range(min(k, 16))]]

    monkeypatch.setattr(handles, "vector_index", lambda name: Blind())
    app = page(doc="astroph-0")
    assert not app.exception
    assert "finds nothing like it here" in words(app) and 'class="ps-near"' not in words(app)


def test_the_filters_of_the_search_turn_points_pale_too(own_library: Path) -> None:
    filled(own_library, with_map=True)
    app = page(category="astro-ph")
    assert app.multiselect(key="option-categories").value == ["astro-ph"]
    assert passing(app) == [False] * 16 + [True] * 16 + [False] * 32
    app.button(key="map-clear-filters").click().run()
    assert "category" not in app.query_params
    assert settings(app)["passing"] is None


def test_a_filter_chosen_on_the_map_stands_in_the_link(own_library: Path) -> None:
    filled(own_library, with_map=True)
    app = page()
    app.multiselect(key="option-categories").set_value(["F03B"]).run()
    assert linked(app, "category") == "F03B"
    assert sum(passing(app)) == 16


def test_a_selection_is_listed_and_marked_until_it_is_cleared(own_library: Path) -> None:
    filled(own_library, with_map=True)
    app = page()
    app.session_state["map_selection"] = frozenset({"astroph-3", "gone"})
    app.run()
    assert [title.value for title in app.header] == ["1 selected"]
    assert rows_of(settings(app)["selected"]) == [19]
    app.button(key="map-selection-clear").click().run()
    assert settings(app)["selected"] is None
    assert not app.header


def passing(app: AppTest) -> list[bool]:
    rows = rows_of(settings(app)["passing"])
    return [row in rows for row in range(DOCUMENTS)]
