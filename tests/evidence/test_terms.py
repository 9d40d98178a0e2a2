"""Which words tell what a text is about. Those that two texts share are tested with the rest of the evidence."""

from __future__ import annotations

from engine.evidence.terms import key_words

PREDICTED = [("embodiments", 0.3), ("display", 0.2), ("displaying", 0.15), ("invention", 0.1), ("glucose", 0.05)]


def test_words_of_the_genre_and_further_forms_of_a_word_are_passed_over() -> None:
    assert key_words(PREDICTED, 10) == [("display", 0.2), ("glucose", 0.05)]
    assert key_words(PREDICTED, 1) == [("display", 0.2)]
    assert key_words([("embodiments", 0.3)], 10) == [] == key_words([], 10)


def test_words_may_be_limited_to_those_of_a_text() -> None:
    assert key_words(PREDICTED, 10, within={"displaying", "glucose"}) == [("displaying", 0.15), ("glucose", 0.05)]
