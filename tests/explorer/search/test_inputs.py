"""The query of the search page: an example, a text, a file or a document of the library."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.documents import Document, Identifier
from engine.library import Library
from tests.explorer.conftest import Start, example_names, page_html, page_text
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


@pytest.fixture
def numbered(folder: Path) -> None:
    """The library holds a patent and a paper under their numbers."""
    with Library.open(folder) as library:
        paper = Document("ours", title="Knots in ropes", identifiers=(Identifier("doi", "10.1000/Knots.1"),))
        library.add_file("numbered", "numbered", [paper, Document("US8930553B2", "patent", "A pump with two seals")])


@pytest.mark.usefixtures("numbered")
@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("https://doi.org/10.1000/knots.1", "ours"),
        ("US 8,930,553 B2", "US8930553B2"),
        ("8,930,553", "US8930553B2"),
        ("https://patents.google.com/patent/US8930553B2/en", "US8930553B2"),
    ],
)
def test_a_number_asks_with_the_library_s_document(app: Start, typed: str, found: str) -> None:
    test = app()
    test.text_area(key="paste-text").set_value(typed)
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    assert test.query_params["doc"] == found


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("Cover times of random walks", "p1"),
        (" COVER TIMES of Random Walks. ", "p1"),
        ("Cover times", None),  # a part of it is a question
        ("Cover times of random walks on other graphs", None),
    ],
)
def test_the_whole_title_of_a_paper_asks_with_it(app: Start, typed: str, found: str | None) -> None:
    test = app()
    test.text_area(key="paste-text").set_value(typed)
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    assert (test.query_params["doc"] if "doc" in test.query_params else None) == found


@pytest.mark.usefixtures("folder")
def test_a_number_that_the_library_lacks_is_told_with_what_to_bring(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("arXiv:2101.12345v2")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert "got the arXiv number 2101.12345v2, which none of them has. Bring the document itself" in page_html(test)


def _kind_key(test: AppTest) -> str:
    return next(str(group.key) for group in test.button_group if str(group.key).endswith("-kind"))


@pytest.mark.usefixtures("folder")
def test_the_text_of_an_old_link_is_searched_with_and_named_by_its_key(app: Start) -> None:
    test = app(text="random walk on a graph")
    assert not test.exception
    found = titles(test)
    assert found and "could not be restored" not in page_text(test)
    assert "text" not in test.query_params
    again = app(own=test.query_params["own"])
    assert not again.exception and titles(again) == found


@pytest.mark.usefixtures("folder")
def test_nothing_to_read_is_said_and_the_page_lives_on(app: Start) -> None:
    test = app()
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    assert "ps-notice ps-problem" in page_html(test)
    assert "Or try an example" in [heading.value for heading in test.header]
