"""Passages are found by their vectors among all segments, and matched document by document."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.documents import Chunk
from engine.vectors import passages as module
from engine.vectors.passages import PassageStore, PassageView
from engine.vectors.segments import ReadDocument
from tests.search.passages.made import opened, paper, read

NAMES = [f"d{number}" for number in range(30)]


@pytest.fixture
def view(tmp_path: Path) -> PassageView:
    store = opened(tmp_path)
    for first in range(0, 30, 7):
        store.add([read(name) for name in NAMES[first : first + 7]])
    store.remove(["d3", "d20"])
    return store.view()


def test_the_nearest_passages_come_first_whatever_segment_holds_them(view: PassageView) -> None:
    live = np.flatnonzero(view.held[view.owner])
    rows = view.rows(live)
    queries = np.concatenate([read("d0").rows, read("d29").rows])
    places, scores = view.search(queries, 9)
    exact = queries @ rows.T
    best = np.argsort(-exact, axis=1)[:, :9]
    np.testing.assert_allclose(scores, np.take_along_axis(exact, best, 1), atol=1e-4)
    assert [view.names[view.owner[one]] for one in places[:, 0]] == ["d0"] * len(read("d0").rows) + ["d29"] * len(
        read("d29").rows
    )


def test_blocks_do_not_change_the_answer(view: PassageView, monkeypatch: pytest.MonkeyPatch) -> None:
    queries = read("d8").rows
    whole = view.search(queries, 12)
    monkeypatch.setattr(module, "_NUMBERS_AT_ONCE", 1)
    monkeypatch.setattr(module, "_FEWEST_AT_ONCE", 3)
    np.testing.assert_array_equal(view.search(queries, 12)[0], whole[0])


def test_an_answer_is_limited_to_some_documents(view: PassageView) -> None:
    among = view.among(["d1", "d3", "d5", "unknown"])
    places, scores = view.search(read("d1").rows, 40, among=among)
    names = {view.names[view.owner[one]] for one in places.ravel() if one >= 0}
    assert names == {"d1", "d5"}  # d3 was removed
    assert ((places == -1) == (scores == -np.inf)).all() and (places == -1).any()


def test_a_place_leads_to_the_words(view: PassageView) -> None:
    for name in ("d0", "d29"):
        passages, _ = view.of_documents(np.array([view.number_of[name]]))
        for number, chunk in zip(passages.tolist(), read(name).passages, strict=True):
            place = view.place(number)
            assert paper(name).parts[place.part].text[place.start : place.stop] == chunk.text


def test_documents_passages_stand_end_to_end(view: PassageView) -> None:
    numbers = np.array([view.number_of[name] for name in ("d9", "d2")])
    passages, starts = view.of_documents(numbers)
    assert view.owner[passages[starts]].tolist() == numbers.tolist()
    rows = np.concatenate([read("d9").rows, read("d2").rows])
    np.testing.assert_allclose(view.rows(passages), rows, atol=0.01)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries of any size count as large."""
    monkeypatch.setattr(module, "_ALL_COMPARED", 0)


def test_where_few_are_asked_of_many_the_answer_is_nearly_that_of_comparing_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    subjects = rng.normal(size=(40, 64)).astype(np.float32)
    store = PassageStore(tmp_path, fingerprint="f" * 16, dim=64)
    for first in range(0, 3_000, 1_500):
        rows = subjects[np.arange(1_500) % 40] + rng.normal(size=(1_500, 64)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        chunk = Chunk("", 0, "", 0, 1, "x")
        store.add([ReadDocument(f"{first + n}", [chunk], rows[n : n + 1]) for n in range(1_500)])
    view, queries = store.view(), subjects[:20]
    exact, _ = view.search(queries, 10)
    monkeypatch.setattr(module, "_ALL_COMPARED", 0)
    found, scores = view.search(queries, 10)
    assert len(view.segments) == 2
    assert np.mean([len(set(one) & set(other)) / 10 for one, other in zip(found, exact, strict=True)]) >= 0.98
    assert (np.diff(scores, axis=1) <= 0).all()
    np.testing.assert_allclose(scores[:, 0], (queries * view.rows(found[:, 0])).sum(axis=1), atol=1e-4)


@pytest.mark.usefixtures("large")
def test_a_large_library_leaves_out_what_is_removed_or_not_asked_for(view: PassageView) -> None:
    among = view.among(["d1", "d3", "d5", "unknown"])
    places, scores = view.search(read("d1").rows, 40, among=among)
    assert {view.names[view.owner[one]] for one in places.ravel() if one >= 0} == {"d1", "d5"}
    assert ((places == -1) == (scores == -np.inf)).all() and (places == -1).any()
    places, _ = view.search(read("d1").rows, 400)
    assert not {"d3", "d20"} & {view.names[view.owner[one]] for one in places.ravel() if one >= 0}


@pytest.mark.usefixtures("large")
def test_what_is_added_costs_only_its_own_signs(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.add([read(name) for name in NAMES[:5]])
    store.view().search(read("d1").rows, 3)
    before = store.view().segments[0].signs
    store.add([read(name) for name in NAMES[5:10]])
    view = store.view()
    places, _ = view.search(np.concatenate([read("d1").rows, read("d7").rows]), 1)
    assert view.segments[0].signs is before and len(view.segments) == 2
    assert {view.names[view.owner[one]] for one in places[:, 0]} == {"d1", "d7"}


@pytest.mark.usefixtures("large")
def test_an_empty_library_finds_nothing(tmp_path: Path) -> None:
    places, scores = opened(tmp_path).view().search(read("d1").rows, 3)
    assert (places == -1).all() and (scores == -np.inf).all()


def test_a_documents_passages_come_nearest_first(view: PassageView) -> None:
    own = read("d8")
    places = [(chunk.part, chunk.start, chunk.stop) for chunk in own.passages]
    found = view.nearest_in("d8", own.rows[[2, 1]], 2)
    assert {tuple(one) for one in found} == {places[1], places[2]}
    products = (read("d9").rows[:1] @ own.rows.T).ravel()
    assert [tuple(one) for one in view.nearest_in("d8", read("d9").rows[:1], 99)] == [
        places[n] for n in np.argsort(-products)
    ]


def test_a_document_that_does_not_count_has_no_nearest_passage(view: PassageView) -> None:
    assert view.nearest_in("d3", read("d3").rows, 2) == [] and view.nearest_in("unknown", read("d3").rows, 2) == []
