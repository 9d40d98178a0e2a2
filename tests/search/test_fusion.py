"""Rankings joined into one, by hand."""

from __future__ import annotations

import pytest

from engine.documents import Hit
from engine.search.fusion import demoted, joined, promoted, relative_scores, shares

DEPTH = 200
ONE = [Hit("a", 9.0), Hit("b", 8.0), Hit("c", 5.0)]
OTHER = [Hit("b", 0.3), Hit("d", 0.2), Hit("e", 0.1)]


def test_scores_are_sums_of_the_way_from_the_last_to_the_first() -> None:
    fused = relative_scores([ONE, OTHER], depth=DEPTH)
    assert [hit.id for hit in fused] == ["b", "a", "d", "c", "e"]
    assert [hit.score for hit in fused] == pytest.approx([0.75 + 1, 1, 0.5, 0, 0])


def test_the_scale_of_a_ranking_does_not_count() -> None:
    scaled = [Hit(hit.id, hit.score * 4 - 5) for hit in ONE]
    assert [hit.id for hit in relative_scores([scaled, OTHER], depth=DEPTH)] == [
        hit.id for hit in relative_scores([ONE, OTHER], depth=DEPTH)
    ]


def test_weights_scale_a_ranking() -> None:
    fused = relative_scores([ONE, OTHER], [1.0, 3.0], depth=DEPTH)
    assert [hit.id for hit in fused][:3] == ["b", "d", "a"]
    assert fused[1].score == pytest.approx(1.5)


def test_what_stands_below_the_depth_counts_nothing() -> None:
    fused = relative_scores([ONE], depth=2)
    assert [(hit.id, hit.score) for hit in fused] == [("a", 1.0), ("b", 0.0), ("c", 0.0)]


def test_equal_scores_count_alike_and_ties_go_to_the_earlier_ranking() -> None:
    fused = relative_scores([[Hit("x", 1.0)], [Hit("y", 7.0), Hit("z", 7.0)]], depth=DEPTH)
    assert [(hit.id, hit.score) for hit in fused] == [("x", 1.0), ("y", 1.0), ("z", 1.0)]


def test_what_stands_below_many_equal_scores_counts_nothing() -> None:
    fused = relative_scores([[*(Hit(f"{n}", 5.0) for n in range(DEPTH)), Hit("low", 0.1)]], depth=DEPTH)
    assert {hit.score for hit in fused[:-1]} == {1.0}
    assert fused[-1] == Hit("low", 0.0)


def test_nothing_gives_nothing() -> None:
    assert relative_scores([], depth=DEPTH) == []
    assert relative_scores([[], []], depth=DEPTH) == []


def test_every_ranking_needs_a_weight() -> None:
    with pytest.raises(ValueError, match="shorter"):
        relative_scores([ONE, OTHER], [1.0], depth=DEPTH)


def test_near_documents_that_hold_the_words_rise_and_the_rest_keeps_its_order() -> None:
    order = [Hit("a", 9.0), Hit("b", 8.0), Hit("c", 5.0), Hit("d", 1.0)]
    assert [hit.id for hit in promoted(order, [{"c", "d"}], depth=DEPTH)] == ["c", "a", "b", "d"]  # d is not near
    assert [hit.id for hit in promoted(order, [], depth=DEPTH)] == ["a", "b", "c", "d"]
    assert promoted([], [{"a"}], depth=DEPTH) == []


def test_two_words_both_count() -> None:
    order = [Hit("a", 9.0), Hit("b", 8.0), Hit("c", 5.0), Hit("d", 1.0)]
    assert [hit.id for hit in promoted(order, [{"b", "c"}, {"c"}], depth=DEPTH)] == ["c", "b", "a", "d"]


def test_demotion_takes_half_the_scaled_score_away() -> None:
    hits = [Hit("a", 10.0), Hit("b", 8.0), Hit("c", 6.0)]
    assert demoted(hits, [Hit("a", 4.0), Hit("c", 2.0)]) == [Hit("b", 8.0), Hit("a", 5.0), Hit("c", 3.5)]
    assert demoted(hits, []) == hits
    assert demoted([], hits) == []


def test_a_kind_counts_by_how_near_its_first_documents_come() -> None:
    own, other = [Hit("a", 0.9), Hit("b", 0.5)], [Hit("c", 0.4), Hit("d", 0.4)]
    assert shares([own, other], 0.2, 1.0) == pytest.approx([1.0, 0.4])  # (.4 - .2) / (.7 - .2)
    assert shares([own, other], 0.2, 2.0) == pytest.approx([1.0, 0.16])
    assert shares([other, own], 0.2, 2.0) == pytest.approx([0.16, 1.0])
    assert shares([own, other], 0.2, 0.0) == [1.0, 1.0]
    assert shares([own, []], 0.2, 2.0) == [1.0, 0.0]
    assert shares([own, other], 1.0, 2.0) == [1.0, 1.0]  # neither is above the average document
    far = [Hit(str(number), 0.1) for number in range(9)]
    assert shares([own, [*([Hit("e", 0.7)] * 3), *far]], 0.2, 2.0) == pytest.approx(
        [1, 1]
    )  # three say how near a kind comes, not all


def test_lists_are_joined_by_what_each_counts() -> None:
    one, other = [Hit("a", 1.0), Hit("b", 0.5)], [Hit("c", 1.0), Hit("d", 0.2)]
    assert joined([one, other], [1.0, 0.5]) == [Hit("a", 1.0), Hit("b", 0.5), Hit("c", 0.5), Hit("d", 0.1)]
    assert joined([one], [1.0]) == one
