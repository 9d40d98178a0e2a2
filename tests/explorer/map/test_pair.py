"""Two maps of one library side by side: their states, their words, and how their points are joined."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.encoders import registry
from explorer.state.encoder_names import spoken
from tests.explorer.map.maps import (
    DOCUMENTS,
    linked,
    page,
    rows_of,
    sent,
    settings,
    words,
)
from tests.explorer.map.pairs import halves


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
    assert halves(said) == [(spoken(registry.DEFAULT), "This picture keeps 41%"), ("TF-IDF", "This picture keeps 29%")]
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
    assert ("TF-IDF", "This picture keeps 29%") in halves(words(app))
    assert settings(app, "map-beside")["query"] is None
    assert "has no place on the map" in words(app)
