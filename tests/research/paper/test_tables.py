"""Lines, their orders, and which changed places may be chance."""

from __future__ import annotations

import pytest

from engine.evaluation.metrics import CDSSM, METRICS, Judged
from engine.evaluation.significance import randomisation_p
from engine.research.paper.tables import F1_OF_MEANS, Line, Panel, by_column, by_line, by_places, ordered


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


CLOSE = [0.1, 0.3, 0.2, 0.4, 0.1, 0.3, 0.2, 0.4, 0.5, 0.1]


def lines() -> list[Line]:
    """Two that are near each other and one that is far ahead, each the other way round than the paper has them."""
    near = [score + (0.05 if place % 2 else -0.04) for place, score in enumerate(CLOSE)]
    far = [score + 0.3 for score in CLOSE]
    held = {"best there": CLOSE, "near": near, "far": far}
    theirs = {"best there": 0.9, "near": 0.5, "far": 0.4}
    return [
        Line(name, {"P@20": sum(scores) / len(scores)}, {"P@20": theirs[name]}, by_query={"P@20": scores})
        for name, scores in held.items()
    ]


def test_a_swap_may_be_chance() -> None:
    (order,) = by_column(lines(), ["P@20", "R@20"][:1])
    assert set(order.swapped) == {("best there", "near"), ("best there", "far"), ("near", "far")}
    assert order.uncertain == (("best there", "near"),)
    assert order.in_words().endswith("; 1 of the 3 may be chance: best there and near")
    assert order.as_json()["swapped_perhaps_by_chance"] == [["best there", "near"]]


def judged(found: int, relevant: int) -> Judged:
    """A query's first 20 with so many relevant ones among them."""
    return Judged(tuple(place < found for place in range(20)), (1,) * relevant)


def test_f1_of_means_is_tested_as_it_is_computed() -> None:
    """Of these queries the mean of each one's F1 says the contrary, beyond chance."""
    many, few = [judged(4, 90)] * 50 + [judged(2, 2)] * 50, [judged(7, 90)] * 50 + [judged(1, 2)] * 50
    given = [
        Line(
            name,
            {"F1@20": METRICS["F1@20"].over(queries)},
            {"F1@20": theirs},
            by_query={one: [METRICS[one].score(query) for query in queries] for one in ("P@20", "R@20", "F1@20")},
        )
        for name, queries, theirs in (("better there", many, 0.3), ("better here", few, 0.2))
    ]
    (order,) = by_column(given, ["F1@20"])
    assert order.swapped == order.uncertain == (("better there", "better here"),) and order.untested == ()
    ours, other = (line.by_query["F1@20"] for line in given)
    assert sum(ours) > sum(other) and randomisation_p(ours, other, draws=500) < 0.05


def test_every_f1_of_means_of_the_papers_has_its_two_parts() -> None:
    names = {name.removesuffix("-cdssm"): metric for name, metric in {**METRICS, **CDSSM}.items()}
    assert set(F1_OF_MEANS) == {name for name, metric in names.items() if metric.pooled is not None}
    assert {part for parts in F1_OF_MEANS.values() for part in parts} <= set(names)


def test_a_swap_without_scores_is_called_untested() -> None:
    swapped = [Line("a", {"f1": 0.7}, {"f1": 0.74}), Line("b", {"f1": 0.7001}, {"f1": 0.73})]
    (order,) = by_column(swapped, ["f1"])
    assert order.untested == order.swapped and order.uncertain == ()
    assert order.in_words().endswith("1 changed places: a and b; not tested for chance")
    assert order.as_json()["swapped_untested"] == [["a", "b"]]


def test_columns_that_the_paper_lacks_have_no_order() -> None:
    assert by_column([Line("ours", {"R@20": 0.1})], ["R@20"]) == []
    assert by_line([Line("ours", {"@1": 0.1})]) == []
    (order,) = by_line([Line("f1", {"@1": 0.1, "@5": 0.2}, {"@1": 0.4, "@5": 0.3})])
    assert order.swapped == (("@1", "@5"),)
    (order,) = by_places(lines(), ["P@20"], {"far": 2, "near": 1})
    assert order.holds is True


def test_labels_and_json_leave_out_what_is_not_for_reading() -> None:
    assert Line("lda", {}, beside="table 2: LDA").label == "lda (table 2: LDA)"
    assert Line("lda", {}, beside="lda").label == Line("lda", {}).label == "lda"
    value = Panel("ours", "arXiv", ("P@20",), lines(), orders=by_column(lines(), ["P@20"])).as_json()
    assert "by_query" not in value["lines"][0] and value["orders"][0]["pairs"] == 3
