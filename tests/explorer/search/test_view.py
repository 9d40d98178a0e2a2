"""The search page as its visitor uses it."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st

from engine.library import Filters, Library
from engine.library.listing import Facets
from explorer.shared import options
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
@pytest.mark.parametrize("link", [{}, {"kind": "paper"}])
def test_the_filters_count_once_the_results_stand(
    app: Start, monkeypatch: pytest.MonkeyPatch, link: dict[str, str]
) -> None:
    counted: list[bool] = []
    count = Library.facets

    def facets(library: Library, filters: Filters | None = None) -> Facets:
        counted.append("answer" in st.session_state)
        return count(library, filters)

    monkeypatch.setattr(Library, "facets", facets)
    test = app(example="rewired-random-walk", **link)
    assert not test.exception and counted == [True]


def drawings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A one for each time that the page's options are drawn from now on."""
    drawn: list[int] = []
    begin = options.begin_options

    def begin_options() -> object:
        drawn.append(1)
        return begin()

    monkeypatch.setattr(options, "begin_options", begin_options)
    return drawn


@pytest.mark.usefixtures("folder")
def test_a_pasted_question_is_answered_in_one_drawing(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    test, drawn = app(), drawings(monkeypatch)
    test.text_area(key="paste-text").set_value("How does a lazy walk mix on a graph?")
    test.button(key="paste-read").click().run()
    assert test.title[0].value == "What lies near" and drawn == [1]


@pytest.mark.usefixtures("folder")
def test_a_text_that_cannot_be_read_is_told_of_once(app: Start) -> None:
    test = app()
    test.button(key="paste-read").click().run()
    assert 'role="alert"' in page_html(test)
    test.run()
    assert 'role="alert"' not in page_html(test)


@pytest.mark.usefixtures("folder")
def test_a_checked_document_is_asked_with_its_last_correction_in_one_drawing(
    app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Walks of graphs\n\nAbstract\nHow long does a random walk need?")
    test.button(key="paste-read").click().run()
    drawn = drawings(monkeypatch)
    next(field for field in test.text_input if field.label == "Title").set_value("Tours of graphs")
    test.button(key="ask").click().run()
    assert not test.exception
    assert test.title[0].value == "What lies near" and drawn == [1]
    assert "Tours of graphs" in page_text(test) and "Walks of graphs" not in page_text(test)
