"""Kendall's tau and the pairs that change places, on orders small enough to count."""

from __future__ import annotations

import pytest

from engine.research.paper.order import ordered


def test_the_same_order_holds() -> None:
    order = ordered("F1", {"a": 0.3, "b": 0.2, "c": 0.1}, {"a": 0.9, "b": 0.5, "c": 0.4})
    assert (order.tau, order.pairs, order.swapped, order.holds) == (1.0, 3, (), True)
    assert order.in_words() == "F1: the paper's order holds (Kendall's tau 1.00, 3 pairs of 3)"


def test_swapped_pairs_name_the_papers_better_one_first() -> None:
    order = ordered("F1", {"a": 0.1, "b": 0.2, "c": 0.05}, {"a": 0.9, "b": 0.5, "c": 0.4})
    assert order.swapped == (("a", "b"),)
    assert order.tau == pytest.approx((2 - 1) / 3, abs=1e-4)  # two pairs of three stand, one is swapped
    assert "does not hold" in order.in_words() and "1 changed places: a and b" in order.in_words()


def test_equal_figures_here_are_no_order_that_holds() -> None:
    order = ordered("F1", {"a": 0.2, "b": 0.2}, {"a": 0.9, "b": 0.5})
    assert (order.tau, order.tied, order.swapped, order.holds) == (None, (("a", "b"),), (), False)
    assert "tau undefined" in order.in_words()


def test_pairs_that_the_paper_does_not_tell_apart_are_not_counted() -> None:
    order = ordered("P@10", {"a": 0.1, "b": 0.3, "c": 0.2}, {"a": 1, "b": 2, "c": 1})
    assert (order.pairs, order.swapped) == (2, ())
    assert order.as_json()["holds"] is True


def test_only_things_of_both_sides_count() -> None:
    order = ordered("F1", {"a": 0.1, "ours": 1.0}, {"a": 0.9, "theirs": 0.5})
    assert (order.names, order.holds) == (("a",), None)
    assert order.in_words() == "F1: cannot be told, the paper has fewer than two of these"


def test_many_swapped_pairs_are_named_in_part() -> None:
    names = "abcdef"
    order = ordered("F1", {n: i for i, n in enumerate(names)}, {n: -i for i, n in enumerate(names)})
    assert order.tau == -1.0
    assert order.in_words().endswith(
        "15 changed places: a and b, a and c, a and d, a and e, a and f, b and c and 9 more; not tested for chance"
    )
