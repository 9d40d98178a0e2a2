"""The Map page without a browser: maps drawn, asked and put beside each other, their documents and controls."""

from __future__ import annotations

import html
import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from engine import encoders
from engine.core.errors import MapError
from engine.core.progress import Report
from engine.core.rows import Rows
from engine.documents import Hit
from engine.encoders import Encoder, registry
from engine.exports.maps import packing, points
from engine.library import Library
from engine.maps import EncoderAgreement, LibraryMap, SelectionSummary
from engine.maps.clusters import Years
from engine.vectors import VectorIndex
from engine.workspace import Workspace, encoding_key, indexing
from explorer.map import panel, query
from explorer.map.document import summary_words
from explorer.map.panel import map_points
from explorer.map.query import Near, PlacedQuery, compared, place_query
from explorer.map.view import agreement_help, agreement_sentence
from explorer.state import handles
from tests.explorer.conftest import Start
from tests.explorer.maps import (
    DOCUMENTS,
    TOPIC_NAMES,
    filled,
    halves,
    linked,
    page,
    placed,
    rows_of,
    second_map,
    sent,
    settings,
    small_map,
    words,
)
from tests.explorer.pages import opened
from tests.made_readings import READ


@pytest.fixture
def paired(empty_folder: Path) -> Path:
    filled(empty_folder, with_map=True)
    second_map(empty_folder)
    return empty_folder


@pytest.mark.usefixtures("empty_folder")
def test_an_empty_library_names_the_next_step() -> None:
    app = page()
    assert "Your library is empty" in words(app)
    assert [button.label for button in app.button] == ["Go to the library"]


def test_the_trust_figure_stands_in_words(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    said = words(page())
    assert "This picture keeps 41\xa0% of each document&#39;s 15 nearest neighbours; trustworthiness 0.93." in said
    assert "0.5 is chance" in said


def test_a_map_that_is_drawn_stands_before_its_encoder_is_loaded(
    empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(empty_folder, with_map=True)
    asked: list[str] = []
    load = indexing.encoder_for

    def counted(library: Library, name: str, *, report: Report) -> Encoder:
        asked.append(name)
        return load(library, name, report=report)

    monkeypatch.setattr(indexing, "encoder_for", counted)
    assert "This picture keeps 41\xa0%" in words(page())
    assert asked == []
    assert "true neighbours are also among" in words(page(doc="astroph-0"))
    assert asked


def test_a_hostile_title_is_escaped(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    said = words(page(doc="F03B-0"))
    assert "&lt;script&gt;document.title=" in said
    assert "<script>" not in said


def test_one_map_is_shown_until_another_is_asked_for(paired: Path) -> None:
    app = page()
    assert app.selectbox(key="map-beside-encoder").value == ""
    assert "The same documents under two encoders" not in words(app)
    assert not settings(app)["linked"]
    assert sent(app, "map-link") == []


def test_choosing_a_second_encoder_shows_both_maps_and_stands_in_the_link(paired: Path) -> None:
    app = page()
    app.selectbox(key="map-beside-encoder").select("tfidf").run()
    assert not app.exception
    assert linked(app, "beside") == "tfidf"
    said = words(page(beside="tfidf"))
    assert halves(said) == [
        (encoders.label(registry.DEFAULT), "This picture keeps 41\xa0%"),
        ("TF-IDF", "This picture keeps 29\xa0%"),
    ]
    assert "of a document’s 15 nearest neighbours" in said


def test_the_points_of_two_maps_are_joined_by_document_not_by_row(paired: Path) -> None:
    app = page(beside="tfidf")
    message = sent(app, "map-link")[0]
    length = int.from_bytes(message[:4], "little")
    keys = json.loads(message[4 : 4 + length])["link"]
    assert keys == [settings(app)["points"], settings(app, "map-beside")["points"]]
    assert np.frombuffer(message[4 + length :], "<i4").tolist() == list(range(DOCUMENTS))[::-1]


def test_the_query_has_its_true_neighbours_on_both(paired: Path) -> None:
    app = page(beside="tfidf", doc="astroph-0")
    said = words(app)
    assert said.count('class="ps-near ps-near-both"') == 30
    assert "of the query’s <strong>15 of 15</strong>" in said
    first, second = settings(app)["query"]["neighbours"], settings(app, "map-beside")["query"]["neighbours"]
    assert sorted(DOCUMENTS - 1 - row for row in first) == sorted(second)
    app.button(key="near-beside-ask-2").click().run()
    assert not app.exception
    assert linked(app, "doc") != "astroph-0"


def test_the_first_encoder_chosen_anew_changes_places_with_the_second(paired: Path) -> None:
    app = page(beside="tfidf")
    app.selectbox(key="map-encoder").select("tfidf").run()
    assert not app.exception
    assert (linked(app, "encoder"), linked(app, "beside")) == ("tfidf", registry.DEFAULT)


@pytest.mark.parametrize("beside", [registry.DEFAULT, "stranger"])
def test_a_map_is_not_compared_with_itself_or_with_a_stranger(paired: Path, beside: str) -> None:
    app = page(beside=beside)
    assert app.selectbox(key="map-beside-encoder").value == ""
    assert "under two encoders" not in words(app)


def test_a_selection_is_marked_on_both(paired: Path) -> None:
    app = page(beside="tfidf")
    app.session_state["map_selection"] = frozenset({"csIR-0"})
    app.run()
    assert rows_of(settings(app)["selected"]) == [0]
    assert rows_of(settings(app, "map-beside")["selected"]) == [DOCUMENTS - 1]


def test_a_query_that_one_encoder_cannot_place_leaves_both_maps_standing(paired: Path) -> None:
    app = page(beside="tfidf", text="zzzqx wwwvk")
    assert ("TF-IDF", "This picture keeps 29\xa0%") in halves(words(app))
    assert settings(app, "map-beside")["query"] is None
    assert "has no place on the map" in words(app)


ALL = EncoderAgreement(0.384, 500, 15, 0.0006)


def test_the_agreement_is_said_in_words() -> None:
    one, two = placed(["a", "b", "c"]), placed(["c", "d", "e"])
    marked = PlacedQuery(
        one.document, one.marker, tuple(Near(n.rank, n.document, READ, True, n.rank == 3) for n in one.near)
    )
    said = agreement_sentence(ALL, marked, two)
    assert "The two share <strong>38\xa0%</strong> of a document’s 15 nearest neighbours, and of the query’s" in said
    assert "<strong>1 of 3</strong>." in said
    assert agreement_sentence(ALL, None, None).endswith("nearest neighbours.")
    assert agreement_sentence(EncoderAgreement(0, 0, 0, 0), None, None) == ""
    assert "500 documents" in agreement_help(ALL)
    assert "0.1\xa0%" in agreement_help(ALL)


def test_a_map_that_is_finished_while_the_page_is_drawn_does_not_break_it(
    empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(empty_folder, with_map=True)
    answers = iter([False])
    monkeypatch.setattr(Workspace, "is_mapped", lambda self, name: next(answers, True))
    app = page()
    assert "No map drawn yet" in words(app)
    assert "This picture keeps 41\xa0%" in words(app.run())


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
    counting(packing, "pack_link")
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


def test_a_second_encoder_without_a_map_offers_to_draw_it(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import engine.maps

    def drawn(index: VectorIndex, library: Library, *, encoder: Encoder, report: Report) -> LibraryMap:
        return small_map(list(index.ids), index.fingerprint, encoder=encoder.card.name, kept=0.17)

    monkeypatch.setattr(engine.maps, "fit", drawn)
    filled(empty_folder, with_map=True)
    app = page(beside="tfidf")
    assert "This picture keeps 41\xa0%" in words(app)
    assert "under the encoder TF-IDF" in words(app)
    assert f"The encoder needs to read {DOCUMENTS} documents once" in words(app)
    assert not settings(app)["linked"]
    app.button(key="draw-map-beside").click().run()
    job = handles.workspace().jobs.last()
    assert job is not None
    assert job.finished.wait(60)
    app.run()
    assert not app.exception
    assert ("TF-IDF", "This picture keeps 17\xa0%") in halves(words(app))


def test_while_work_goes_on_the_second_map_points_at_its_progress(
    paired: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from explorer.map import panel

    said: list[str] = []
    monkeypatch.setattr(panel.notices, "empty_state", lambda title, text: said.extend([title, text]))
    going = threading.Event()
    job = handles.workspace().jobs.start("Drawing", lambda report: str(going.wait(60)), key=encoding_key("lsa", "map"))
    try:
        panel.offer_map("lsa", key="map-beside")
    finally:
        going.set()
    assert job.finished.wait(60)
    assert said[0] == "No map under LSA yet" and "stands in the line at the top of this page" in said[1]


def test_a_library_without_a_map_offers_to_draw_it(empty_folder: Path) -> None:
    filled(empty_folder, with_map=False)
    app = page()
    assert "No map drawn yet" in words(app)
    assert "64 documents" in words(app)
    assert "Draw the map" in [button.label for button in app.button]


def test_the_button_draws_the_map_in_the_background(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import engine.maps

    def drawn(index: VectorIndex, library: Library, *, encoder: Encoder, report: Report) -> LibraryMap:
        return small_map(list(index.ids), index.fingerprint)

    monkeypatch.setattr(engine.maps, "fit", drawn)
    filled(empty_folder, with_map=False)
    app = page()
    app.button(key="draw-map").click().run()
    job = handles.workspace().jobs.last()
    assert job is not None
    assert job.finished.wait(60)
    app.run()
    assert not app.exception
    assert "This picture keeps 41\xa0%" in words(app)


def test_a_map_that_cannot_be_drawn_says_why(app: Start, empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import engine.maps

    def refused(*arguments: object, **more: object) -> LibraryMap:
        raise MapError("Expected documents that differ.")

    monkeypatch.setattr(engine.maps, "fit", refused)
    filled(empty_folder, with_map=False)
    test = app().switch_page("explorer/map/view.py").run()
    said = words(test.button(key="draw-map").click().run())  # the job may be over by then
    job = handles.workspace().jobs.last()
    assert job is not None and job.finished.wait(60)
    said += words(test.run())
    assert not test.exception
    assert said.count("Expected documents that differ.") == 1


@pytest.mark.parametrize("sent", [None, "1", {"0": 1}, [-1, 5, 2.5, True, "3", None]])
def test_rows_that_are_not_rows_are_left_out(sent: object) -> None:
    assert panel._rows(sent, 5) == ()


def test_rows_from_the_browser_are_taken_once_each() -> None:
    assert panel._rows([4, 0, 4, 9], 5) == (4, 0)


@pytest.mark.parametrize("sent", [None, [], [1990], [2001, 1990], [1990, "2001"], [-1, 5], [1, 10**9], "1990-2001"])
def test_years_that_are_not_two_in_order_limit_nothing(sent: object) -> None:
    assert panel._years(sent) is None


def test_years_from_the_browser_are_taken() -> None:
    assert panel._years([1990, 1990]) == (1990, 1990)


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
    assert "at random would keep 50.0\xa0%" in query.trust_help(1, 3)
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
    app.button(key="picked-0").click().run()
    assert app.session_state["visit"].selected == "astroph-3" and words(app).count("Read it") == 0
    app.button(key="map-selection-clear").click().run()
    assert settings(app)["selected"] is None
    assert not app.header


def test_a_selection_stands_in_the_order_of_nearness(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page()
    app.session_state["map_selection"] = frozenset({"csIR-0", "csIR-1", "astroph-3", "astroph-4"})
    app.run()
    assert "Nearest to their middle first:" in words(app)
    app = page(doc="astroph-0")
    app.session_state["map_selection"] = frozenset({"csIR-0", "csIR-1", "astroph-3", "astroph-0"})
    app.run()
    assert not app.exception and "Nearest to the query first:" in words(app)
    listed = [button for button in app.button if (button.key or "").startswith("picked-")]
    for place, id_ in enumerate(["astroph-0", "astroph-3"]):
        listed[place].click().run()
        assert app.session_state["visit"].selected == id_
    assert len(listed) == 4


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
    assert "Expected a label of at most 60 visible characters" in words(rename(page(), 0, "x\u202e"))


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


def test_the_link_restores_colours_labels_and_filters(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page(colour="year", labels="topics", **{"from": "2000"})
    assert app.selectbox(key="map-labels").value == "topics"
    assert opened(app, "map-filters").slider(key="option-years").value[0] == 2000
    app.selectbox(key="map-labels").select("none").run()
    assert linked(app, "labels") == "none"
    assert linked(app, "colour") == "year"


def test_years_that_leave_nothing_out_turn_nothing_pale(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page(**{"from": "1600", "to": "2200"})
    assert settings(app)["years"] is None
    assert "from" not in app.query_params and "to" not in app.query_params
    first, last = opened(app, "map-filters").slider(key="option-years").value
    assert settings(page(**{"from": str(first), "to": str(last)}))["years"] is None
    assert settings(page(**{"from": str(first + 1)}))["years"] == [first + 1, 9999]
    assert "no document of the years that were asked for" in words(page(**{"from": str(last + 1)}))


def test_the_filters_of_the_search_turn_points_pale_too(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page(category="astro-ph")
    assert opened(app, "map-filters").multiselect(key="option-categories").value == ["astro-ph"]
    assert passing(app) == [False] * 16 + [True] * 16 + [False] * 32
    app.button(key="map-clear-filters").click().run()
    assert "category" not in app.query_params
    assert settings(app)["passing"] is None


def test_a_filter_chosen_on_the_map_stands_in_the_link(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page()
    opened(app, "map-filters").multiselect(key="option-categories").set_value(["F03B"]).run()
    assert linked(app, "category") == "F03B"
    assert sum(passing(app)) == 16


def test_one_import_stays_bright_alone(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    with Library.open(empty_folder) as library:
        library.add_file("again", "again.ris", library.get(library.ids()[:3]))
    app = page(file="again.ris")
    assert opened(app, "map-filters").multiselect(key="option-files").value == ["again.ris"]
    assert passing(app) == [True] * 3 + [False] * (DOCUMENTS - 3)


def passing(app: AppTest) -> list[bool]:
    rows = rows_of(settings(app)["passing"])
    return [row in rows for row in range(DOCUMENTS)]
