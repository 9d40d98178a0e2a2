"""The figures of rankings, what may be chance, and the sentence over their table."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from engine.evaluation import Benchmark, Interval
from explorer.evaluate.figures import METRICS, FigureLine, lines, measured_when, verdict_lines
from explorer.evaluate.results import Evaluated
from tests.explorer.conftest import Start
from tests.explorer.evaluate.measuring import ROWS, held, measured


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("2024-02-29T12:00:30", "Measured on 29 February 2024, 12:00."),
        ("2024-02-29T12:10:00", "Measured on 29 February 2024, 12:00 to 12:10."),
        ("2024-03-01T09:05:00", "Measured between 29 February 2024, 12:00, and 1 March 2024, 09:05."),
    ],
)
def test_when_it_was_measured_is_said_by_this_machines_clock(last: str, said: str) -> None:
    when = {"bm25": "2024-02-29T12:00:00", "tfidf": last}
    local = {row: datetime.fromisoformat(time).astimezone(UTC).isoformat() for row, time in when.items()}
    found = Evaluated(Benchmark("ours", "all", [], [], {}, {}), {}, when=local)
    assert measured_when(found, ROWS) == said
    assert measured_when(found, ["lda"]) == ""


@pytest.mark.usefixtures("library")
def test_lines_say_what_is_more_than_chance(app: Start) -> None:
    measured(app)
    found = held()
    worst = dict.fromkeys(found.benchmark.qrels, dict.fromkeys(METRICS, 0.0))
    bad = replace(found.measured["bm25"], name="bad", by_query=worst)
    drawn = lines(replace(found, measured={**found.measured, "bad": bad}), [*ROWS, "bad"], "nDCG@10", "bm25")
    last = drawn[-1]
    assert (last.row, last.is_different, last.score.mean) == ("bad", True, 0.0)
    assert next(line for line in drawn if line.row == "bm25").p is None
    assert not next(line for line in drawn if line.row == "tfidf").is_different


def line(row: str, mean: float, difference: float | None = None, p: float | None = None) -> FigureLine:
    low, high = mean - 0.03, mean + 0.03
    apart = None if difference is None else Interval(difference, difference - 0.03, difference + 0.03)
    return FigureLine(row, Interval(mean, low, high), apart, p)


def test_the_best_figure_is_named_without_saying_more_than_chance_allows() -> None:
    said = verdict_lines([line("default", 0.23, 0.02, 0.09), line("bm25", 0.21)], "nDCG@10", "bm25", 200)
    assert "has the best nDCG@10 here, .230" in str(said)
    assert "Too close to BM25 to tell on 200 queries: Default." in str(said)
    assert "ahead" not in str(said)


def test_rankings_with_the_same_figure_are_level() -> None:
    said = verdict_lines([line("default", 0.23, 0.0, 1.0), line("bm25", 0.23)], "nDCG@10", "bm25", 20)
    assert "are level here, with nDCG@10 .230" in str(said)
    assert "only large differences can show" in str(said)
