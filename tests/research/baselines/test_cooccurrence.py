"""Counts of neighbours against plain loops."""

from __future__ import annotations

import numpy as np
import pytest

from engine.research.baselines import cooccurrence, word_ids
from tests.contracts.encoder import corpus


@pytest.mark.parametrize("at_once", [7, 10_000])
def test_counts_are_those_of_plain_loops(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cooccurrence, "_TOKENS_AT_ONCE", at_once)
    read = word_ids.read((document.text for document in corpus()[:6]), min_count=1, keep_words=99)
    expected = np.zeros((len(read.words), len(read.words)))
    for start, stop in zip(read.starts, read.starts[1:], strict=False):
        for one in range(start, stop):
            for other in range(one + 1, min(one + 5, stop)):
                expected[read.ids[one], read.ids[other]] += 1 / (other - one)
                expected[read.ids[other], read.ids[one]] += 1 / (other - one)
    np.testing.assert_allclose(cooccurrence.count(read, 4).toarray(), expected, rtol=1e-5)


def test_words_of_two_texts_do_not_meet() -> None:
    read = word_ids.read(["a b", "c"], min_count=1, keep_words=9)
    counts = cooccurrence.count(read, 10).toarray()
    assert counts.tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
