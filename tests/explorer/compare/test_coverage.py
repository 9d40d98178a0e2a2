"""One document against the library on the compare page: the button, the choices, the cell, and what may be new."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.library import Library
from engine.workspace import Workspace
from explorer.compare import coverage as page
from explorer.compare.side_by_side import ShownTexts
from explorer.state import handles
from tests.compare.shelves import PAPERS, Reader, draft, matcher
from tests.explorer.conftest import Start, page_text
from tests.explorer.pages import charts

HELD = {"a": "library:draft"}
PARAGRAPH = PAPERS[5].sections[0].text[:600].rsplit(". ", 1)[0] + "."
DRAFT = draft(PARAGRAPH)
CELL = {**HELD, "library": "sections", "at": "2:d5"}


@pytest.fixture
def shown(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[ShownTexts]:
    """The texts that the page showed, over a library that holds the draft, too."""
    with Library.open(empty_folder, create=True) as held:
        held.add_file("k", "papers", (*PAPERS, DRAFT))
        held.collections.add("Mine", ["d5", "d6"])
    monkeypatch.setattr(Workspace, "passage_encoder", lambda _: Reader())
    monkeypatch.setattr(Workspace, "passages", lambda _: matcher((*PAPERS, DRAFT)))
    found: list[ShownTexts] = []
    monkeypatch.setattr(page, "side_by_side", lambda texts, **_: found.append(texts))
    return found


def covered(test: AppTest) -> AppTest:
    """The page after the work in the background."""
    job = handles.workspace().jobs.last()
    if job is not None:
        assert job.finished.wait(60)
    test.run()
    assert not test.exception
    return test


def values(test: AppTest) -> dict[str, object]:
    heatmap = charts(test)[0]["data"][0]  # type: ignore[index]
    assert isinstance(heatmap, dict)
    return heatmap


@pytest.mark.usefixtures("shown")
def test_the_button_compares_the_first_document_with_the_library(compare_page: Start) -> None:
    test = compare_page(**HELD)
    test.button(key="against-library").click().run()
    covered(test)
    assert test.query_params["library"] == "sections"
    assert "Of 4 sections, 3 may be new." in page_text(test)
    assert "One document covers" in page_text(test) and PAPERS[5].title in page_text(test)
    assert page_text(test).count("may be new</span>") == 3
    assert values(test)["zmax"] == 1.0 and values(test)["zmin"] == 0.0


def test_a_link_restores_rows_orders_and_cell(compare_page: Start, shown: list[ShownTexts]) -> None:
    link = {**CELL, "library": "paragraphs", "down": "coverage", "across": "year"}
    test = covered(compare_page(**link))
    assert {key: test.query_params[key] for key in link} == link
    assert test.selectbox(key="coverage-rows").value == "paragraphs"
    assert test.selectbox(key="coverage-column_order").value == "year"
    texts = shown[-1]
    assert (texts.a.id, texts.b.id) == ("draft", "d5")
    assert texts.cell is not None and texts.cell.match == 0
    assert texts.matches[0].a.text in DRAFT.parts[texts.matches[0].a.part].text
    assert texts.matches[0].b.text in PAPERS[5].parts[texts.matches[0].b.part].text


def test_a_cell_that_covers_nothing_shows_its_passages_all_the_same(
    compare_page: Start, shown: list[ShownTexts]
) -> None:
    covered(compare_page(**{**CELL, "at": "0:d5"}))
    cell = shown[-1].cell
    assert cell is not None and cell.match is None and cell.evidence is not None


@pytest.mark.usefixtures("shown")
def test_a_collection_gives_the_columns(compare_page: Start) -> None:
    test = covered(compare_page(**HELD, library="sections"))
    test.selectbox(key="coverage-collection").select("Mine").run()
    covered(test)
    assert test.query_params["only"] == "Mine"
    assert "2 documents cover" in page_text(test)


@pytest.mark.usefixtures("shown")
def test_rows_that_the_document_lacks_are_said(compare_page: Start) -> None:
    test = covered(compare_page(**HELD, library="claims"))
    assert "Expected a document with claims" in page_text(test)


@pytest.mark.usefixtures("shown")
def test_one_document_is_compared_instead_after_a_change(compare_page: Start) -> None:
    test = covered(compare_page(**CELL))
    test.button(key="change-library").click().run()
    assert "library" not in test.query_params and "at" not in test.query_params
    assert test.button(key="against-library")


@pytest.mark.usefixtures("empty_folder")
def test_without_a_library_the_button_is_not_offered(compare_page: Start) -> None:
    test = compare_page(a="example:car-coupling")
    assert "against-library" not in [button.key for button in test.button]


@pytest.mark.usefixtures("shown")
def test_downloads_hold_what_the_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.compare import CoverageSettings, cover

    made: dict[str, bytes] = {}
    monkeypatch.setattr(page, "file_downloads", lambda kinds, **_: made.update({one[0]: one[2]() for one in kinds}))
    page._downloads(cover(handles.workspace().shelf(), DRAFT, CoverageSettings()))
    assert json.loads(made["json"])["columns"][0] == "d5"
    assert b"Planted 0" in made["csv"] and b"Planted 0" in made["html"]
    assert made["png"].startswith(b"\x89PNG")
