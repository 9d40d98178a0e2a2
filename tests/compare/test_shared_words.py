"""Words that two documents share, as BM25 counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pytest

from engine.compare.document_score import shared_words
from engine.compare.stretches import Said, Spoken
from engine.documents.text import tokens


def weigh(term: str) -> float:
    return {"kite": 3.0, "silk": 5.0, "the": 0.01}.get(term, 2.0)


def share(question: str, answer: str, mean_length: float) -> float:
    """BM25 as it is written, a term at a time."""
    asked, held = Counter(tokens(question)), Counter(tokens(answer))

    def part(term: str, counts: Mapping[str, int], length: int) -> float:
        count = counts.get(term, 0)
        return count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / mean_length))

    weights = {term: weigh(term) * count * 9 / (count + 8) for term, count in asked.items()}
    found = sum(weight * part(term, held, held.total()) for term, weight in weights.items())
    return min(1.0, found / sum(weight * part(term, asked, asked.total()) for term, weight in weights.items()))


def said(text: str) -> Said:
    return Spoken.of([tokens(text)], lambda token: [token]).said(np.array([True]))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("the kite of silk, the silk kite", "a kite of paper"),
        ("kite", "kite kite kite and a long text about the silk of other things " * 3),
        ("one two", "three four"),
    ],
)
def test_shared_words_are_bm25_both_ways(a: str, b: str) -> None:
    found = shared_words(said(a), said(b), weigh, mean_length=9)
    assert found == pytest.approx((share(a, b, 9) + share(b, a, 9)) / 2)
    assert found == shared_words(said(b), said(a), weigh, mean_length=9)


def test_no_other_text_shares_more_than_the_text_itself() -> None:
    ours = said("kite silk kite")
    assert shared_words(ours, ours, weigh, mean_length=3) == 1.0
    assert share("kite silk kite", "kite silk " * 9, 90) == 1.0  # it holds them more often, and counts as the same
    assert (found := shared_words(ours, said("kite silk " * 9), weigh, mean_length=90)) is not None and found < 1.0


def test_only_the_most_telling_terms_are_asked() -> None:
    letters = [f"{one}{two}" for one in "abcdefghijkl" for two in "abcdefghij"]  # 120
    first, rest = (said(" ".join(some)) for some in (letters[:96], letters[96:]))  # of equal weights, those said first
    shares = [shared_words(said(" ".join(letters)), one, lambda _: 1.0, mean_length=100) for one in (first, rest)]
    assert shares[0] is not None and shares[0] > 0.9
    assert shares[1] is not None and shares[1] < 0.5


def test_nothing_said_shares_nothing() -> None:
    assert shared_words(said("kite"), said("1 2 3"), weigh, mean_length=3) is None
    assert shared_words(said("kite"), said("kite"), lambda _: 0.0, mean_length=3) == 1.0
