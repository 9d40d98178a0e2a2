"""The search page as its visitor uses it."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.runtime.state import QueryParamsProxy

from explorer.state import session
from tests.explorer.conftest import HOSTILE, Start, page_html, page_text


def test_an_empty_library_names_the_next_step(empty_folder: Path, app: Start) -> None:
    test = app()
    assert not test.exception
    assert "Your library is empty" in page_text(test)
    assert "Go to the library" in [button.label for button in test.button]


@pytest.mark.usefixtures("folder")
def test_hostile_text_of_a_document_stays_text(app: Start) -> None:
    test = app(doc="p4")
    assert not test.exception
    html = page_html(test)
    assert "<script" not in html
    assert "<img" not in html
    assert HOSTILE in page_text(test)
    markdown = " ".join(str(block.value) for block in [*test.markdown, *test.caption, *test.title, *test.header])
    assert "alert(" not in markdown


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "link",
    [
        {"doc": "<script>"},
        {"doc": "nothing-of-this-id"},
        {"example": "../../etc/passwd"},
        {"rank": "sideways", "k": "-3", "kind": "novel", "from": "x", "like": "stranger", "encoder": "pickle"},
    ],
)
def test_a_hostile_link_leaves_the_page_alive(app: Start, link: dict[str, str]) -> None:
    test = app(**link)
    assert not test.exception
    assert "Or try an example" in [heading.value for heading in test.header]


@pytest.mark.usefixtures("folder")
def test_every_widget_has_a_label(app: Start) -> None:
    for test in (app(), app(example="car-coupling")):
        widgets = [*test.button, *test.text_input, *test.text_area, *test.selectbox, *test.multiselect, *test.slider]
        assert [widget for widget in widgets if not widget.label.strip()] == []


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
