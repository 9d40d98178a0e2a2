"""The list of documents: its order and pages, its filters, and a document that is opened."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.documents import Document
from engine.library import Library
from tests.explorer.conftest import HOSTILE, Start, page_html, page_text
from tests.explorer.pages import opened, part


def titles(test: AppTest) -> list[str]:
    return re.findall(r'class="ps-row-title">(.*?)</h2>', page_html(test))


def beginnings(test: AppTest) -> list[str]:
    return [title.split()[0] for title in titles(test) if "script" not in title]


@pytest.mark.usefixtures("folder")
def test_the_last_document_comes_first_and_every_order_can_be_turned(app: Start) -> None:
    test = part(app, "Documents")
    assert not test.exception
    assert beginnings(test) == ["Car", "Telegraph", "Rotons", "Mixing", "Cover"]
    assert "1 to 6 of 6 documents" in page_text(test)
    assert "from own.jsonl" in page_text(test)
    test = test.button(key="list-turn").click().run()
    assert beginnings(test) == ["Cover", "Mixing", "Rotons", "Telegraph", "Car"]
    assert test.query_params["turned"] == "yes" and "sort" not in test.query_params
    test = test.segmented_control(key="list-order").set_value("title").run()
    assert beginnings(test) == ["Car", "Cover", "Mixing", "Rotons", "Telegraph"]
    test = test.segmented_control(key="list-order").set_value("year").run()
    assert beginnings(test) == ["Mixing", "Cover", "Rotons", "Car", "Telegraph"]
    assert test.query_params["sort"] == "year" and "turned" not in test.query_params


@pytest.mark.usefixtures("folder")
def test_a_link_opens_the_list_in_its_order(app: Start) -> None:
    test = part(app, "Documents", sort="title", turned="yes")
    assert not test.exception
    assert beginnings(test) == ["Telegraph", "Rotons", "Mixing", "Cover", "Car"]
    assert test.segmented_control(key="list-order").value == "title"
    test = test.button(key="list-turn").click().run()
    assert beginnings(test)[0] == "Car" and "turned" not in test.query_params


@pytest.mark.usefixtures("folder")
def test_a_hostile_title_stays_text(app: Start) -> None:
    test = part(app, "Documents")
    assert "<script>" not in page_html(test) and HOSTILE.split()[0] in page_text(test)


@pytest.mark.usefixtures("folder")
def test_lines_limit_the_list_and_search_and_map_with_it(app: Start) -> None:
    test = part(app, "Documents")
    assert not [button for button in test.button if button.key == "list-search"]
    test = test.text_area(key="list-lines").set_value("kind:patent year:-1887").run()
    assert beginnings(test) == ["Telegraph"]
    assert "1 to 1 of 1 document that pass the filters" in page_text(test)
    assert test.query_params["line"] == "kind:patent year:-1887"
    test = test.button(key="list-search").click().run()
    assert not test.exception and "kind:patent year:-1887" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_nothing_that_passes_is_said(app: Start) -> None:
    test = part(app, "Documents", line="zeppelin")
    assert "No document passes the filters." in page_text(test)
    test = test.button(key="list-clear").click().run()
    assert len(titles(test)) == 6


def test_a_row_names_the_files_without_their_folders(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        for key, name in (("k2", "/home/ada/first.ris"), ("k3", "C:\\papers\\second.bib")):
            library.add_file(key, name, [Document("k1", "paper", "Kites in gusts", "They flew.", year=2015)])
    test = part(app, "Documents", line="kites")
    assert "from first.ris, second.bib, 20" in page_text(test) and "Brought by /home/ada/first.ris, C:" in page_text(
        test
    )


def test_one_import_is_listed_alone(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        library.add_file("k2", "more.ris", [Document("k1", "paper", "Kites in gusts", "They flew.", year=2015)])
    test = opened(part(app, "Documents"), "list-filters")
    test = test.multiselect(key="option-files").select("more.ris").run()
    assert titles(test) == ["Kites in gusts"]
    assert test.query_params["file"] == "more.ris"


@pytest.fixture
def many(folder: Path) -> Path:
    with Library.open(folder) as library:
        library.add_file("k2", "many.csv", [Document(f"d{n}", "paper", f"Kite {n:03}") for n in range(60)])
    return folder


@pytest.mark.usefixtures("many")
def test_only_one_page_is_read_and_another_order_begins_at_the_first(app: Start) -> None:
    test = part(app, "Documents")
    assert len(titles(test)) == 25 and titles(test)[0] == "Kite 059"
    key = f"list-page-{test.session_state['list-turns']}"
    test.session_state[key] = 3
    test = test.run()
    assert "51 to 66 of 66 documents" in page_text(test) and len(titles(test)) == 16
    test = test.segmented_control(key="list-order").set_value("title").run()
    assert "1 to 25 of 66 documents" in page_text(test)


def test_a_page_that_is_gone_leads_to_the_first(app: Start, many: Path) -> None:
    test = part(app, "Documents")
    test.session_state[f"list-page-{test.session_state['list-turns']}"] = 3
    test.run()
    with Library.open(many) as library:
        library.remove([f"d{n}" for n in range(60)])
    test = test.run()
    assert not test.exception and "1 to 6 of 6 documents" in page_text(test)


def test_an_opened_document_shows_its_text_and_takes_notes(app: Start, folder: Path) -> None:
    test = part(app, "Documents", line="walks spectral")
    test = test.button(key="open-document-0").click().run()
    assert "We bound the cover time by the spectral gap" in page_text(test)
    assert "Ada Lovelace, Grace Hopper" in page_text(test)
    test = test.text_area(key="note-document-p1").set_value("=SUM(1)\nSee <b>page 2</b>").run()
    test = test.checkbox(key="read-document-p1").check().run()
    test = test.text_input(key="reason-document-p1").set_value("Wrong graph").run()
    test = test.button(key="exclude-document").click().run()
    assert not test.exception
    text = page_text(test)
    assert "✓ Read" in text and "Excluded: Wrong graph" in text and "See <b>page 2</b>" not in page_html(test)
    with Library.open(folder) as library:
        (row,) = library.listing.of(["p1"])
    assert (row.annotation.note, row.annotation.is_read) == ("=SUM(1)\nSee <b>page 2</b>", True)
    test = test.button(key="open-document-0").click().run()
    assert "We bound the cover time" not in page_text(test)


@pytest.mark.usefixtures("folder")
def test_an_opened_document_becomes_the_query(app: Start) -> None:
    test = part(app, "Documents", line="title:rotons")
    test = test.button(key="open-document-0").click().run()
    test = test.button(key="near-document").click().run()
    assert not test.exception and test.query_params["doc"] == "p3"


@pytest.mark.usefixtures("folder")
def test_what_is_listed_comes_as_a_file(app: Start) -> None:
    test = opened(part(app, "Documents", line="kind:patent"), "list-download")
    labels = [button.label for button in test.get("download_button")]
    assert labels == ["CSV", "JSON", "BibTeX", "RIS"]
