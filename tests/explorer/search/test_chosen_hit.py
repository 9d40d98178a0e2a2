"""The chosen hit: how near, why, and its categories and shared terms, which are buttons."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from engine.documents import Document
from engine.search import Result
from engine.search.evidence.explain import Evidence
from engine.search.readings import Quoted
from explorer.search.chosen_hit import near_lines
from explorer.state.links import MAX_LISTED
from tests.explorer.conftest import HOSTILE, Start, page_html, page_text
from tests.explorer.pages import choose, rows, titles
from tests.made_readings import READ


def test_a_passage_that_says_most_of_the_question_is_told_below_the_word() -> None:
    found = Result(1, Document("d"), READ, {}, Evidence(quoted=Quoted(12, 13)))
    said = "A passage of it says most of your text: 12 of its 13 telling words."
    assert near_lines(found).endswith(f'<p class="ps-score">{said}</p>')
    assert "telling" not in near_lines(replace(found, evidence=Evidence()))


@pytest.mark.usefixtures("folder")
def test_each_hit_has_its_own_details_and_buttons(app: Start) -> None:
    test = app(example="rewired-random-walk")
    for id_ in ("p2", "p1"):
        choose(test, id_)
        assert not test.exception
        keys = {str(button.key) for button in test.button}
        assert {f"like-{id_}", f"dislike-{id_}", f"compare-{id_}"} <= keys
        assert not keys & {f"like-{other}" for other in ("p1", "p2", "p3") if other != id_}
    assert "Annals of Walks" in page_text(test) and "Ada Lovelace" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_what_was_steered_by_offers_to_be_taken_out_in_place_of_being_judged(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p2")
    assert [one for one in test.get("button_group") if one.key == "judge-p2"]
    test.button(key="like-p2").click().run()
    assert not test.exception and "You asked for more like this" in page_text(test)
    assert not [one for one in test.get("button_group") if one.key == "judge-p2"]
    test.button(key="like-p2").click().run()
    assert "like" not in test.query_params and "You asked for more" not in page_text(test)


def _press(test: AppTest, number: int) -> AppTest:
    test.button(key=f"hit-category-{number}").click().run()
    assert not test.exception
    return test


@pytest.mark.usefixtures("folder")
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


@pytest.mark.usefixtures("folder")
def test_what_the_filter_at_the_side_chose_shows_on_the_hit(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p1")
    test.multiselect(key="option-categories").set_value(["cs.DM"]).run()
    assert test.button(key="hit-category-1").help == "take this category out of the filters"
    assert len(rows(_press(test, 1))) > 1


@pytest.mark.usefixtures("folder")
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


@pytest.mark.usefixtures("folder")
def test_a_document_without_categories_has_no_buttons_and_a_hostile_one_stays_text(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p2")
    assert not [button for button in test.button if str(button.key).startswith("hit-category")]
    choose(test, "p4")
    assert test.button(key="hit-category-0").label != HOSTILE
    _press(test, 0)
    assert len(rows(test)) == 1


@pytest.mark.usefixtures("folder")
def test_a_person_s_document_filters_that_person_s_documents(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Grace Hopper")
    next(button for button in test.button if button.label == "Read this text").click().run()
    _press(test, 1)
    assert test.query_params["category"] == "cs.DM" and titles(test) == ["Cover times of random walks"]


@pytest.mark.usefixtures("folder")
def test_a_shared_term_is_stressed_and_a_second_press_stresses_it_no_longer(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p1")
    terms = [button for button in test.button if str(button.key).startswith("hit-term-")]
    assert 0 < len(terms) <= 8 and "Shared terms" in page_text(test)
    key, text = str(terms[0].key), terms[0].label
    assert test.button(key=key).help == "stress it, so that near documents that say it come further up"
    test.button(key=key).click().run()
    assert not test.exception
    assert test.query_params["stress"] == text and test.query_params["hit"] == "p1"
    assert f"Says: {text}" in page_text(test)
    assert (test.button(key=key).label, test.button(key=key).help) == (text, "stress it no longer")
    test.button(key=key).click().run()
    assert "stress" not in test.query_params


@pytest.mark.usefixtures("folder")
def test_where_only_meaning_ranks_shared_terms_are_no_buttons(app: Start) -> None:
    test = choose(app(example="rewired-random-walk", rank="encoder", encoder="tfidf"), "p1")
    assert not [button for button in test.button if str(button.key).startswith("hit-term-")]
    assert 'class="ps-terms"' in page_html(test)


@pytest.mark.usefixtures("folder")
def test_a_full_list_of_words_says_why_no_term_can_be_stressed(app: Start) -> None:
    test = app(example="rewired-random-walk")
    words = tuple(f"w{number}" for number in range(MAX_LISTED))
    test.session_state["visit"] = dataclasses.replace(test.session_state["visit"], stressed=words)
    term = choose(test, "p1").button(key="hit-term-0")
    assert term.disabled and "take one out" in term.help


@pytest.mark.usefixtures("folder")
def test_a_hit_that_steers_has_its_terms_as_text(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p2")
    assert test.button(key="hit-term-0")
    test.button(key="like-p2").click().run()
    assert not [button for button in test.button if str(button.key).startswith("hit-term-")]
    assert 'class="ps-terms"' in page_html(test)
