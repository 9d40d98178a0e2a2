"""Two rankings query by query."""

from __future__ import annotations

import json

import pytest

from engine.documents import Document
from explorer.evaluate import queries
from explorer.evaluate.figures import Case, cases
from tests.explorer.conftest import Start, page_html
from tests.explorer.evaluate.measuring import held, measured, open_page


@pytest.mark.usefixtures("library")
def test_a_hostile_title_stays_text(app: Start) -> None:
    measured(app)
    test = open_page(app, case="steam0")
    assert not test.exception
    assert "<script>" not in page_html(test)
    assert "&lt;script&gt;" in page_html(test)
    asked = cases(held(), "nDCG@10", "tfidf", "bm25")
    chart = queries.figure(asked, "steam0", ("tfidf", "bm25")).to_json()
    assert chart is not None and "<script>" not in json.loads(chart)["data"][0]["text"]


def test_of_very_many_queries_both_ends_are_drawn() -> None:
    many = [Case(Document(str(number)), 1 - number / 999, 0.5) for number in range(1_000)]
    shown = queries.furthest(many)
    assert len(shown) == queries.MOST_BARS
    assert (shown[0], shown[-1]) == (many[0], many[-1])
    assert queries.counted(many, ("tfidf", "bm25")).startswith("TF-IDF is ahead on 500 queries, BM25 on 500")
