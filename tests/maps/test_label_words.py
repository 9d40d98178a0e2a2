"""Words that may name a group."""

from __future__ import annotations

import pytest

from engine.maps.label_words import names_a_subject, singular


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("lasers", "laser"),
        ("galaxies", "galaxy"),
        ("boxes", "box"),
        ("analyses", "analysis"),
        ("glass", "glass"),
        ("basis", "basis"),
        ("virus", "virus"),
        ("gas", "gas"),
    ],
)
def test_singular(word: str, expected: str) -> None:
    assert singular(word) == expected


@pytest.mark.parametrize("token", ["the", "of", "figure", "said", "tion", "ab", "x9", "llll", "bcdfgh", "xkcdwz", "ﬁ"])
def test_words_that_name_nothing(token: str) -> None:
    assert not names_a_subject(token)


@pytest.mark.parametrize("token", ["laser", "schrödinger", "rhythm", "квант", "量子力"])
def test_words_that_name_a_subject(token: str) -> None:
    assert names_a_subject(token)
