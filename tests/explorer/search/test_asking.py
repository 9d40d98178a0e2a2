"""A question that is answered in the background, and what the page shows meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from engine.core.errors import StorageError
from engine.documents import Document
from engine.search import Question, Searcher
from engine.workspace import Workspace
from explorer.search import asking
from explorer.search import asking as waiting
from explorer.search.asking import PendingAnswer
from explorer.state import handles
from tests.explorer.conftest import Start, page_text
from tests.explorer.pages import rows, titles

pytestmark = pytest.mark.usefixtures("folder")
QUESTION = Question(Document("q", "query", abstract="a walk on a graph"))


def test_an_answer_of_another_state_is_not_taken() -> None:
    assert not handles.workspace().is_open("tfidf")
    asking = PendingAnswer(QUESTION, "tfidf")
    asking.wait(60)
    assert asking.is_done and asking.answer is not None
    vectors = handles.workspace().vector_count("tfidf")
    assert asking.found((handles.workspace().state(), vectors)) is asking.answer
    assert asking.found((handles.workspace().state(), vectors - 1)) is None
    assert handles.workspace().is_open("tfidf")


def test_an_answer_takes_the_place_of_a_list_that_nobody_touches_or_that_asks_for_it() -> None:
    asking = PendingAnswer(QUESTION, "tfidf")
    asking.wait(60)
    assert asking.may_show
    asking.is_touched = True
    assert not asking.may_show
    asking.is_wanted = True
    assert asking.may_show


def test_a_list_stays_longer_for_another_one_of_its_document_than_an_empty_page_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_SECONDS", 0.1)
    long = replace(QUESTION, document=Document("l", "paper", "Walks", "A walk on a graph. " * 99))
    patience = [waiting._patience(one, is_listed=listed) for listed in (False, True) for one in (long, QUESTION)]
    assert patience == [0.1, 0.2, 1.0, 1.0]
    assert waiting._patience(replace(QUESTION, liked=("p1",)), is_listed=False) is None


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Searchers open only once this is set, and pages wait for none of them."""
    opens, opened = threading.Event(), Workspace.searcher

    def searcher(self: Workspace, name: str) -> Searcher:
        assert opens.wait(60)
        return opened(self, name)

    monkeypatch.setattr(Workspace, "searcher", searcher)
    monkeypatch.setattr(asking, "PATIENCE_SECONDS", 0)
    yield opens
    opens.set()


def _on_its_way(test: AppTest) -> PendingAnswer:
    held = test.session_state["asking"]
    assert isinstance(held, PendingAnswer)
    return held


def _answered(test: AppTest, gate: threading.Event) -> AppTest:
    held = _on_its_way(test)
    gate.set()
    held.wait(60)
    return test.run()


def test_words_come_first_and_the_answer_takes_their_place(app: Start, gate: threading.Event) -> None:
    test = app(example="rewired-random-walk")
    assert not test.exception
    first = titles(test)
    assert "Cover times of random walks" in first
    assert all("Shared" in row and "ps-hit-near" not in row for row in rows(test))
    assert "What is near in meaning comes next" in page_text(test)
    _answered(test, gate)
    assert not test.exception
    assert titles(test) and all("ps-hit-near" in row for row in rows(test))
    assert "asking" not in test.session_state


def test_a_list_that_a_hand_is_in_stays_until_the_answer_is_asked_for(app: Start, gate: threading.Event) -> None:
    test = app(example="rewired-random-walk")
    before = rows(test)
    _on_its_way(test).is_touched = True
    _answered(test, gate)
    assert rows(test) == before
    assert "The meaning is read: " in page_text(test)
    test.button(key="show-answer").click().run()
    assert all("ps-hit-near" in row for row in rows(test))


@pytest.mark.parametrize("link", [{"rank": "encoder"}, {"like": "p3"}])
def test_where_words_say_too_little_the_page_says_what_it_waits_for(
    app: Start, gate: threading.Event, link: dict[str, str]
) -> None:
    test = app(example="rewired-random-walk", **link)
    assert titles(test) == []
    assert "What is near in meaning comes next" in page_text(test)
    assert "oading the encoder" in page_text(test)
    assert titles(_answered(test, gate))


def test_what_goes_wrong_meanwhile_is_said(app: Start, gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Workspace, name: str) -> Searcher:
        assert gate.wait(60)
        raise StorageError("Expected vectors as they were written, found other bytes. Encode the library again.")

    monkeypatch.setattr(Workspace, "searcher", fail)
    test = app(example="rewired-random-walk")
    assert titles(test)
    _answered(test, gate)
    assert not test.exception
    assert "found other bytes" in page_text(test)
