"""Which words can be evidence."""

from __future__ import annotations

import math

import pytest

from engine.search.evidence.vocabulary import Vocabulary

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
