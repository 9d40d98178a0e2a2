"""A question that is answered in the background."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.documents import Document
from engine.search import Question
from explorer.search import asking as waiting
from explorer.search.asking import Asking
from explorer.state import handles

pytestmark = pytest.mark.usefixtures("folder")
QUESTION = Question(Document("q", "query", abstract="a walk on a graph"))


def test_an_answer_of_another_state_is_not_taken() -> None:
    assert not handles.is_open("tfidf")
    asking = Asking(QUESTION, "tfidf")
    asking.wait(60)
    assert asking.is_done and asking.answer is not None
    vectors = handles.vector_count("tfidf")
    assert asking.found((handles.library_state(), vectors)) is asking.answer
    assert asking.found((handles.library_state(), vectors - 1)) is None
    assert handles.is_open("tfidf")


def test_an_answer_takes_the_place_of_a_list_that_nobody_touches_or_that_asks_for_it() -> None:
    asking = Asking(QUESTION, "tfidf")
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
