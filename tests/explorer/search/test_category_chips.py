"""A hit's categories are buttons that filter the list."""

from __future__ import annotations

import dataclasses

import pytest
from streamlit.testing.v1 import AppTest

from explorer.state.link_values import MAX_LISTED
from tests.explorer.conftest import HOSTILE, Start
from tests.explorer.search.hits import choose, rows, titles

pytestmark = pytest.mark.usefixtures("folder")


def _press(test: AppTest, number: int) -> AppTest:
    test.button(key=f"hit-category-{number}").click().run()
    assert not test.exception
    return test


def test_a_category_filters_the_list_and_a_second_press_takes_the_filter_away(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p1")
    everything = titles(test)
    assert len(everything) > 1
    assert [test.button(key=f"hit-category-{number}").label for number in (0, 1)] == ["math.PR", "cs.DM"]
    assert test.button(key="hit-category-0").help == "list only documents of this category"
    _press(test, 0)
    assert titles(test) == ["Cover times of random walks"]
    assert test.query_params["category"] == "math.PR" and test.query_params["hit"] == "p1"
    assert test.multiselect(key="option-categories").value == ["math.PR"]
    assert test.button(key="hit-category-0").help == "take this category out of the filters"
    assert test.button(key="hit-category-1").help == "list documents of this category, too"
    _press(test, 0)
    assert titles(test) == everything and "category" not in test.query_params


def test_what_the_filter_at_the_side_chose_shows_on_the_hit(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p1")
    test.multiselect(key="option-categories").set_value(["cs.DM"]).run()
    assert test.button(key="hit-category-1").help == "take this category out of the filters"
    assert len(rows(_press(test, 1))) > 1


def test_a_full_filter_says_why_no_category_can_be_added(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p1")
    visit = test.session_state["visit"]
    full = frozenset(["cs.DM", *(f"c{number}" for number in range(MAX_LISTED - 1))])
    test.session_state["visit"] = dataclasses.replace(
        visit, filters=dataclasses.replace(visit.filters, categories=full)
    )
    test.run()
    assert test.button(key="hit-category-0").disabled and "take one out" in test.button(key="hit-category-0").help
    assert not test.button(key="hit-category-1").disabled


def test_a_document_without_categories_has_no_buttons_and_a_hostile_one_stays_text(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p2")
    assert not [button for button in test.button if str(button.key).startswith("hit-category")]
    choose(test, "p4")
    assert test.button(key="hit-category-0").label != HOSTILE
    _press(test, 0)
    assert len(rows(test)) == 1


def test_a_person_s_document_filters_that_person_s_documents(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Grace Hopper")
    next(button for button in test.button if button.label == "Read this text").click().run()
    _press(test, 1)
    assert test.query_params["category"] == "cs.DM" and titles(test) == ["Cover times of random walks"]
