"""One query under two rankings."""

from __future__ import annotations

import pytest

from explorer.evaluate import rankings
from tests.explorer.conftest import HOSTILE, Start, page_html, page_text
from tests.explorer.evaluate.measuring import held, measured, open_page


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
    side = rankings.Ranked("bm25", "tfidf", ids, {"d150": 1, "gone": 1, "d12": 2, "d3": 1, "d40": 0}, {})
    assert side.missed() == [("d12", 12), ("d150", 150), ("gone", None)]
