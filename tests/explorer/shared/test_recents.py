"""The list of recent searches and comparisons, and own documents after a reload."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer.shared.recents import AT_FIRST, ago
from explorer.state import handles
from tests.explorer.conftest import Start, page_text
from tests.explorer.pages import MARKDOWN, PAIR, titles

pytestmark = pytest.mark.usefixtures("folder")
TEXT = "Zyxwalks of graphs\n\nAbstract\nHow long does a random walk on a graph need?"


def pasted(test: AppTest, text: str) -> AppTest:
    test.text_area(key="paste-text").set_value(text)
    return next(button for button in test.button if button.label == "Read this text").click().run()


def recent(test: AppTest) -> list[str]:
    """The titles of the list."""
    keys = [str(button.key) for button in test.button if str(button.key).startswith("recent-")]
    return [test.button(key=key).label for key in keys if len(key) == len("recent-") + 32]


def entry(test: AppTest, title: str) -> str:
    return next(str(button.key) for button in test.button if button.label == title)


def test_nothing_recent_needs_no_list(app: Start) -> None:
    assert "Recent" not in [header.value for header in app().header]


def test_a_draft_and_a_query_outlive_a_reload(app: Start) -> None:
    test = pasted(app(), TEXT)
    assert set(test.query_params) == {"check", "encoder"}
    again = app(check=test.query_params["check"])
    assert not again.exception and "where they were read wrongly" in page_text(again)
    title = next(field for field in again.text_input if field.label == "Title")
    assert title.value == "Zyxwalks of graphs"
    title.set_value("Zyxtours of graphs").run()
    third = app(check=again.query_params["check"])
    assert next(field.value for field in third.text_input if field.label == "Title") == "Zyxtours of graphs"
    third.button(key="ask").click().run()
    assert titles(third) and "check" not in third.query_params
    assert "Zyx" not in str(third.query_params)
    fourth = app(own=third.query_params["own"])
    assert "Zyxtours of graphs" in page_text(fourth) and titles(fourth) == titles(third)
    assert "until 30 days after their last use, up to 1,000 documents and 200 MB" in page_text(fourth)


def test_corrections_of_corrections_take_little_room(app: Start) -> None:
    test = pasted(app(), TEXT)
    for number in range(5):
        next(field for field in test.text_input if field.label == "Title").set_value(f"Title {number}").run()
    assert len(handles.workspace().own.files()) == 2  # as read, and as corrected last


def test_a_short_question_is_asked_at_once_and_stands_in_no_link(app: Start) -> None:
    test = pasted(app(), "How do zyxwalks mix on a graph?")
    assert titles(test) and "zyx" not in str(test.query_params)


@pytest.mark.usefixtures("by_hand")
def test_an_upload_is_compared_again_after_a_reload(compare_page: Start) -> None:
    test = compare_page(a=PAIR["a"])
    test.file_uploader[0].set_value(("walks.md", MARKDOWN, "text/markdown")).run()
    assert "document similarity" in page_text(test)
    again = compare_page(a=PAIR["a"], b=test.query_params["b"])
    assert "Walks on graphs" in page_text(again) and "document similarity" in page_text(again)
    welcome = compare_page()
    assert len(recent(welcome)) == 1 and recent(welcome)[0].endswith("and Walks on graphs")
    welcome.button(key=entry(welcome, recent(welcome)[0])).click().run()
    assert "document similarity" in page_text(welcome)


def test_a_document_that_is_not_here_is_missed_in_words(app: Start, compare_page: Start) -> None:
    key = "0" * 32
    for test in (app(own=key), app(check=key), compare_page(a=f"own:{key}")):
        assert not test.exception
        assert "names a document of your own that is not on this machine" in page_text(test)
        assert "Upload or paste it again." in page_text(test)
        assert key not in str(test.query_params)


def test_a_changed_file_is_told(app: Start, folder: Path) -> None:
    key = pasted(app(), "How do zyxwalks mix on a graph?").query_params["own"]
    path = folder / "kept" / "documents" / f"{key}.json"
    path.write_bytes(path.read_bytes() + b" ")
    test = app(own=key)
    assert not test.exception and "the file was changed or damaged" in page_text(test)


def test_a_document_that_cannot_be_kept_is_searched_all_the_same(app: Start, folder: Path) -> None:
    (folder / "kept").write_text("a file where a folder is expected")
    test = pasted(app(), "How do zyxwalks mix on a graph?")
    assert not test.exception and titles(test)
    assert "own" not in test.query_params
    assert "This document is not kept." in page_text(test) + page_text(test.run())


def test_recent_searches_are_opened_again_and_forgotten(app: Start) -> None:
    asked = pasted(app(), "How do zyxwalks mix on a graph?")
    app(doc="p2", kind="paper")
    test = app()
    assert recent(test) == ["Mixing of Markov chains", "How do zyxwalks mix on a graph?"]
    assert "Search, just now" in page_text(test)
    test.button(key=entry(test, "Mixing of Markov chains")).click().run()
    assert (test.query_params["doc"], test.query_params["kind"]) == ("p2", "paper")
    test = app()
    test.button(key=entry(test, "How do zyxwalks mix on a graph?").replace("recent-", "forget-")).click().run()
    assert recent(test) == ["Mixing of Markov chains"]
    assert "is not on this machine" in page_text(app(own=asked.query_params["own"]))
    test = app()
    test.button(key="recent-forget-all").click().run()
    assert recent(test) == []


def test_a_search_that_is_filtered_stays_one_entry(app: Start) -> None:
    test = app(doc="p2")
    test.selectbox(key="option-k").set_value(50).run()
    welcome = app()
    assert recent(welcome) == ["Mixing of Markov chains"]
    welcome.button(key=entry(welcome, "Mixing of Markov chains")).click().run()
    assert welcome.query_params["k"] == "50"


def test_seeds_alone_are_an_entry(app: Start) -> None:
    app(like="p2")
    test = app()
    assert recent(test) == ["Like Mixing of Markov chains"]
    test.button(key=entry(test, "Like Mixing of Markov chains")).click().run()
    assert test.query_params["like"] == "p2" and "doc" not in test.query_params


def test_the_list_is_short_until_more_is_wanted(app: Start) -> None:
    for number in range(AT_FIRST + 3):
        handles.workspace().recent.record("search", f"Search {number}", {"doc": [f"d{number}"]})
    test = app()
    assert len(recent(test)) == AT_FIRST and test.button(key="recent-turn").label == "Show 3 more"
    assert len(recent(test.button(key="recent-turn").click().run())) == AT_FIRST + 3


def test_nothing_is_remembered_where_that_is_switched_off(app: Start) -> None:
    app(doc="p2")
    test = app()
    test.toggle(key="recent-off").set_value(True).run()
    key = pasted(test, "How do zyxwalks mix on a graph?")
    assert titles(key) and "own" not in key.query_params
    assert "is not kept, and no part of the link" in page_text(key)
    test = app()
    assert recent(test) == ["Mixing of Markov chains"] and test.toggle(key="recent-off").value
    assert "a reload loses them" in page_text(test)


@pytest.mark.parametrize(
    ("seconds", "words"), [(3, "just now"), (61, "1 minute ago"), (7_300, "2 hours ago"), (200_000, "2 days ago")]
)
def test_how_long_ago_is_said_in_words(seconds: float, words: str) -> None:
    assert ago(seconds) == words


def test_the_limits_are_changed_where_they_are_told(app: Start) -> None:
    test = pasted(app(), "How do zyxwalks mix on a graph?")
    test.number_input(key="limit-days").set_value(7)
    test.number_input(key="limit-documents").set_value(20)
    test.button(key="limits-keep").click().run()
    assert not test.exception
    assert "until 7 days after their last use, up to 20 documents and 200 MB" in page_text(test)
    welcome = app()
    assert welcome.number_input(key="limit-days").value == 7
    assert "Kept now: 1 document" in page_text(welcome)


def test_a_limit_out_of_range_is_refused_with_its_reason(app: Start) -> None:
    test = pasted(app(), "How do zyxwalks mix on a graph?")
    for name, value in (("days", 0), ("documents", 100_001), ("megabytes", -5)):
        field = test.number_input(key=f"limit-{name}")
        held = field.value
        field.set_value(value)
        test.button(key="limits-keep").click().run()
        assert f"Expected {name} from 1 to " in page_text(test) and f"got {value:,}" in page_text(test)
        test.number_input(key=f"limit-{name}").set_value(held)
    assert "until 30 days after their last use, up to 1,000 documents and 200 MB" in page_text(test)
