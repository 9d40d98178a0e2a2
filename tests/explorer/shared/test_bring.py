"""Bringing a document: a pasted text, a file, one of the library by its title, or the one of a link."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.core.errors import EnoughError
from engine.core.progress import Progress, Report
from engine.workspace import Job
from explorer.shared import bring
from explorer.state import drafts
from tests.explorer.conftest import Start, page_html, page_text
from tests.explorer.pages import titles


@pytest.mark.usefixtures("folder")
def test_a_text_that_was_read_is_still_there_after_discarding(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Cover times\n\nAbstract\nA random walk on a graph mixes.")
    next(button for button in test.button if button.label == "Read this text").click().run()
    test.button(key="discard").click().run()
    assert test.text_area(key="paste-text").value == "Cover times\n\nAbstract\nA random walk on a graph mixes."


@pytest.mark.usefixtures("folder")
def test_a_bad_file_shows_its_sentence_and_a_good_one_is_read_after_it(app: Start) -> None:
    test = app()
    test.file_uploader[0].set_value(("paper.pdf", b"\x00\x01\x02 not a pdf", "application/pdf")).run()
    assert not test.exception
    assert "ps-notice ps-problem" in page_html(test)
    test.run()
    assert "ps-notice ps-problem" in page_html(test)
    markdown = b"# Walks on graphs\n\n## Abstract\n\nA walk on a graph.\n\n## Method\n\nWe walk.\n"
    test.file_uploader[0].set_value(("walks.md", markdown, "text/markdown")).run()
    assert not test.exception
    assert [field.value for field in test.text_input if field.label == "Title"] == ["Walks on graphs"]
    assert [field.value for field in test.text_input if field.label == "Title of section 1"] == ["Method"]


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, list[Report]]]:
    """Files that take long: an event that ends the reading, and the reports of files that are read."""
    go, reports = threading.Event(), []

    def read(data: bytes, name: str, report: Report) -> drafts.Draft:
        reports.append(report)
        for page in range(1, 1_000):
            try:
                report(Progress(f"read {name}", page, 1_000, 1.0))
            except EnoughError:
                break
            if go.wait(0.01):
                break
        return dataclasses.replace(drafts.from_text("Walks on graphs"), origin="own", name=name, pages=page)

    monkeypatch.setattr(drafts, "from_upload", read)
    monkeypatch.setattr(bring, "QUICK_SECONDS", 0.05)
    yield go, reports
    go.set()


def opened(app: Start) -> AppTest:
    test = app()
    test.file_uploader[0].set_value(("book.pdf", b"%PDF-1.7 ...", "application/pdf")).run()
    assert not test.exception
    return test


def shown_when_read(test: AppTest, job: Job) -> AppTest:
    assert job.finished.wait(30)
    return test.run()


@pytest.mark.usefixtures("folder")
def test_a_long_file_shows_how_far_it_is_and_is_taken_when_it_is_read(
    app: Start, slow: tuple[threading.Event, list[Report]]
) -> None:
    test = opened(app)
    job = test.session_state["reading"].job
    assert "Reading book.pdf" in page_html(test) and "Read book.pdf: " in page_html(test)
    test.run()
    assert len(slow[1]) == 1  # it is read once
    slow[0].set()
    assert shown_when_read(test, job).button(key="ask")


@pytest.mark.usefixtures("folder", "slow")
def test_one_goes_on_with_the_pages_that_have_been_read(app: Start) -> None:
    test = opened(app)
    job = test.session_state["reading"].job
    test.button(key="reading-enough").click().run()
    assert shown_when_read(test, job).button(key="ask")


@pytest.mark.usefixtures("folder", "slow")
def test_a_file_that_is_given_up_leaves_the_field_empty(app: Start) -> None:
    test = opened(app)
    job = test.session_state["reading"].job
    test.button(key="reading-cancel").click().run()
    shown_when_read(test, job)
    assert "reading" not in test.session_state
    assert not test.file_uploader[0].value and "ps-notice ps-problem" not in page_html(test)


@pytest.mark.usefixtures("folder")
def test_a_document_of_the_library_can_be_picked(app: Start) -> None:
    test = app()
    test.text_input(key="pick-words").set_value("cover").run()
    test.button(key="pick-p1").click().run()
    assert not test.exception
    assert test.query_params["doc"] == "p1"
    assert "Cover times of random walks" not in titles(test)
    assert "itself in the library" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_a_document_is_found_by_its_author_or_id(app: Start) -> None:
    test = app()
    for typed in ("hopper", "Grace Hop", "p1"):
        test.text_input(key="pick-words").set_value(typed).run()
        assert test.button(key="pick-p1").label == "Find what is near", typed


@pytest.mark.usefixtures("folder")
def test_a_link_that_cannot_be_restored_as_a_whole_says_so_once(app: Start) -> None:
    said = "A part of this link could not be restored"
    test = app(example="rewired-random-walk", venue="<b>" * 400)
    assert not test.exception
    assert page_text(test).count(said) == 1
    assert titles(test)
    assert "<b>" not in page_html(test)
    assert said not in page_text(test.run())
    assert said not in page_text(app(example="rewired-random-walk", venue="Annals of Walks", rank="default"))


PAGES = Path(__file__).resolve().parents[3] / "explorer"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", ["search", "compare", "map", "evaluate"])
def test_each_page_that_a_link_opens_says_what_it_lost(page: str) -> None:
    test = AppTest.from_file(str(PAGES / page / "view.py"), default_timeout=60)
    test.query_params["case"] = "x" * 5000
    test.run()
    assert not test.exception
    assert page_text(test).count("A part of this link could not be restored") == 1
    assert "A part of this link" not in page_text(test.run())
