"""One encoder's map on the page: yet to be drawn, drawn, aged, and what the browser answers."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import MapError
from engine.core.progress import Report
from engine.encoders import Encoder, registry
from engine.exports.maps import packing, points
from engine.library import Library
from engine.maps import LibraryMap
from engine.vectors import VectorIndex
from engine.workspace import Workspace
from explorer.map import panel
from explorer.state import background, handles
from tests.explorer.conftest import Start
from tests.explorer.map.maps import (
    DOCUMENTS,
    filled,
    halves,
    page,
    rows_of,
    second_map,
    sent,
    settings,
    small_map,
    words,
)


def test_a_map_that_is_finished_while_the_page_is_drawn_does_not_break_it(
    empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(empty_folder, with_map=True)
    answers = iter([False])
    monkeypatch.setattr(Workspace, "is_mapped", lambda self, name: next(answers, True))
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
    assert "This picture keeps 41%" in words(app)
    assert "under the encoder TF-IDF" in words(app)
    assert f"The encoder needs to read {DOCUMENTS} documents once" in words(app)
    assert not settings(app)["linked"]
    app.button(key="draw-map-beside").click().run()
    job = handles.workspace().jobs.last()
    assert job is not None
    assert job.finished.wait(60)
    app.run()
    assert not app.exception
    assert ("TF-IDF", "This picture keeps 17%") in halves(words(app))


def test_while_work_goes_on_the_second_map_points_at_its_progress(
    paired: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from explorer.map import panel

    said: list[str] = []
    monkeypatch.setattr(panel.notices, "empty_state", lambda title, text: said.extend([title, text]))
    going = threading.Event()
    job = handles.workspace().jobs.start(
        "Drawing", lambda report: str(going.wait(60)), key=background.encoding("lsa", "map")
    )
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
    assert "This picture keeps 41%" in words(app)


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
