"""Lines, their orders, and which changed places may be chance."""

from __future__ import annotations

from engine.evaluation.paper.tables import Line, Panel, by_column, by_line, by_places

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
