"""How near two documents are by their vectors and by their best matching chunks."""

from __future__ import annotations

import numpy as np
import pytest

from engine.encoders.colde.long_documents import Levels
from engine.encoders.words import unit_length


def levels(chunks: int, seed: int) -> Levels:
    drawn = np.random.default_rng(seed).normal(size=(chunks + 1, 6)).astype(np.float32)
    rows = unit_length(drawn)
    return Levels(rows[0], np.zeros((0, 6), np.float32), rows[1:])


def plain_late(a: Levels, b: Levels) -> float:
    ours = [max(float(x @ y) for y in b.chunks) for x in a.chunks]
    theirs = [max(float(x @ y) for x in a.chunks) for y in b.chunks]
    return (sum(ours) / len(ours) + sum(theirs) / len(theirs)) / 2


def test_late_interaction_is_the_mean_of_best_matches_both_ways() -> None:
    a, b = levels(4, 1), levels(3, 2)
    assert a.late(b) == pytest.approx(plain_late(a, b), abs=1e-6)
    assert a.late(b) == pytest.approx(b.late(a), abs=1e-6)
    assert a.late(a) == pytest.approx(1, abs=1e-6)


def test_the_share_mixes_both() -> None:
    a, b = levels(4, 1), levels(3, 2)
    cosine = float(a.document @ b.document)
    assert a.similarity(b, late_share=0) == pytest.approx(cosine)
    assert a.similarity(b, late_share=0.25) == pytest.approx(0.75 * cosine + 0.25 * a.late(b))


def test_of_each_document_the_chunks_that_match_best_may_count_alone() -> None:
    a, b = levels(4, 1), levels(3, 2)
    ours = sorted(max(float(x @ y) for y in b.chunks) for x in a.chunks)[2:]
    theirs = sorted(max(float(x @ y) for x in a.chunks) for y in b.chunks)[1:]
    assert a.late(b, best=0.5) == pytest.approx((sum(ours) / 2 + sum(theirs) / 2) / 2, abs=1e-6)
    assert a.similarity(b, late_share=1, late_best=0.5) == pytest.approx(a.late(b, best=0.5), abs=1e-6)
    assert a.late(b, best=1) == a.late(b)


def test_chunks_that_were_left_out_match_nothing() -> None:
    a, b = levels(4, 1), levels(3, 2)
    left = Levels(a.document, a.sections, a.chunks * np.array([[1], [0], [1], [1]], np.float32))
    kept = Levels(a.document, a.sections, a.chunks[[0, 2, 3]])
    assert left.late(b) == pytest.approx(kept.late(b), abs=1e-6)
    nothing = Levels(np.zeros(6, np.float32), a.sections, np.zeros((2, 6), np.float32))
    assert nothing.late(b) == b.late(nothing) == 0
    assert nothing.similarity(b, late_share=0.5) == 0
