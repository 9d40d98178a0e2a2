"""Reciprocal rank fusion, by hand."""

from __future__ import annotations

import pytest

from engine.documents import Hit
from engine.search.fusion import reciprocal_rank

ONE = [Hit("a", 9.0), Hit("b", 8.0), Hit("c", 7.0)]
OTHER = [Hit("b", 0.3), Hit("d", 0.2)]


def test_scores_are_sums_of_reciprocal_ranks() -> None:
    fused = reciprocal_rank([ONE, OTHER])
    assert [hit.id for hit in fused] == ["b", "a", "d", "c"]
    assert fused[0].score == pytest.approx(1 / 62 + 1 / 61)
    assert fused[1].score == pytest.approx(1 / 61)


def test_only_ranks_count() -> None:
    scaled = [Hit(hit.id, hit.score * 1e6 - 5) for hit in ONE]
    assert reciprocal_rank([scaled, OTHER]) == reciprocal_rank([ONE, OTHER])


def test_weights_scale_a_ranking() -> None:
    fused = reciprocal_rank([ONE, OTHER], [1.0, 3.0])
    assert [hit.id for hit in fused] == ["b", "d", "a", "c"]
    assert fused[1].score == pytest.approx(3 / 62)


def test_ties_go_to_the_earlier_ranking() -> None:
    assert [hit.id for hit in reciprocal_rank([[Hit("x", 1.0)], [Hit("y", 1.0)]])] == ["x", "y"]


def test_nothing_gives_nothing() -> None:
    assert reciprocal_rank([]) == []
    assert reciprocal_rank([[], []]) == []


def test_every_ranking_needs_a_weight() -> None:
    with pytest.raises(ValueError, match="shorter"):
        reciprocal_rank([ONE, OTHER], [1.0])
