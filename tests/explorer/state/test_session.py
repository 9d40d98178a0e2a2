"""What a visitor chose, and the link that the browser is given."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.runtime.state import QueryParamsProxy
from streamlit.testing.v1 import AppTest

from engine.library import default_library
from engine.workspace import change_keeping
from explorer.state import session
from explorer.state.visit import Choice, ChosenPair, Visit
from tests.explorer.conftest import Start, page_text


@pytest.fixture
def back(monkeypatch: pytest.MonkeyPatch) -> Callable[[AppTest, dict[str, str]], AppTest]:
    """Goes back in the browser to a link."""

    def go(test: AppTest, link: dict[str, str]) -> AppTest:
        for key in [key for key in test.query_params if key not in link]:
            del test.query_params[key]
        for key, value in link.items():
            test.query_params[key] = value
        page = session._page
        with monkeypatch.context() as patched:
            patched.setattr(session, "_page", lambda: (page()[0], True))
            test.run()
        assert not test.exception
        return test

    return go


Back = Callable[[AppTest, dict[str, str]], AppTest]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("goes_back", "expected"), [(False, "50"), (True, "20")])
def test_the_back_button_restores_the_link_of_before(app: Start, back: Back, goes_back: bool, expected: str) -> None:
    """The browser may send the link of before because the new one has not reached it yet."""
    test = app(example="rewired-random-walk", k="20")
    test.selectbox(key="option-k").set_value(50).run()
    assert test.query_params["k"] == "50"
    if goes_back:
        back(test, {"encoder": "tfidf", "example": "rewired-random-walk", "k": "20"})
    else:
        test.query_params["k"] = "20"
        test.run()
    assert test.query_params["k"] == expected
    test.selectbox(key="option-k").set_value(10).run()
    assert "k" not in test.query_params


@pytest.mark.usefixtures("folder")
def test_back_to_an_empty_link_takes_the_question_away_and_forward_brings_it(app: Start, back: Back) -> None:
    test = app()
    question = "How does a lazy walk mix on a graph?"
    test.text_area(key="paste-text").set_value(question)
    test.button(key="paste-read").click().run()
    link = {key: test.query_params[key] for key in test.query_params}
    assert "own" in link and question in page_text(test)
    assert test.title[0].value == "What lies near"
    back(test, {"encoder": "tfidf"})
    assert test.title[0].value == "What lies near your document?"
    back(test, link)
    assert test.title[0].value == "What lies near" and question in page_text(test)


@pytest.mark.usefixtures("folder")
def test_back_does_not_lose_a_text_that_is_not_kept(app: Start, back: Back) -> None:
    change_keeping(default_library(), remember=False)
    test = app()
    question = "How does a lazy walk mix on a graph?"
    test.text_area(key="paste-text").set_value(question)
    test.button(key="paste-read").click().run()
    test.selectbox(key="option-k").set_value(20).run()
    back(test, {"encoder": "tfidf"})
    assert question in page_text(test)


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (Visit(), Visit(origin="own", query="k"), False),
        (Visit(origin="own", query="k"), Visit(), True),
        (Visit(liked=("p1",)), Visit(), True),
        (Visit(), Visit(checking="k"), True),
        (Visit(checking="k"), Visit(), True),
        (Visit(), Visit(k=20), False),
        (
            Visit(pair=ChosenPair(Choice("own", "a"), Choice("own", "b"))),
            Visit(pair=ChosenPair(Choice("own", "a"))),
            True,
        ),
        (
            Visit(pair=ChosenPair(Choice("own", "a"))),
            Visit(pair=ChosenPair(Choice("own", "a"), Choice("own", "b"))),
            False,
        ),
    ],
)
def test_a_step_that_only_leads_to_the_next_is_passing(before: Visit, now: Visit, expected: bool) -> None:
    assert session._is_passing(before, now) is expected


@pytest.mark.usefixtures("folder")
def test_a_choice_taken_back_before_its_link_arrived_stands_in_the_link(
    app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser sends the link that it shows; one that is still on its way to it would arrive last and stay."""
    sent: list[dict[str, list[str]]] = []
    send = QueryParamsProxy.from_dict

    def remember(proxy: QueryParamsProxy, link: dict[str, list[str]]) -> None:
        sent.append(link)
        send(proxy, link)

    monkeypatch.setattr(QueryParamsProxy, "from_dict", remember)
    test = app(example="rewired-random-walk", k="20")
    assert sent == []
    test.selectbox(key="option-k").set_value(50).run()
    test.query_params["k"] = "20"
    test.selectbox(key="option-k").set_value(20).run()
    assert not test.exception
    assert [link["k"] for link in sent] == [["50"], ["20"]]
    test.run()
    assert len(sent) == 2
