"""Sentences that say nothing of a document's own topic."""

from __future__ import annotations

import pytest

from engine.documents import text
from engine.search import boilerplate
from engine.search.boilerplate import is_boilerplate, is_stock

FURTHER = (
    "3 is a schematic representation of the kite in accordance with the invention.",
    "To all whom it may concern:",
    "This application is a continuation of an earlier one on kites.",
    "The rest of this paper is on kites.",
    "The paper on kites is organized as follows.",
    "We thank three readers for their remarks on kites.",
    "This study was supported by a society of kites.",
    "It may be shared under a Creative Commons licence.",
)


def found(sentence: str) -> bool:
    return is_boilerplate(sentence, frozenset(text.tokens(sentence)), frozenset(text.content_tokens(sentence)))


@pytest.mark.parametrize(
    "sentence",
    [
        "The device will be better understood from what follows, taken with the appended drawings.",
        "Aspects of it may thus be an entirely software embodiment, referred to here as a module.",
        "Changes may be made by those of ordinary skill without departing from the invention.",
        "Figure 2 is a side view of the same.",
        "In testimony whereof I affix my name.",
        "It has a processor, a memory, a keyboard and a display.",
        "SUMMARY OF THE INVENTION",
        "R> library(kites)",
    ],
)
def test_stock_is_told(sentence: str) -> None:
    assert found(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The hook is attached to the drawing frame, in which a spring turns it.",
        "Skill in flying kites departs from what the wind allows.",
        "We read the figure of merit from the attached sensor.",
        "Hardware and wind limit the speed of a kite.",
        "The view from a kite is a diagram of the wind.",
        "Wings are organized in rows, and the rest of the kite is supported by a frame.",
        "The claim that kites fly was supported by workshops, and the wings were supported by four columns.",
    ],
)
def test_what_is_about_the_topic_stays(sentence: str) -> None:
    assert not found(sentence) and not is_stock(sentence, set(text.tokens(sentence)))


@pytest.mark.parametrize("sentence", FURTHER)
def test_what_opens_and_closes_a_paper_is_not_read_first_but_kept(sentence: str) -> None:
    assert is_stock(sentence, set(text.tokens(sentence))) and not is_boilerplate(
        sentence, set(text.tokens(sentence)), frozenset()
    )


def test_every_stock_phrase_has_a_word_that_leads_to_it() -> None:
    known = boilerplate._STOCK_WORDS | boilerplate._FURTHER_WORDS
    for phrase in (*boilerplate._STOCK_PHRASES, *boilerplate._FURTHER_PHRASES):
        words = {
            *text.tokens(phrase),
            *text.tokens(f"{phrase}s"),
            *text.tokens(f"{phrase}ing"),
            *text.tokens(f"{phrase}zed"),
        }
        assert known & words, phrase


@pytest.mark.parametrize("run", ["-", ".", "--x", " .", ". x "])
def test_a_figures_label_of_many_marks_is_read_in_time_of_its_length(run: str) -> None:
    text = f"Fig{run * 5_000} and so the valve of the engine closes"
    assert not is_boilerplate(text, {"fig", "valve"}, {"valve"})
