"""The evaluate page as its visitor uses it: measured on the library, on judgements, on files that were brought."""

from __future__ import annotations

import pytest

from explorer.evaluate.figures import METRICS
from tests.explorer.conftest import Start, page_text
from tests.explorer.evaluate.measuring import ROWS, measured, open_page


@pytest.mark.usefixtures("library")
def test_the_librarys_subjects_are_measured_and_said_in_words(app: Start) -> None:
    test = measured(app)
    assert not test.exception
    text = page_text(test)
    assert "2 rankings measured on 40 queries." in text
    assert "40 queries over 40 documents." in text
    assert "BM25: words as they are written" in text and "TF-IDF" in text
    assert "95 % between" in text and "what the others are compared with" in text
    assert not [button for button in test.button if button.key == "measure"]


@pytest.mark.usefixtures("library")
def test_the_link_restores_questions_rows_metric_and_query(app: Start) -> None:
    measured(app)
    test = open_page(app, metric="R@100", case="steam0", against="tfidf")
    assert test.selectbox(key="evaluate-metric").value == "R@100"
    assert test.selectbox(key="evaluate-against").value == "tfidf"
    assert test.selectbox(key="evaluate-case").value == "steam0"
    test.selectbox(key="evaluate-metric").set_value("bpref").run()
    assert test.query_params["metric"] == "bpref"
    assert test.query_params["row"] == ROWS
    assert METRICS["bpref"] in page_text(test)
