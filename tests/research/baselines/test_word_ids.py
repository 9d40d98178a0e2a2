"""A corpus as numbers: the order of words, the rare ones left out, and where texts start."""

from __future__ import annotations

import pytest

from engine.core.errors import NotFittedError
from engine.research.baselines import word_ids


def test_words_stand_by_frequency_and_rare_ones_are_left_out() -> None:
    read = word_ids.read(["Valve, boiler valve.", "", "gene boiler valve gene once"], min_count=2, keep_words=9)
    assert read.words == ["valve", "boiler", "gene"]
    assert read.counts.tolist() == [3, 2, 2]
    assert read.ids.tolist() == [0, 1, 0, 2, 1, 0, 2]
    assert read.starts.tolist() == [0, 3, 3, 7]
    assert read.text_of.tolist() == [0, 0, 0, 2, 2, 2, 2]
    assert read.tokens == 8


def test_no_more_words_are_kept_than_asked_for() -> None:
    assert word_ids.read(["a a b b c"], min_count=1, keep_words=2).words == ["a", "b"]


@pytest.mark.parametrize("texts", [[], [""], ["each word once"]])
def test_text_without_a_word_often_enough_is_told(texts: list[str]) -> None:
    with pytest.raises(NotFittedError, match="Expected words that occur at least 2 times to train on, got none"):
        word_ids.read(texts, min_count=2, keep_words=9)
