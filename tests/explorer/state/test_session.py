"""What a visitor chose, and the link that the browser is given."""

from __future__ import annotations

import pytest
from streamlit.runtime.state import QueryParamsProxy

from explorer.state import session
from tests.explorer.conftest import Start


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("late_seconds", "expected"), [(600.0, "50"), (-1.0, "20")])
def test_the_back_button_restores_the_link_of_before(
    app: Start, monkeypatch: pytest.MonkeyPatch, late_seconds: float, expected: str
) -> None:
    """A link of before that comes soon is one that the browser sent too early; later, somebody went back."""
    monkeypatch.setattr(session, "_LATE_SECONDS", late_seconds)
    test = app(example="rewired-random-walk", k="20")
    test.selectbox(key="option-k").set_value(50).run()
    assert test.query_params["k"] == "50"
    test.query_params["k"] = "20"
    test.run()
    assert not test.exception
    assert test.query_params["k"] == expected
    test.selectbox(key="option-k").set_value(10).run()
    assert "k" not in test.query_params


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
