"""The sentence over a table of rankings: who has the best figure, and what may be chance."""

from __future__ import annotations

from engine.evaluation import Interval
from explorer.evaluate.figures import Line
from explorer.evaluate.table import verdict


def line(row: str, mean: float, difference: float | None = None, p: float | None = None) -> Line:
    low, high = mean - 0.03, mean + 0.03
    apart = None if difference is None else Interval(difference, difference - 0.03, difference + 0.03)
    return Line(row, Interval(mean, low, high), apart, p)


def test_the_best_figure_is_named_without_saying_more_than_chance_allows() -> None:
    said = verdict([line("default", 0.23, 0.02, 0.09), line("bm25", 0.21)], "nDCG@10", "bm25", 200)
    assert "has the best nDCG@10 here, .230" in str(said)
    assert "Too close to BM25 to tell on 200 queries: Default." in str(said)
    assert "ahead" not in str(said)


def test_rankings_with_the_same_figure_are_level() -> None:
    said = verdict([line("default", 0.23, 0.0, 1.0), line("bm25", 0.23)], "nDCG@10", "bm25", 20)
    assert "are level here, with nDCG@10 .230" in str(said)
    assert "only large differences can show" in str(said)
