"""Taking documents out of the library on its page, and what the other pages make of it."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.library import Library
from explorer.state import handles, jobs
from tests.explorer.conftest import Start, finished, page_text
from tests.explorer.shared.collections import opened


@pytest.fixture
def removal(app: Start, folder: Path) -> AppTest:
    """The library page with its section for removing open."""
    assert folder.is_dir()
    return opened(app(like="p2", encoder="tfidf").switch_page("explorer/library/view.py").run(), "removal")


def test_a_file_goes_with_its_documents(removal: AppTest, folder: Path) -> None:
    test = removal.selectbox(key="gone").select("own").run()
    assert "6 documents came with this file and with no other." in page_text(test)
    test = finished(opened(test, "remove-file").button(key="remove-file-now").click().run())
    assert not test.exception
    assert "6 documents removed." in page_text(test) and "Nothing here yet" in page_text(test)
    with Library.open(folder) as library:
        assert (len(library), library.files()) == (0, [])


def test_a_document_goes_and_the_search_goes_on_without_it(removal: AppTest, folder: Path) -> None:
    assert handles.vector_count("tfidf") == 6
    test = removal.text_input(key="gone-words").set_value("mixing").run()
    test = finished(opened(test, "remove-1").button(key="remove-1-now").click().run())
    assert not test.exception
    assert "1 document removed." in page_text(test)
    assert "<dt>Documents</dt><dd>5</dd>" in page_text(test)
    assert handles.vector_count("tfidf") == 5
    assert "like" not in test.query_params  # it was a seed of this visitor's search
    with Library.open(folder) as library:
        assert "p2" not in library.ids()


def test_a_document_is_found_by_its_id(removal: AppTest) -> None:
    test = removal.text_input(key="gone-words").set_value("US2").run()
    assert "Car coupling" in page_text(test) and "Telegraph relay" not in page_text(test)


def test_no_title_is_said(removal: AppTest) -> None:
    test = removal.text_input(key="gone-words").set_value("zeppelin").run()
    assert "No title holds all of these words, and no author, id or number is zeppelin." in page_text(test)


def test_a_file_of_before_says_what_to_do(removal: AppTest, folder: Path) -> None:
    with sqlite3.connect(folder / "library.sqlite3") as connection:
        connection.execute("DELETE FROM origins")  # as a library of version 1 comes in
    test = removal.selectbox(key="gone").select("own").run()
    assert "Remove its documents one by one." in page_text(test)


def test_a_file_whose_documents_came_with_others_leaves_only_its_name(removal: AppTest, folder: Path) -> None:
    with Library.open(folder) as library:
        library.add_file("copy", "copy.jsonl", library.get(["p1"]))
    test = removal.run()
    test = opened(test.selectbox(key="gone").select("copy").run(), "remove-file")
    assert "only the file's name leaves this list" in page_text(test)
    test = finished(test.button(key="remove-file-now").click().run())
    assert "0 documents removed." in page_text(test) and len(handles.library()) == 6


def test_a_removal_waits_while_other_work_runs(removal: AppTest) -> None:
    going = threading.Event()
    jobs.start("Importing kites", lambda report: str(going.wait(60)))
    test = opened(removal.selectbox(key="gone").select("own").run(), "remove-file")
    test = test.button(key="remove-file-now").click().run()
    assert "Waits for “Importing kites”." in page_text(test) and len(handles.library()) == 6
    going.set()
    assert "6 documents removed." in page_text(finished(test)) and not len(handles.library())


def test_notes_on_what_was_removed_wait_until_they_are_forgotten(removal: AppTest, folder: Path) -> None:
    with Library.open(folder) as library:
        library.annotations.note(["p2"], "Lazy.")
        library.remove(["p2"])
    test = removal.run()
    assert "Your notes, tags and decisions on 1 removed document wait in case they come back." in page_text(test)
    test = test.button(key="forget-removed").click().run()
    assert "in case they come back" not in page_text(test)
    with Library.open(folder) as library:
        assert library.annotations.of_removed() == 0
