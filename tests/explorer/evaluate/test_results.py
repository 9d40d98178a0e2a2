"""What can be measured and what was: kept, found again, and made again where it no longer holds."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
import streamlit as st

from engine.core.progress import silent
from engine.documents import Document, Kind
from engine.encoders import registry
from engine.evaluation.benchmarks import from_parts
from engine.library import Library
from engine.workspace import Workspace
from explorer.evaluate import results
from explorer.evaluate.results import QuestionSet
from tests.contracts.encoder import corpus
from tests.explorer.conftest import Start, finished, page_html, page_text
from tests.explorer.evaluate.measuring import DRAFT, ROWS, held, measured, open_page


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
    monkeypatch.setattr("explorer.evaluate.results._measured", _refusing(results._measured, "tfidf"))
    test = measured(app)
    assert not test.exception
    assert "1 ranking measured on 40 queries. 1 could not be; the reason stands below." in page_text(test)
    assert "TF-IDF: Expected a word; got none." in page_text(test)


def _refusing(measure: Callable[..., object], refused: str) -> Callable[..., object]:
    from engine.core.errors import NotFittedError

    def either(benchmark: object, row: str, *rest: object) -> object:
        if row == refused:
            raise NotFittedError("Expected a word; got none.")
        return measure(benchmark, row, *rest)

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
