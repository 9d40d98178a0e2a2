"""The evaluate page as its visitor uses it: what can be measured, what was measured, and the files."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from engine.evaluation.formats import read_run
from explorer.evaluate import view
from explorer.evaluate.figures import METRICS
from tests.explorer.conftest import Start, finished, page_text
from tests.explorer.evaluate.measuring import ROWS, held, measured, open_page


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
def test_bad_files_show_their_sentence_and_the_page_lives_on(app: Start) -> None:
    test = open_page(app, on="own")
    for files, sentence in (
        ([("notes.txt", b"hello", "text/plain")], "Expected queries and qrels, found none in notes.txt"),
        ([("set.zip", b"PK\x03\x04 and no more", "application/zip")], "Expected a whole zip file, set.zip is damaged"),
        (
            [("queries.jsonl", QUERIES, "text/plain"), ("qrels.txt", b"q1 0 steam0 1\nq1 0\n", "text/plain")],
            "in line 2 of qrels.txt",
        ),
    ):
        test.radio[0].set_value("own").run()
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


@pytest.mark.usefixtures("library")
def test_what_was_measured_can_be_taken_along(app: Start) -> None:
    measured(app)
    saved = json.loads(view.results_json(held(), ROWS, "bm25"))
    assert set(saved["encoders"]) == set(ROWS)
    assert len(saved["encoders"]["bm25"]["by_query"]) == 40
    assert saved["contrasts"]
    with zipfile.ZipFile(io.BytesIO(view.results_runs(held(), ROWS))) as archive:
        assert archive.namelist() == ["bm25.run", "tfidf.run", "judgements.qrels"]
        assert len(archive.read("bm25.run").splitlines()[0].split()) == 6


@pytest.mark.usefixtures("library")
def test_one_ranking_alone_can_be_taken_along(app: Start) -> None:
    measured(app)
    saved = json.loads(view.results_json(held(), ROWS[:1], ROWS[0]))
    assert list(saved["encoders"]) == [ROWS[0]]
    assert "contrasts" not in saved
    assert f"Against {ROWS[0]}" not in view.results_report(held(), ROWS[:1], ROWS[0]).decode()
    assert f"## Against {ROWS[0]}" in view.results_report(held(), ROWS, ROWS[0]).decode()


@pytest.mark.usefixtures("library")
def test_a_run_with_spaces_in_its_ids_keeps_six_columns(app: Start, tmp_path: Path) -> None:
    measured(app)
    found = held()
    odd = replace(found.measured["bm25"], name="x", run={"a b": ("c d", "e")})
    with zipfile.ZipFile(io.BytesIO(view.results_runs(replace(found, measured={"x": odd}), ["x"]))) as archive:
        (tmp_path / "x.run").write_bytes(archive.read("x.run"))
    assert read_run(tmp_path / "x.run") == {"a%20b": ("c%20d", "e")}
