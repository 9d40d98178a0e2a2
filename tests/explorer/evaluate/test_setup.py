"""What can be measured, with files that the visitor brings."""

from __future__ import annotations

import pytest

from tests.explorer.conftest import Start, finished, page_text
from tests.explorer.evaluate.measuring import open_page

QUERIES = b'{"_id": "q1", "text": "steam valve"}\n{"_id": "q2", "text": "vertex"}\n'


QRELS = b"q1 0 steam0 1\nq2 0 graph3 1\n"


@pytest.mark.usefixtures("library")
def test_files_are_read_measured_and_given_up(app: Start) -> None:
    test = open_page(app, on="own")
    files = [("queries.jsonl", QUERIES, "application/json"), ("qrels.txt", QRELS, "text/plain")]
    test.file_uploader[0].set_value(files).run()
    test.button(key="read-own").click().run()
    assert not test.exception
    assert "uploaded, over your library’s documents" in page_text(test).replace("</strong>", "")
    test = finished(test.button(key="measure").click().run())
    assert "2 queries over 40 documents." in page_text(test)
    assert "on" not in test.query_params and "case" not in test.query_params
    test.button(key="drop-own").click().run()
    assert "What they reached" not in [head.value for head in test.header]


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ([("notes.txt", b"hello", "text/plain")], "Expected queries and qrels, found none in notes.txt"),
        ([("set.zip", b"PK\x03\x04 and no more", "application/zip")], "Expected a whole zip file, set.zip is damaged"),
        (
            [("queries.jsonl", QUERIES, "text/plain"), ("qrels.txt", b"q1 0 steam0 1\nq1 0\n", "text/plain")],
            "in line 2 of qrels.txt",
        ),
    ],
)
def test_bad_files_show_their_sentence_and_the_page_lives_on(
    app: Start, files: list[tuple[str, bytes, str]], sentence: str
) -> None:
    test = open_page(app, on="own")
    test.file_uploader[0].set_value(files).run()
    test.button(key="read-own").click().run()
    assert not test.exception
    assert sentence in page_text(test)
    test.radio[0].set_value("subjects").run()
    assert test.button(key="measure").label == "Measure"


@pytest.mark.usefixtures("empty_folder")
def test_an_empty_library_offers_what_needs_none(app: Start) -> None:
    test = open_page(app)
    assert not test.exception
    assert "your own files" in [option.lower() for option in test.radio[0].options]
    assert "Your library’s subjects" not in test.radio[0].options


@pytest.mark.usefixtures("library")
def test_a_link_with_rankings_that_no_search_offers_says_which_are_left_out(app: Start) -> None:
    test = open_page(app, row=["bm25", "random", "lda"])
    assert not test.exception
    sentence = "this link also names random, lda, which is left out"
    assert sentence in page_text(test)
    assert test.session_state["evaluate-rows"] == ["bm25"]
    assert sentence not in page_text(open_page(app, row=["bm25", "tfidf"]))
