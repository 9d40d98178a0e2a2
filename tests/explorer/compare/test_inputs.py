"""The two documents of a comparison: files, texts, and what the library holds."""

from __future__ import annotations

import pytest

from engine.workspace import is_key
from explorer.state.examples import every_example
from tests.explorer.compare.pages import MARKDOWN, PAIR
from tests.explorer.conftest import Start, page_html, page_text

pytestmark = pytest.mark.usefixtures("by_hand")


def test_a_bad_file_keeps_the_other_side(compare_page: Start) -> None:
    test = compare_page(a=PAIR["a"])
    test.file_uploader[0].set_value(("scan.pdf", b"\x00\x01\x02 not a pdf", "application/pdf")).run()
    assert not test.exception
    assert "ps-notice ps-problem" in page_html(test)
    assert every_example()["car-coupling"].title in page_text(test)
    test.run()
    assert "ps-notice ps-problem" in page_html(test)
    test.file_uploader[0].set_value(("walks.md", MARKDOWN, "text/markdown")).run()
    assert "document similarity" in page_text(test)
    assert "ps-notice ps-problem" not in page_html(test)
    assert is_key(test.query_params["b"].removeprefix("own:"))  # no word of an upload stands in a link


def test_a_file_without_a_title_goes_by_its_name(compare_page: Start) -> None:
    test = compare_page(a=PAIR["a"])
    file = ("own draft.md", b"## Method\n\nWe walk on a graph.\n", "text/markdown")
    test.file_uploader[0].set_value(file).run()
    assert not test.exception
    assert "own draft.md</h2>" in page_html(test)


def test_a_pasted_text_is_compared(compare_page: Start) -> None:
    test = compare_page(a=PAIR["a"])
    test.text_area(key="paste-text-b").set_value("Couplings\n\nAbstract\nA coupling of cars.")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    assert "document similarity" in page_text(test)
    assert is_key(test.query_params["b"].removeprefix("own:"))


def test_nothing_pasted_is_said(compare_page: Start) -> None:
    test = compare_page(a=PAIR["a"])
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    assert "ps-notice ps-problem" in page_html(test)


@pytest.mark.usefixtures("folder")
def test_library_documents_are_picked_by_title_and_by_id(compare_page: Start) -> None:
    test = compare_page()
    test.text_input(key="pick-words-a").set_value("random walks").run()
    test.button(key="pick-a-p1").click().run()
    test.text_input(key="pick-words-b").set_value("US1").run()
    test.button(key="pick-b-US1").click().run()
    assert not test.exception
    assert (test.query_params["a"], test.query_params["b"]) == ("library:p1", "library:US1")
    assert "document similarity" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_words_that_no_title_holds_are_said(compare_page: Start) -> None:
    test = compare_page()
    test.text_input(key="pick-words-a").set_value("zeppelin").run()
    assert "No title holds all of these words" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_a_document_that_is_only_an_abstract_says_so_and_takes_its_whole_text(compare_page: Start) -> None:
    said = "Only its abstract is here"
    assert said not in page_text(compare_page(a="library:p1", b="library:US1"))  # a section, and claims
    test = compare_page(a="library:p1", b="library:p2")
    assert page_text(test).count(said) == 1
    (upload,) = test.file_uploader
    upload.set_value(("walks.md", MARKDOWN, "text/markdown")).run()
    assert not test.exception
    assert said not in page_text(test)
    assert test.query_params["a"] == "library:p1" and test.query_params["b"].startswith("own:")
