"""Stressing and leaving out words of a query, beside its results."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.explorer.conftest import Start, page_text

pytestmark = pytest.mark.usefixtures("folder")
ASKED = {"doc": "p1", "rank": "keywords"}


def keys(test: AppTest) -> set[str]:
    return {choice.key for choice in test.multiselect}


def test_the_querys_own_words_are_offered_the_rarest_first(app: Start) -> None:
    offered = app(**ASKED).multiselect(key="option-stressed").options
    assert "conductance" in offered and "walk" in offered
    assert offered.index("random") < offered.index("walk")  # walks stand in two documents


def test_a_word_left_out_changes_results_link_and_evidence(app: Start) -> None:
    test = app(**ASKED)
    assert "Mixing of Markov chains" in page_text(test)
    common = ["conductance", "mixing", "a", "is", "of"]
    test.multiselect(key="option-muted").set_value(common).run()
    assert not test.exception
    assert test.query_params["mute"] == common
    assert "Mixing of Markov chains" not in page_text(test)
    assert "conductance" not in test.multiselect(key="option-stressed").options


def test_a_word_of_ones_own_is_cut_into_tokens_and_leaves_the_other_list(app: Start) -> None:
    test = app(**ASKED, mute="telegraph")
    test.multiselect(key="option-stressed").set_value(["Telegraph-relay"]).run()
    assert not test.exception
    assert test.query_params["stress"] == ["telegraph", "relay"]
    assert "mute" not in test.query_params
    assert "Telegraph relay" in page_text(test)


def test_where_only_meaning_ranks_there_are_none(app: Start) -> None:
    assert "option-stressed" not in keys(app(doc="p1", rank="encoder", encoder="tfidf"))
    assert "option-stressed" not in keys(app())


def test_a_new_search_begins_without_them(app: Start) -> None:
    test = app(**ASKED, stress="kite", mute="walk")
    test.button(key="new-search").click().run()
    assert not test.exception
    assert not {"stress", "mute"} & set(test.query_params)
