"""Words that a machine has misread or broken are mended."""

from __future__ import annotations

from collections import Counter

from engine.sources import ocr_words


def test_lines_are_joined_only_where_a_word_is_broken() -> None:
    words = Counter({"apparatus": 9, "appa": 0, "the": 99, "me": 9, "theme": 3, "drum": 9})
    assert ocr_words.flow(["of the appa", "ratus and the", "me drum is here for long."], words) == (
        "of the apparatus and the me drum is here for long."
    )


def test_margins_and_debris_are_taken_out() -> None:
    assert ocr_words.clean_lines(["25 carried in", "% 2 |", "IO the reel", "10", "a drum"]) == [
        "carried in",
        "the reel",
        "a drum",
    ]


def test_a_word_broken_over_three_lines_is_joined_from_all_its_pieces() -> None:
    words = Counter(appara=5, apparatus=9)
    assert ocr_words.flow(["an appa", "ra", "tus"], words) == "an apparatus"
