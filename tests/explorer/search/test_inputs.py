"""The query of the search page: an example, a text, a file or a document of the library."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.explorer.conftest import Start, example_names, page_html
from tests.explorer.search.hits import titles


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", example_names())
def test_the_link_restores_each_example(app: Start, name: str) -> None:
    test = app(example=name)
    assert not test.exception
    assert titles(test)


@pytest.mark.usefixtures("folder")
def test_a_pasted_question_is_searched_at_once_under_its_own_words(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("How long does a random walk on a graph need?")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    assert titles(test)
    html = page_html(test)
    assert '<h2 class="ps-title">How long does a random walk on a graph need?</h2>' in html
    assert "In your text" in html and "In your document" not in html
    test.button(key="correct").click().run()
    assert test.button_group(key=_kind_key(test)).value == "query"


def _kind_key(test: AppTest) -> str:
    return next(str(group.key) for group in test.button_group if str(group.key).endswith("-kind"))


@pytest.mark.usefixtures("folder")
def test_a_short_text_stands_in_the_link(app: Start) -> None:
    test = app(text="random walk on a graph")
    assert not test.exception
    assert titles(test)
    assert test.query_params["text"] == "random walk on a graph"


@pytest.mark.usefixtures("folder")
def test_nothing_to_read_is_said_and_the_page_lives_on(app: Start) -> None:
    test = app()
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    assert "ps-notice ps-problem" in page_html(test)
    assert "Or try an example" in [heading.value for heading in test.header]
