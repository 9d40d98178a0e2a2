"""Figures of what was measured, in words and by query."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from engine.documents import Document
from engine.evaluation import Benchmark, Interval
from explorer.evaluate import queries
from explorer.evaluate.figures import METRICS, Case, FigureLine, cases, lines, measured_when, verdict_lines
from explorer.evaluate.results import Evaluated
from tests.explorer.conftest import HOSTILE, Start, page_html, page_text
from tests.explorer.evaluate.measuring import ROWS, held, measured, open_page


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


@pytest.mark.usefixtures("library")
def test_a_hostile_title_stays_text(app: Start) -> None:
    measured(app)
    test = open_page(app, case="steam0")
    assert not test.exception
    assert "<script>" not in page_html(test)
    assert "&lt;script&gt;" in page_html(test)
    asked = cases(held(), "nDCG@10", "tfidf", "bm25")
    chart = queries.bars_figure(asked, "steam0", ("tfidf", "bm25")).to_json()
    assert chart is not None and "<script>" not in json.loads(chart)["data"][0]["text"]


def test_of_very_many_queries_both_ends_are_drawn() -> None:
    many = [Case(Document(str(number)), 1 - number / 999, 0.5) for number in range(1_000)]
    shown = queries.furthest(many)
    assert len(shown) == queries.MOST_BARS
    assert (shown[0], shown[-1]) == (many[0], many[-1])
    assert queries.count_leads(many, ("tfidf", "bm25")).startswith("TF-IDF is ahead on 500 queries, BM25 on 500")


@pytest.mark.usefixtures("library")
def test_a_query_is_seen_under_both_rankings(app: Start) -> None:
    measured(app)
    query = held().benchmark.queries[0]
    test = open_page(app, case=query.id)
    assert not test.exception
    html = page_html(test)
    assert html.count('class="ps-run"') == 2
    assert "✓ right" in html
    assert query.title[:20] in page_text(test) or HOSTILE[:20] in page_text(test)


def test_what_is_right_and_missed_is_told_from_the_nearest_on_and_what_was_not_found_last() -> None:
    ids = [f"d{place}" for place in range(1, 201)]
    side = queries.RankedQuery("bm25", "tfidf", ids, {"d150": 1, "gone": 1, "d12": 2, "d3": 1, "d40": 0}, {})
    assert side.missed() == [("d12", 12), ("d150", 150), ("gone", None)]
