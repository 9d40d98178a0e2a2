"""A visitor's own documents on their way to a question, and our examples."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import streamlit as st

from engine.core.files import sha256_bytes
from explorer.state import drafts
from explorer.state.examples import EXAMPLE_PAIRS, every_example, examples
from tests.explorer.conftest import Start, page_text
from tests.explorer.pages import titles


@pytest.mark.usefixtures("folder")
def test_a_draft_gives_way_to_another_query(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Cover times\n\nAbstract\nA random walk on a graph mixes.")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert "where they were read wrongly" in page_text(test)
    del test.query_params["check"]
    test.query_params["example"] = "rewired-random-walk"
    test.run()
    assert not test.exception
    assert "where they were read wrongly" not in page_text(test) and titles(test)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("like", ["like", "unlike"])
def test_a_seed_that_the_library_lost_is_said_and_left_out(app: Start, like: str) -> None:
    test = app(example="rewired-random-walk", **{like: "stranger"})
    assert not test.exception
    assert "it does not hold stranger" in page_text(test)
    assert titles(test)
    assert like not in test.query_params


@pytest.mark.usefixtures("folder")
def test_an_example_that_there_is_not_is_said(app: Start) -> None:
    test = app(example="nobody")
    assert not test.exception
    assert "got 'nobody'. Choose one below" in page_text(test)
    assert "Or try an example" in [heading.value for heading in test.header]
    assert "example" not in test.query_params


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(st, "session_state", {})
    yield


def pdf(number: int, size: int = 10) -> bytes:
    return b"%PDF-1.4 " + bytes([65 + number]) * size


@pytest.mark.usefixtures("session")
def test_a_pdf_is_found_by_its_content() -> None:
    drafts.keep_pdf(pdf(1), "draft.pdf")
    found = drafts.find_pdf(sha256_bytes(pdf(1)))
    assert found is not None and (found.name, found.read()) == ("draft.pdf", pdf(1))
    assert drafts.find_pdf(sha256_bytes(pdf(2))) is None and drafts.find_pdf("") is None


@pytest.mark.usefixtures("session")
def test_other_formats_are_not_held_whatever_their_name() -> None:
    drafts.keep_pdf(b"# A text", "draft.pdf")
    assert drafts.find_pdf(sha256_bytes(b"# A text")) is None


@pytest.mark.usefixtures("session")
def test_the_first_go_when_there_are_too_many() -> None:
    for number in range(drafts.MOST_FILES):
        drafts.keep_pdf(pdf(number), "x.pdf")
    drafts.keep_pdf(pdf(0), "x.pdf")  # brought again
    drafts.keep_pdf(pdf(20), "x.pdf")
    assert drafts.find_pdf(sha256_bytes(pdf(1))) is None
    assert drafts.find_pdf(sha256_bytes(pdf(0))) and drafts.find_pdf(sha256_bytes(pdf(20)))


@pytest.mark.usefixtures("session")
def test_the_first_go_when_they_are_too_large_and_the_last_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MOST_BYTES", 300)
    drafts.keep_pdf(pdf(1, 200), "x.pdf")
    drafts.keep_pdf(pdf(2, 200), "x.pdf")
    assert drafts.find_pdf(sha256_bytes(pdf(1, 200))) is None
    drafts.keep_pdf(pdf(3, 900), "x.pdf")
    assert drafts.find_pdf(sha256_bytes(pdf(3, 900)))


def test_there_are_three_papers_and_three_patents_to_try() -> None:
    kinds = [example.kind for example in examples().values()]
    assert kinds == ["paper"] * 3 + ["patent"] * 3
    for example in examples().values():
        assert 400 <= len(example.path.read_text("utf-8").split()) <= 900
        assert example.title
        assert len(example.opening) > 200


def test_every_document_of_an_example_pair_is_there() -> None:
    names = {name for pair in EXAMPLE_PAIRS for name in (pair.first, pair.second)}
    assert names <= set(every_example())
    assert {every_example()[name].kind for name in names} == {"paper", "patent"}
