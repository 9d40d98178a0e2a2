"""The chosen hit: how near, why, and what to do with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.documents import Document
from engine.search import Result
from engine.search.evidence.explain import Evidence
from engine.search.evidence.nearness import Quoted
from explorer.search.details import near_lines
from tests.explorer.conftest import Start, page_text
from tests.explorer.search.hits import choose
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
