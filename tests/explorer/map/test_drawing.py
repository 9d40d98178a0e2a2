"""Where a map has yet to be drawn."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from engine.core.errors import MapError
from engine.core.progress import Report
from engine.encoders import Encoder
from engine.library import Library
from engine.maps import LibraryMap
from engine.vectors import VectorIndex
from explorer.state import jobs
from tests.explorer.conftest import Start
from tests.explorer.map.maps import (
    DOCUMENTS,
    filled,
    page,
    settings,
    small_map,
    words,
)
from tests.explorer.map.pairs import halves


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
    job = jobs.last()
    assert job is not None
    assert job.finished.wait(60)
    app.run()
    assert not app.exception
    assert ("TF-IDF", "This picture keeps 17%") in halves(words(app))


def test_while_work_goes_on_the_second_map_points_at_its_progress(
    paired: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from explorer.map import drawing

    said: list[str] = []
    monkeypatch.setattr(drawing.notices, "empty_state", lambda title, text: said.extend([title, text]))
    going = threading.Event()
    job = jobs.start("Drawing", lambda report: str(going.wait(60)), key=jobs.drawing("lsa"))
    try:
        drawing.offer("lsa", key="map-beside")
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
    job = jobs.last()
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
    job = jobs.last()
    assert job is not None and job.finished.wait(60)
    said += words(test.run())
    assert not test.exception
    assert said.count("Expected documents that differ.") == 1
