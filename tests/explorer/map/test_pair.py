"""Two maps of one library side by side: their states, their words, and how their points are joined."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import streamlit as st

from engine.documents import Document
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.index.base import VectorIndex
from engine.library import Library
from engine.maps import LibraryMap
from engine.maps.agreement import Agreement
from engine.progress import Report
from explorer.map import points
from explorer.map.agreement import agreement_help, agreement_sentence
from explorer.map.query import PlacedQuery, compared
from explorer.map.scatter import Query
from explorer.shared.neighbours import Near
from explorer.state import handles, jobs
from explorer.state.encoder_names import spoken
from tests.explorer.map.maps import (
    DOCUMENTS,
    filled,
    linked,
    page,
    rows_of,
    second_map,
    sent,
    settings,
    small_map,
    words,
)

ALL = Agreement(0.384, 500, 15, 0.0006)


@pytest.fixture
def own_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "library"
    monkeypatch.setenv("PRIORSCOPE_LIBRARY", str(folder))
    monkeypatch.setattr(handles, "warm", lambda name: None)  # a thread would outlive the folder
    st.cache_resource.clear()
    yield folder
    st.cache_resource.clear()


@pytest.fixture
def paired(own_library: Path) -> Path:
    filled(own_library, with_map=True)
    second_map(own_library)
    return own_library


def halves(said: str) -> list[tuple[str, str]]:
    """Each half of the page: its encoder's name, and the beginning of its trust figure."""
    return re.findall(r"<h2>([^<]*)</h2>.*?(This picture keeps \d+%)", said)


def placed(ids: list[str], *, first_row: int = 0) -> PlacedQuery:
    near = tuple(Near(rank, Document(id_, "paper", id_), 0.5, True) for rank, id_ in enumerate(ids, start=1))
    return PlacedQuery(Document("q"), Query(0.0, 0.0, "q", tuple(range(first_row, first_row + len(ids)))), near)


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


def test_a_document_that_the_other_map_lacks_is_joined_to_none(paired: Path) -> None:
    with Library.open(paired) as library:
        summaries = library.summaries()
    whole = points.join(small_map(list(summaries.ids), "f"), summaries)
    part = points.join(small_map([*summaries.ids[1:], "gone"], "f"), summaries)
    assert whole.rows_in(part) == [-1, *range(DOCUMENTS - 1)]
    assert part.rows_in(whole) == list(range(1, DOCUMENTS))


def test_both_maps_wear_the_cluster_colours_of_the_first(paired: Path) -> None:
    with Library.open(paired) as library:
        summaries = library.summaries()
    first = small_map(list(summaries.ids), "f")
    turned = small_map(list(summaries.ids)[::-1], "f")
    of_first = points.cluster_colours(first, list(first.ids))
    of_second = points.cluster_colours(first, [*turned.ids, "stranger"])
    assert of_second.codes[:-1].tolist() == of_first.codes.tolist()[::-1]
    assert of_second.entries[of_second.codes[-1]].label == "in no cluster"
    assert [entry.count for entry in of_first.entries] == [16, 16, 16, 16, 0]


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


def test_neighbours_that_one_encoder_alone_finds_are_told_apart(paired: Path) -> None:
    with Library.open(paired) as library:
        summaries = library.summaries()
    shown = points.join(small_map(list(summaries.ids), "f"), summaries)
    found = compared(placed(["csIR-0", "csIR-1", "csIR-2"]), placed(["csIR-2", "csIR-7", "csIR-0"]), shown)
    assert [near.shared for near in found.near] == [True, False, True]
    assert found.marker.apart == (shown.row_of("csIR-1"),)


def test_the_agreement_is_said_in_words() -> None:
    one, two = placed(["a", "b", "c"]), placed(["c", "d", "e"])
    marked = PlacedQuery(
        one.document, one.marker, tuple(Near(n.rank, n.document, 0.5, True, n.rank == 3) for n in one.near)
    )
    said = agreement_sentence(ALL, marked, two)
    assert "The two share <strong>38%</strong> of a document’s 15 nearest neighbours, and of the query’s" in said
    assert "<strong>1 of 3</strong>." in said
    assert agreement_sentence(ALL, None, None).endswith("nearest neighbours.")
    assert agreement_sentence(Agreement(0, 0, 0, 0), None, None) == ""
    assert "500 documents" in agreement_help(ALL)
    assert "0.1%" in agreement_help(ALL)


def test_a_second_encoder_without_a_map_offers_to_draw_it(own_library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import engine.maps

    def drawn(index: VectorIndex, library: Library, *, encoder: Encoder, report: Report) -> LibraryMap:
        return small_map(list(index.ids), index.fingerprint, encoder=encoder.card.name, kept=0.17)

    monkeypatch.setattr(engine.maps, "fit", drawn)
    filled(own_library, with_map=True)
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
    drawing.offer("lsa", busy=True, key="map-beside")
    assert said == ["No map under LSA yet", "Work is going on in the background; its progress stands above."]


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
