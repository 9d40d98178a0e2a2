"""What the Search page shows while the meaning of a text is still being read."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from engine.core.errors import StorageError
from engine.search import Searcher
from explorer.search import asking
from explorer.search.asking import Asking
from explorer.state import handles
from tests.explorer.conftest import Start, page_text
from tests.explorer.search.hits import rows, titles

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Searchers open only once this is set, and pages wait for none of them."""
    opens, opened = threading.Event(), handles.searcher

    def searcher(name: str) -> Searcher:
        assert opens.wait(60)
        return opened(name)

    monkeypatch.setattr(handles, "searcher", searcher)
    monkeypatch.setattr(asking, "PATIENCE_SECONDS", 0)
    yield opens
    opens.set()


def _on_its_way(test: AppTest) -> Asking:
    held = test.session_state["asking"]
    assert isinstance(held, Asking)
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
    def fail(name: str) -> Searcher:
        assert gate.wait(60)
        raise StorageError("Expected vectors as they were written, found other bytes. Encode the library again.")

    monkeypatch.setattr(handles, "searcher", fail)
    test = app(example="rewired-random-walk")
    assert titles(test)
    _answered(test, gate)
    assert not test.exception
    assert "found other bytes" in page_text(test)
