"""What a similarity means in words."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.readings import LEVELS, Nearness, random_levels, sampled


def test_nearness_is_a_word_from_the_highest_level_that_is_reached() -> None:
    nearness = Nearness.of_levels((0.5, 0.7, 0.9))
    found = [nearness.words(score) for score in (0.95, 0.9, 0.8, 0.7, 0.5, 0.1)]
    assert found == ["Very near", "Very near", "Near", "Near", "Related", ""]
    assert set(found) - {""} == set(LEVELS)
    assert Nearness.of_levels(()) == Nearness() and Nearness().words(0.99) == ""


def test_a_few_documents_are_no_sample_and_many_give_always_the_same() -> None:
    ids = [f"d{n}" for n in range(1_000)]
    assert sampled(ids[:199]) == ()
    assert sorted(sampled(ids[:200])) == sorted(ids[:200])
    assert len(set(sampled(ids))) == 600 and sampled(ids) == sampled(list(ids))


def test_levels_are_shares_of_pairs_without_a_document_and_itself() -> None:
    ids = [f"d{n}" for n in range(100)]
    rows = np.eye(100, dtype=np.float32)
    assert random_levels(rows, rows, ids, ids) == (0.0, 0.0, 0.0)
    assert random_levels(csr_array(rows), csr_array(rows), ids, ids) == (0.0, 0.0, 0.0)
    others = [f"e{n}" for n in range(100)]  # 1 pair in 100 is alike
    assert random_levels(rows, rows, ids, others) == pytest.approx((0.0, 0.01, 1.0), abs=0.02)
