"""Bringing a document: a pasted text, a file, or one of the library."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from engine.core.errors import EnoughError
from engine.core.progress import Progress, Report
from engine.workspace import Job
from explorer.shared import bring
from explorer.state import drafts, uploads
from tests.explorer.conftest import Start, page_html


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

    monkeypatch.setattr(uploads.drafts, "from_upload", read)
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
