"""The Evaluate page: what can be measured and what was, its figures and files, and the blind bake-off."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from engine.core.progress import silent
from engine.documents import Document, Kind
from engine.encoders import registry
from engine.evaluation import BakeOff, BakeOffs, Benchmark, Catalogue, Interval
from engine.evaluation.benchmarks import from_parts
from engine.evaluation.formats import read_run
from engine.library import Library
from engine.workspace import Workspace
from explorer.evaluate import queries, results, view
from explorer.evaluate.bake_off import row_name
from explorer.evaluate.figures import METRICS, Case, FigureLine, cases, lines, measured_when, verdict_lines
from explorer.evaluate.results import Evaluated, QuestionSet
from tests.contracts.encoder import SUBJECTS, corpus
from tests.explorer.conftest import HOSTILE, Start, finished, page_html, page_text

ROWS = ["bm25", "tfidf"]
DRAFT = Document("draft", "paper", f"A draft {HOSTILE}", " ".join(SUBJECTS["steam"].split()[::2]))


def open_page(app: Start, **link: object) -> AppTest:
    test = app()
    for key, value in {"row": ROWS, **link}.items():
        test.query_params[key] = value
    return test.switch_page("explorer/evaluate/view.py").run()


def measured(app: Start, **link: object) -> AppTest:
    test = open_page(app, **link)
    return finished(test.button(key="measure").click().run())


def held() -> Evaluated:
    questions = results.question_set("subjects")
    assert questions is not None
    found = results.find_results(questions)
    assert found is not None
    return found


@pytest.fixture
def library(empty_folder: Path) -> Path:
    """Forty documents of four subjects, the first with a title that tries to be more than text."""
    documents = [replace(one, categories=(one.id.rstrip("0123456789"),)) for one in corpus()]
    documents[0] = replace(documents[0], title=HOSTILE)
    with Library.open(empty_folder, create=True) as opened:
        opened.add_file("own", "own.jsonl", documents)
    return empty_folder


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
    assert "Results" not in [head.value for head in test.header]


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
    saved = view.results_report(held(), ROWS, "bm25").as_json(by_query=True)
    assert set(saved["encoders"]) == set(ROWS)
    assert len(saved["encoders"]["bm25"]["by_query"]) == 40
    assert saved["contrasts"]
    with zipfile.ZipFile(io.BytesIO(view.results_report(held(), ROWS, "").zipped_runs())) as archive:
        assert archive.namelist() == ["bm25.run", "tfidf.run", "judgements.qrels"]
        assert len(archive.read("bm25.run").splitlines()[0].split()) == 6


@pytest.mark.usefixtures("library")
def test_one_ranking_alone_can_be_taken_along(app: Start) -> None:
    measured(app)
    saved = view.results_report(held(), ROWS[:1], ROWS[0]).as_json(by_query=True)
    assert list(saved["encoders"]) == [ROWS[0]]
    assert "contrasts" not in saved
    assert f"Against {ROWS[0]}" not in view.results_report(held(), ROWS[:1], ROWS[0]).as_markdown()
    assert f"## Against {ROWS[0]}" in view.results_report(held(), ROWS, ROWS[0]).as_markdown()


@pytest.mark.usefixtures("library")
def test_a_run_with_spaces_in_its_ids_keeps_six_columns(app: Start, tmp_path: Path) -> None:
    measured(app)
    found = held()
    odd = replace(found.measured["bm25"], name="x", run={"a b": ("c d", "e")})
    report = view.results_report(replace(found, measured={"x": odd}), ["x"], "")
    with zipfile.ZipFile(io.BytesIO(report.zipped_runs())) as archive:
        (tmp_path / "x.run").write_bytes(archive.read("x.run"))
    assert read_run(tmp_path / "x.run") == {"a%20b": ("c%20d", "e")}


def restarted() -> None:
    """Forget what an app that starts again does not know."""
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.mark.usefixtures("library")
def test_what_was_measured_is_still_there_after_a_restart(app: Start) -> None:
    before = page_html(measured(app))
    figures = held().measured
    restarted()
    test = open_page(app)
    assert not test.exception
    assert held().measured == figures
    assert not [button for button in test.button if button.key == "measure"]
    table = before[before.index("<table") : before.index("</table>")]
    assert table in page_html(test)
    year = datetime.fromisoformat(held().when["bm25"]).astimezone().year
    assert re.search(rf"40 queries over 40 documents. Measured (on|between) .* {year}, \d\d:\d\d", page_text(test))


def test_another_library_or_another_encoder_is_measured_anew(
    app: Start, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured(app, row=["bm25", "word2vec-sif"])
    restarted()
    card = registry.find("word2vec-sif").card
    monkeypatch.setattr(Workspace, "encoder_card", lambda _, name: replace(card, name=name, fingerprint="another"))
    assert set(held().measured) == {"bm25"}
    monkeypatch.undo()
    monkeypatch.setenv("PRIORSCOPE_LIBRARY", str(library))
    restarted()
    with Library.open(library) as opened:
        opened.add_file("more", "more.jsonl", [Document("more", title="One more", categories=("steam",))])
    questions = results.question_set("subjects")
    assert questions is not None
    assert results.find_results(questions) is None


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("kinds", [("paper",), ("paper", "patent")])
def test_the_default_ranking_of_ones_own_files_is_still_there_after_a_restart(kinds: tuple[Kind, ...]) -> None:
    documents = [replace(one, kind=kinds[number % len(kinds)]) for number, one in enumerate(corpus())]
    asked = from_parts("own", documents, [DRAFT], {DRAFT.id: {"steam0": 1}})
    questions = QuestionSet("own files", "your files", False, len(documents), lambda _: asked)
    assert results._measure(questions, ["default"], silent).startswith("1 ranking measured on 1 query.")
    restarted()
    kept = results.find_results(questions)
    assert kept is not None and set(kept.measured) == {"default"}


@pytest.mark.usefixtures("library")
def test_a_damaged_file_is_measured_anew(app: Start, library: Path) -> None:
    measured(app)
    for path in (library / "evaluations").rglob("row-*.json"):
        path.write_text("{}")
    restarted()
    test = open_page(app)
    assert not test.exception
    finished(test.button(key="measure").click().run())
    restarted()
    assert set(held().measured) == set(ROWS)


def test_figures_that_cannot_be_kept_are_shown_and_that_is_said(app: Start, library: Path) -> None:
    (library / "evaluations").write_text("a file where the folder should be")
    test = measured(app)
    assert not test.exception
    assert "They will be lost when the app ends: Expected to write" in page_text(test)
    assert "40 queries over 40 documents." in page_text(test)


@pytest.mark.usefixtures("library")
def test_rankings_can_be_measured_again(app: Start) -> None:
    test = measured(app)
    before = held().measured["bm25"]
    finished(test.button(key="measure-again").click().run())
    assert held().measured["bm25"] is not before
    assert held().measured["bm25"].metrics == before.metrics


@pytest.mark.usefixtures("library")
def test_only_what_was_not_measured_yet_is(app: Start) -> None:
    measured(app)
    before = held().measured["bm25"]
    test = open_page(app, row=[*ROWS, "word2vec-mean"])
    assert test.button(key="measure").label == "Measure 1 more"
    finished(test.button(key="measure").click().run())
    assert held().measured["bm25"] is before
    assert set(held().measured) == {*ROWS, "word2vec-mean"}


@pytest.mark.usefixtures("library")
def test_a_row_that_cannot_be_had_does_not_stop_the_others(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Catalogue, "measure_for", _refusing(Catalogue.measure_for, "tfidf"))
    test = measured(app)
    assert not test.exception
    assert "1 ranking measured on 40 queries. 1 could not be; the reason stands below." in page_text(test)
    assert "TF-IDF: Expected a word; got none." in page_text(test)


def _refusing(measure: Callable[..., object], refused: str) -> Callable[..., object]:
    from engine.core.errors import NotFittedError

    def either(catalogue: object, workspace: object, benchmark: object, row: str, **rest: object) -> object:
        if row == refused:
            raise NotFittedError("Expected a word; got none.")
        return measure(catalogue, workspace, benchmark, row, **rest)

    return either


@pytest.mark.usefixtures("library")
def test_an_encoder_that_has_not_read_the_library_says_how_long_that_takes_here(
    app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    known = "The times are those to read your library on this machine"
    monkeypatch.setattr(Workspace, "measure_reading", lambda self, names: asked.extend(names))
    for seconds, label, said in (
        (None, "C-DSSM", "Measuring on a sample how long the others need"),
        (2.0, "C-DSSM", known),
        (43.0, "C-DSSM · about 45 s", known),
        (600.0, "C-DSSM · about 10 min", known),
    ):
        asked.clear()
        monkeypatch.setattr(Workspace, "reading_seconds", lambda self, name, seconds=seconds: seconds)
        test = open_page(app)
        assert not test.exception
        assert label in test.button_group(key="evaluate-rows").options
        assert said in page_text(test)
        assert ("cdssm" in asked) is (seconds is None)


@pytest.mark.usefixtures("library")
def test_judgements_are_measured_listed_and_forgotten(app: Start, library: Path) -> None:
    with Library.open(library) as opened:
        opened.judgements.judge(DRAFT, "steam4", 1)
        opened.judgements.judge(DRAFT, "graph3", 0)
    test = measured(app, on="judged")
    assert not test.exception
    assert "measured on 1 query." in page_text(test)
    assert "1 of 2 relevant" in page_text(test)
    forget = next(button for button in test.button if (button.key or "").startswith("forget-"))
    forget.click().run()
    assert "None yet. Search for a document" in "".join(test.radio[0].proto.captions)
    assert [button.label for button in test.button if button.key == "to-search"] == ["Go to Search"]


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
    assert "has the best nDCG@10 here, 0.230" in str(said)
    assert "Too close to BM25 to tell on 200 queries: Default." in str(said)
    assert "ahead" not in str(said)


def test_rankings_with_the_same_figure_are_level() -> None:
    said = verdict_lines([line("default", 0.23, 0.0, 1.0), line("bm25", 0.23)], "nDCG@10", "bm25", 20)
    assert "are level here, with nDCG@10 0.230" in str(said)
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


@pytest.fixture
def prepared(library: Path) -> Path:
    with Workspace(library) as workspace:
        for name in ("tfidf", "lsa"):
            workspace.prepare(name)
    return library


def open_blind(app: Start) -> AppTest:
    return app(way="blind").switch_page("explorer/evaluate/view.py").run()


def judge_all(test: AppTest, running: BakeOff | None, *, most: int = 10) -> AppTest:
    assert running is not None
    for number, pick in enumerate(running.asked[-1].picks[:most]):
        test = test.button_group(key=f"judge-{pick.id}").set_value(number % 2).run()
        assert not test.exception
    return test


def test_two_rankings_are_asked_judged_blind_and_named_at_the_end(app: Start, prepared: Path) -> None:
    test = open_blind(app)
    test.selectbox(key="blind-first").set_value("lsa").run()
    test.selectbox(key="blind-second").set_value("tfidf").run()
    test.button(key="blind-start").click().run()
    assert not test.exception
    assert test.query_params["way"] == "blind"
    test.text_area(key="blind-text").set_value("boiler steam valve crank")
    test.button(key="blind-ask").click().run()
    assert not test.exception
    held = BakeOffs(prepared)
    test = judge_all(test, held.current())
    assert "Too early to say: 10 of at least 20 documents judged." in page_text(test)
    assert test.button(key="blind-reveal").disabled
    test.button(key="blind-draw").click().run()
    assert not test.exception
    assert "LSA" not in page_text(test) and "TF-IDF" not in page_text(test)
    test = judge_all(open_blind(app), held.current())  # after a reload
    test.button(key="blind-reveal").click().run()
    assert not test.exception
    said = page_text(test)
    assert "LSA alone" in said and "95 % interval" in said
    assert held.current() is None and len(held.all()) == 1


def test_a_bake_off_can_be_given_up(app: Start, prepared: Path) -> None:
    BakeOffs(prepared).start(("tfidf", "lsa"))
    open_blind(app).button(key="blind-drop").click().run()
    assert BakeOffs(prepared).all() == ()


@pytest.mark.usefixtures("library")
def test_without_encoders_that_have_read_the_library_the_page_says_so(app: Start) -> None:
    assert "Rankings can be compared once your library holds documents" in page_text(open_blind(app))


def test_rankings_are_named_for_people() -> None:
    named = [row_name(row) for row in ("default", "default(ctpe)", "ctpe", "keywords")]
    assert named[:3] == ["Search with Blend (default)", "Search with CTPE", "CTPE alone"]
    assert named[3].startswith("Keywords")
