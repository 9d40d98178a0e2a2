"""The form in which a document is corrected before it is searched with."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from engine.documents import Document
from explorer.shared.document_form import _listed, _with_claims
from tests.explorer.conftest import Start, page_text
from tests.explorer.pages import titles


@pytest.mark.usefixtures("folder")
def test_a_pasted_text_is_shown_for_correction_and_then_searched(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Cover times\n\nAbstract\nHow long does a random walk on a graph need?")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    title = next(field for field in test.text_input if field.label == "Title")
    title.set_value("A corrected title of walks").run()
    test.button(key="ask").click().run()
    assert not test.exception
    assert "A corrected title of walks" in page_text(test)
    assert titles(test)
    assert "The link names yours by a key alone" in page_text(test)
    again = app(own=test.query_params["own"])
    assert "A corrected title of walks" in page_text(again) and titles(again) == titles(test)


@pytest.mark.usefixtures("folder")
def test_sections_can_be_corrected_removed_and_added(app: Start) -> None:
    test = app(example="rewired-random-walk")
    test.button(key="correct").click().run()
    names = [field.value for field in test.text_input if field.label.startswith("Title of section")]
    assert names[:2] == ["Introduction", "The model"]
    next(button for button in test.button if button.label == "Remove").click().run()
    next(button for button in test.button if button.label == "Add a section").click().run()
    assert not test.exception
    after = [field.value for field in test.text_input if field.label.startswith("Title of section")]
    assert after == [*names[1:], ""]
    text = next(field for field in test.text_area if field.label.startswith("Text of section"))
    text.set_value("Rotons in superfluid helium").run()
    test.button(key="ask").click().run()
    assert "Rotons in helium" in titles(test)


@pytest.mark.usefixtures("folder")
def test_the_list_of_sections_stays_where_a_section_came_or_went(app: Start) -> None:
    test = app()
    sections = "".join(f"## Part {number}\n\nWe walk on graph {number}.\n\n" for number in range(1, 25))
    test.file_uploader[0].set_value(("walks.md", f"# Walks\n\n{sections}".encode(), "text/markdown")).run()
    assert shown_sections(test) == [f"Part {number}" for number in range(1, 13)]
    next(button for button in test.button if button.label == "Add a section").click().run()
    assert shown_sections(test) == [""]
    assert [field.label for field in test.text_area if field.label.startswith("Text of")] == ["Text of section 25"]
    next(button for button in test.button if button.label == "Remove").click().run()
    assert shown_sections(test) == [f"Part {number}" for number in range(13, 25)]
    next(button for button in test.button if button.label == "Remove").click().run()
    assert shown_sections(test) == [f"Part {number}" for number in range(14, 25)]
    assert not test.exception


def shown_sections(test: AppTest) -> list[str]:
    return [field.value for field in test.text_input if field.label.startswith("Title of section")]


def test_the_form_keeps_the_places_of_cancelled_claims() -> None:
    document = Document("x", "patent", claims=("", "A hook.", "The hook of claim 2."))
    shown = _listed(document.claims)
    assert shown == "(canceled)\n\nA hook.\n\nThe hook of claim 2."
    assert _with_claims(shown.replace("hook.", "bolt."))(document).claims == ("", "A bolt.", "The hook of claim 2.")


def test_a_claim_of_several_paragraphs_stays_one_in_the_form() -> None:
    shown = _listed(("A hook having:\n\na shank; and\n \na barb.", "The hook of claim 1."))
    assert _with_claims(shown)(Document("x")).claims == (
        "A hook having:\na shank; and\na barb.",
        "The hook of claim 1.",
    )
    assert _with_claims("A hook.\n  \nA bolt.")(Document("x")).claims == ("A hook.", "A bolt.")
