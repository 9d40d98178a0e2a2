"""Which words can be evidence, and the lists of those that say nothing about a subject."""

from __future__ import annotations

import math

import pytest

from engine.documents import text
from engine.search import vocabulary as tables
from engine.search.vocabulary import GENERAL_WORDS, GENRE_WORDS, HALVES, NO_LABELS, Vocabulary

FREQUENCIES = {
    **{"the": 1000, "and": 990, "less": 500, "loss": 120, "tlie": 60, "aud": 50, "networks": 90, "network": 40},
    **{"shown": 900, "sbown": 9, "machine": 600, "machiue": 4, "energy": 10, "energies": 30, "svm": 12, "xqzt": 1},
    **{"steam": 150, "system": 600, "co2": 8, "12": 300, "oftlie": 3, "ofthe": 20, "band": 40},
}


@pytest.fixture
def vocabulary() -> Vocabulary:
    return Vocabulary(FREQUENCIES, 1000)


@pytest.mark.parametrize("token", ["network", "networks", "energies", "svm", "co2", "steam", "loss", "band", "unseen"])
def test_topic_words_are_evidence(vocabulary: Vocabulary, token: str) -> None:
    assert vocabulary.keys[token]


@pytest.mark.parametrize(
    "token",
    ["the", "and", "12", "a1", "1998", "fig", "claim", "proposed", "said", "tion", "ab", "system"],
)
def test_function_words_genre_words_and_numbers_are_not(vocabulary: Vocabulary, token: str) -> None:
    assert vocabulary.keys[token] == ""


@pytest.mark.parametrize("token", ["tlie", "aud", "ofthe", "machiue", "xqzt"])
def test_scanning_errors_are_not(vocabulary: Vocabulary, token: str) -> None:
    assert vocabulary.keys[token] == ""


def test_words_of_a_third_of_a_library_are_not_but_a_small_library_has_no_such_limit() -> None:
    assert Vocabulary({"valve": 400}, 1000).keys["valve"] == ""
    assert Vocabulary({"valve": 4}, 10).keys["valve"] == "valve"


def test_singular_and_plural_meet_and_weigh_the_same(vocabulary: Vocabulary) -> None:
    assert vocabulary.keys["network"] == vocabulary.keys["networks"]
    assert vocabulary.keys["energy"] == vocabulary.keys["energies"] == "energy"
    assert vocabulary.idf("energy") == pytest.approx(math.log(1 + (1000 - 30 + 0.5) / 30.5))


LISTS = ("_NOWHERE", "_NO_EVIDENCE", "_NO_LABEL", "_IN_NAMES", "_NO_NAMES", "_HALVES", "_NO_LABEL_HALVES")


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_in_order_without_doubles_and_in_the_form_of_tokens(name: str) -> None:
    words = getattr(tables, name).split()
    assert words == sorted(set(words))
    assert [word for word in words if text.tokens(word) != [word]] == [], "such a word would never be met"


def test_a_word_stands_in_one_list_of_the_genres() -> None:
    nowhere, no_evidence, no_label = (set(getattr(tables, name).split()) for name in LISTS[:3])
    assert not (nowhere & no_evidence or nowhere & no_label or no_evidence & no_label)


@pytest.mark.parametrize(
    ("word", "evidence", "label"),
    [
        ("invention", False, False),
        ("method", False, False),
        ("surface", False, True),  # "surface tension"
        ("model", False, False),
        ("computer", True, False),
        ("mathbf", True, False),
        ("graph", True, True),
        ("boiler", True, True),
        ("valve", True, True),
        ("tension", True, True),
        ("network", True, True),
    ],
)
def test_a_word_may_be_evidence_or_part_of_a_label(word: str, evidence: bool, label: bool) -> None:
    assert (word not in GENRE_WORDS, word not in NO_LABELS) == (evidence, label)


def test_halves_of_words_are_left_out_and_whole_words_kept() -> None:
    broken = {"tion", "ment", "ity", "ness"}
    assert broken <= HALVES and broken <= NO_LABELS
    sometimes_whole = {"ant", "ants", "ion", "ions"}
    assert sometimes_whole.isdisjoint(HALVES) and sometimes_whole <= NO_LABELS
    for whole in ("law", "gas", "ore", "tin", "car", "pump"):
        assert whole not in HALVES | NO_LABELS


def test_a_half_is_no_word_of_the_genre() -> None:
    assert HALVES.isdisjoint(GENERAL_WORDS)
