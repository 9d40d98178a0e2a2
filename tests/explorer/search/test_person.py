"""A question that is only a person's name shows that person's documents first."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.explorer.conftest import Start, page_html, page_text
from tests.explorer.search.hits import rows, titles

pytestmark = pytest.mark.usefixtures("folder")


def _asked(app: Start, text: str, **link: str) -> AppTest:
    test = app(**link)
    test.text_area(key="paste-text").set_value(text)
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    return test


def test_a_name_gives_the_person_s_documents_and_can_still_be_asked(app: Start) -> None:
    test = _asked(app, "Lovelace, A.")
    assert "One document of your library is by “Lovelace, A.”." in page_text(test)
    assert titles(test) == ["Cover times of random walks"]
    assert "<mark>Ada Lovelace</mark><span>, Grace Hopper</span>" in rows(test)[0]
    assert "as" not in test.query_params and "Lovelace" not in str(dict(test.query_params))
    test.button(key="switch-person").click().run()
    assert not test.exception and test.query_params["as"] == "question"
    assert "No document holds any of these words: lovelace" in page_text(test)
    again = app(own=test.query_params["own"], **{"as": "question"})
    assert "No document holds any of these words: lovelace" in page_text(again)
    again.button(key="switch-person").click().run()
    assert titles(again) == ["Cover times of random walks"]


def test_a_document_of_the_person_is_the_next_question(app: Start) -> None:
    test = _asked(app, "Grace Hopper")
    test.button(key="near-p1").click().run()
    assert not test.exception
    assert test.query_params["doc"] == "p1" and "ps-hit-near" in page_html(test)


def test_another_question_is_asked_as_ever(app: Start) -> None:
    test = _asked(app, "Random Walks")
    assert "by “Random Walks”" not in page_text(test)
    assert "ps-hit-near" in page_html(test)


def test_filters_limit_the_person_s_documents(app: Start) -> None:
    test = _asked(app, "Ada Lovelace", to="2010")
    assert "by “Ada Lovelace”" not in page_text(test)
