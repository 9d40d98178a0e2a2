"""The documents that a visitor compares, and their corrections."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.explorer.conftest import Start, page_text
from tests.explorer.pages import MARKDOWN, PAIR

pytestmark = pytest.mark.usefixtures("by_hand")


def test_sides_are_swapped_and_changed(compare_page: Start) -> None:
    test = compare_page(**PAIR, cell="s-1-2")
    test.button(key="swap").click().run()
    assert (test.query_params["a"], test.query_params["cell"]) == (PAIR["b"], "s-2-1")
    test.button(key="change-a").click().run()
    assert "a" not in test.query_params
    assert "cell" not in test.query_params
    assert "document similarity" not in page_text(test)


def correct(test: AppTest, place: str, **fields: str) -> AppTest:
    """Open one side's form and change some of its fields."""
    test.button(key=f"correct-{place}").click().run()
    for name, text in fields.items():
        inputs = [*test.text_input, *test.text_area]
        field = next(one for one in inputs if one.key.startswith(f"correct-{place}-") and one.key.endswith(f"-{name}"))
        field.set_value(text).run()
    return test


def test_what_was_read_of_an_upload_is_corrected_before_it_is_compared(compare_page: Start) -> None:
    test = compare_page(a=PAIR["a"])
    test.file_uploader[0].set_value(("walks.md", MARKDOWN, "text/markdown")).run()
    correct(test, "b", title="Tours of graphs", abstract="A tour of a graph.")
    assert "document similarity" not in page_text(test)
    assert "The comparison waits until you use or discard the corrections." in page_text(test)
    opened = next(button for button in test.button if str(button.key).endswith("section-0-open"))
    opened.click().run()
    area = next(one for one in test.text_area if one.label == "Text of section 1")
    area.set_value("We tour each generator evenly.").run()
    test.button(key="use-b").click().run()
    assert not test.exception
    text = page_text(test)
    assert "document similarity" in text and "Tours of graphs" in text and "Walks on graphs" not in text
    held = test.session_state["compared-b"][1].document
    assert (held.abstract, held.sections[0].text) == ("A tour of a graph.", "We tour each generator evenly.")
    assert test.query_params["a"] == PAIR["a"] and test.query_params["b"].startswith("own:")
    again = correct(test, "b")
    assert next(one.value for one in again.text_input if one.key.endswith("-title")) == "Tours of graphs"


def test_corrections_are_discarded(compare_page: Start) -> None:
    test = correct(compare_page(**PAIR, cell="s-1-2"), "a", title="Other")
    assert any(one.value == "Other" for one in test.text_input)
    test.button(key="leave-a").click().run()
    assert "document similarity" in page_text(test) and "Other" not in page_text(test)
    assert (test.query_params["a"], test.query_params["cell"]) == (PAIR["a"], "s-1-2")
    correct(test, "a").button(key="use-a").click().run()  # nothing was changed
    assert (test.query_params["a"], test.query_params["cell"]) == (PAIR["a"], "s-1-2")


def test_both_sides_are_corrected_at_once(compare_page: Start) -> None:
    test = correct(correct(compare_page(**PAIR), "a", title="One"), "b", title="Two")
    assert not test.exception
    test.button(key="use-a").click().run()
    assert "document similarity" not in page_text(test)
    test.button(key="use-b").click().run()
    assert "document similarity" in page_text(test)
    assert all(test.query_params[place].startswith("own:") for place in "ab")
    test.button(key="swap").click().run()
    sides = [test.session_state[f"compared-{place}"][1].document.title for place in ("a", "b")]
    assert sides == ["Two", "One"]


def test_a_form_stays_open_while_the_other_side_is_filled(compare_page: Start) -> None:
    test = correct(compare_page(a=PAIR["a"]), "a", title="Other")
    test.text_area(key="paste-text-b").set_value("Couplings\n\nAbstract\nA coupling of cars.")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert "correcting-a" in test.session_state and "document similarity" not in page_text(test)
    test.button(key="leave-a").click().run()
    correct(test, "b", title="Other")
    test.button(key="leave-b").click().run()
    test.button(key="change-b").click().run()
    assert "correcting-b" not in test.session_state
