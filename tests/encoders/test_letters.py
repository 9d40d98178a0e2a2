"""Letter trigrams, and the most frequent of them."""

from __future__ import annotations

from engine.encoders.words import most_frequent, trigrams


def test_trigrams_stand_between_marks() -> None:
    assert trigrams("boy") == ["#bo", "boy", "oy#"]
    assert trigrams("a") == ["#a#"]
    assert trigrams("anana") == ["#an", "ana", "nan", "ana", "na#"]


def test_the_most_frequent_come_first_and_equals_by_the_alphabet() -> None:
    assert most_frequent({"b": 2, "a": 2, "c": 5, "d": 1}, 3) == ("c", "a", "b")
    assert most_frequent({"b": 2}, 3) == ("b",)
