"""Two rankings query by query, and one query under both."""

from __future__ import annotations

import json

import pytest

from engine.documents import Document
from explorer.evaluate import queries
from explorer.evaluate.figures import Case, cases
from tests.explorer.conftest import HOSTILE, Start, page_html, page_text
from tests.explorer.evaluate.measuring import held, measured, open_page


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
