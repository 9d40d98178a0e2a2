"""The compare page as its visitor uses it: how documents are brought, and what is left out."""

from __future__ import annotations

import pytest

from engine.workspace import is_key
from explorer.state.examples import EXAMPLE_PAIRS, every_example
from tests.explorer.conftest import Start, page_html, page_text
from tests.explorer.pages import MARKDOWN, PAIR, charts, choose, rows

pytestmark = pytest.mark.usefixtures("by_hand")


def test_an_example_pair_is_compared_without_a_library(compare_page: Start) -> None:
    test = compare_page()
    assert "Pick from the library" not in [tab.label for tab in test.tabs]
    test.button(key=f"pair-{EXAMPLE_PAIRS[0].first}").click().run()
    assert not test.exception
    assert "document similarity" in page_text(test)
    assert "Closer than 97 % of" in page_text(test)
    assert len(charts(test)) == 2
    assert test.query_params["a"] == f"example:{EXAMPLE_PAIRS[0].first}"
    assert test.query_params["b"] == f"example:{EXAMPLE_PAIRS[0].second}"


def test_the_link_restores_documents_cell_and_what_is_left_out(compare_page: Start) -> None:
    link = {**PAIR, "cell": "s-1-2", "keep": "references", "words": "7", "matrix": "attention"}
    test = compare_page(**link)
    assert not test.exception
    assert {key: test.query_params[key] for key in link} == link
    assert not test.checkbox(key="leave-references").value
    assert test.slider(key="leave-short").value == 7
    assert [[trace["type"] for trace in chart["data"]] for chart in charts(test)] == [["heatmap"]] * 2  # type: ignore[attr-defined]


def test_a_cell_that_is_not_there_is_left_out_of_the_picture(compare_page: Start) -> None:
    test = compare_page(**PAIR, cell="c-900-900")
    assert not test.exception
    assert "document similarity" in page_text(test)


def test_a_document_that_cannot_be_had_is_said_and_its_side_is_free(compare_page: Start) -> None:
    for link, sentence in (({"a": "library:gone"}, "gone"), ({"b": "example:gone"}, "Expected the name of an example")):
        test = compare_page(**{**PAIR, **link})
        assert not test.exception
        assert sentence in page_text(test)
        assert len(test.file_uploader) == 1
        assert "document similarity" not in page_text(test)


@pytest.mark.usefixtures("folder")
def test_every_hit_can_be_compared_with_the_query(app: Start) -> None:
    test = app(example="rewired-random-walk")
    assert len(rows(test)) > 1
    for id_ in ("p2", "p1"):
        assert choose(test, id_).button(key=f"compare-{id_}").label == "Compare"
    test.button(key="compare-p1").click().run()
    assert not test.exception
    assert "document similarity" in page_text(test)
    assert (test.query_params["a"], test.query_params["b"]) == ("example:rewired-random-walk", "library:p1")


def test_the_heatmaps_show_other_matrices(compare_page: Start) -> None:
    test = compare_page(**PAIR)
    for matrix in ("within_a", "within_b", "attention", "attention_back"):
        test.selectbox(key="compare-matrix").select(matrix).run()
        assert not test.exception, matrix
        assert len(charts(test)) == 2
        assert test.query_params["matrix"] == matrix


def test_one_document_alone_is_shown_within_itself(compare_page: Start) -> None:
    test = compare_page(a=PAIR["a"])
    assert not test.exception
    assert "Within this document" in page_text(test) and "document similarity" not in page_text(test)
    assert len(charts(test)) == 2
    assert test.selectbox(key="compare-matrix").options == ["Similarity", "Attention"]


def test_what_the_other_lacks_is_counted(compare_page: Start) -> None:
    text = page_text(compare_page(**PAIR))
    assert "Not in the other: 28 % of the words of the first, 25 % of the second." in text
    assert "two versions of one text" not in text


def test_a_third_document_is_asked_for_on_request(compare_page: Start) -> None:
    test = compare_page(**PAIR)
    assert not test.file_uploader
    test.button(key="add-third").click().run()
    assert not test.exception
    assert len(test.file_uploader) == 1 and "document similarity" in page_text(test)


def test_what_is_left_out_changes_the_numbers_and_is_counted(compare_page: Start) -> None:
    test = compare_page(**PAIR)
    before = charts(test)[0]["data"][0]["z"]  # type: ignore[index]
    assert "1 as references" in page_text(test)
    assert "2 as too short" in page_text(test)
    test.checkbox(key="leave-references").uncheck().run()
    assert charts(test)[0]["data"][0]["z"] != before  # type: ignore[index]
    assert test.query_params["keep"] == "references"
    test.slider(key="leave-short").set_value(9).run()
    assert test.query_params["words"] == "9"


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
