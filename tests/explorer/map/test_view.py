"""The map page without a browser: one map, two side by side, and how far two encoders agree."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine import encoders
from engine.core.progress import Report
from engine.encoders import Encoder, registry
from engine.library import Library
from engine.maps import EncoderAgreement
from engine.workspace import indexing
from explorer.map.query import Near, PlacedQuery
from explorer.map.view import agreement_help, agreement_sentence
from tests.explorer.map.maps import (
    DOCUMENTS,
    filled,
    halves,
    linked,
    page,
    placed,
    rows_of,
    sent,
    settings,
    words,
)
from tests.made_readings import READ


@pytest.mark.usefixtures("empty_folder")
def test_an_empty_library_names_the_next_step() -> None:
    app = page()
    assert "Your library is empty" in words(app)
    assert [button.label for button in app.button] == ["Go to the library"]


def test_the_trust_figure_stands_in_words(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    said = words(page())
    assert "This picture keeps 41% of each document&#39;s 15 nearest neighbours; trustworthiness 0.93." in said
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
    assert "This picture keeps 41%" in words(page())
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
        (encoders.label(registry.DEFAULT), "This picture keeps 41%"),
        ("TF-IDF", "This picture keeps 29%"),
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
    assert ("TF-IDF", "This picture keeps 29%") in halves(words(app))
    assert settings(app, "map-beside")["query"] is None
    assert "has no place on the map" in words(app)


ALL = EncoderAgreement(0.384, 500, 15, 0.0006)


def test_the_agreement_is_said_in_words() -> None:
    one, two = placed(["a", "b", "c"]), placed(["c", "d", "e"])
    marked = PlacedQuery(
        one.document, one.marker, tuple(Near(n.rank, n.document, READ, True, n.rank == 3) for n in one.near)
    )
    said = agreement_sentence(ALL, marked, two)
    assert "The two share <strong>38%</strong> of a document’s 15 nearest neighbours, and of the query’s" in said
    assert "<strong>1 of 3</strong>." in said
    assert agreement_sentence(ALL, None, None).endswith("nearest neighbours.")
    assert agreement_sentence(EncoderAgreement(0, 0, 0, 0), None, None) == ""
    assert "500 documents" in agreement_help(ALL)
    assert "0.1%" in agreement_help(ALL)
