"""Bringing a document: pasted, as a file, by title or link, corrected in a form, or found again among the recent."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.core.errors import EnoughError
from engine.core.progress import Progress, Report
from engine.documents import Document
from engine.workspace import Job
from explorer.shared import bring
from explorer.shared.document_form import _listed, _with_claims
from explorer.shared.recents import AT_FIRST, ago
from explorer.state import drafts, handles
from tests.explorer.conftest import Start, page_html, page_text
from tests.explorer.pages import MARKDOWN, PAIR, keep, titles

TEXT = "Zyxwalks of graphs\n\nAbstract\nHow long does a random walk on a graph need?"


@pytest.mark.usefixtures("folder")
def test_a_text_that_was_read_is_still_there_for_a_new_search(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Cover times\n\nAbstract\nA random walk on a graph mixes.")
    next(button for button in test.button if button.label == "Read this text").click().run()
    test.button(key="new-search").click().run()
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


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("page", "link", "said"),
    [
        ("search", {"encoder": "nosuch"}, "encoder=nosuch (used instead: default)"),
        ("map", {"encoder": "nosuch", "beside": "none"}, "beside=none, encoder=nosuch (used instead: default)"),
        ("map", {"hit": "nosuch"}, "hit=nosuch"),
        ("models", {"card": "nosuch"}, "card=nosuch"),
        ("search", {"sort": "nosuch", "part": "nosuch"}, "part=nosuch (used instead: overview), sort=nosuch"),
        ("search", {"in": "nosuch", "file": "none.bib"}, "in=nosuch, file=none.bib"),
        ("search", {"a": "library:p1", "library": "claims", "only": "no", "at": "1:none"}, "only=no, at=1:none"),
    ],
)
def test_what_a_link_asks_for_and_is_not_here_is_told(page: str, link: dict[str, str], said: str) -> None:
    test = AppTest.from_file(str(PAGES / page / "view.py"), default_timeout=60)
    for key, value in link.items():
        test.query_params[key] = value
    test.run()
    assert not test.exception
    assert all(one in page_text(test) for one in ("could not be restored: ", *said.split(", ")))
    assert {key for key in link if key in test.query_params} == {"a", "library"} & {*link}
    assert "could not be restored" not in page_text(test.run())


def test_what_is_here_is_not_said_to_be_lost(folder: Path) -> None:
    keep(folder, "Walks", "p1")
    test = AppTest.from_file(str(PAGES / "search" / "view.py"), default_timeout=60)
    for key, value in {"in": "walks", "file": "own.jsonl", "hit": "p2", "card": "bm25", "encoder": "default"}.items():
        test.query_params[key] = value
    assert "could not be restored: card=bm25." in page_text(test.run())


PAGES = Path(__file__).resolve().parents[2] / "explorer"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", ["search", "compare", "map", "evaluate"])
def test_each_page_that_a_link_opens_says_what_it_lost(page: str) -> None:
    test = AppTest.from_file(str(PAGES / page / "view.py"), default_timeout=60)
    test.query_params["case"] = "x" * 5000
    test.run()
    assert not test.exception
    assert page_text(test).count("A part of this link could not be restored") == 1
    assert "A part of this link" not in page_text(test.run())


@pytest.mark.usefixtures("folder")
def test_a_pasted_text_is_searched_at_once_and_can_be_corrected(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Cover times\n\nAbstract\nHow long does a random walk on a graph need?")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception and titles(test)
    test.button(key="correct").click().run()
    title = next(field for field in test.text_input if field.label == "Title")
    title.set_value("A corrected title of walks").run()
    test.button(key="ask").click().run()
    assert not test.exception
    assert "A corrected title of walks" in page_text(test)
    assert titles(test)
    assert "The link names yours by a key alone" in page_text(test)
    again = app(own=test.query_params["own"])
    assert "A corrected title of walks" in page_text(again) and titles(again) == titles(test)


@pytest.mark.usefixtures("folder")
def test_sections_can_be_corrected_removed_and_added(app: Start) -> None:
    test = app(example="rewired-random-walk")
    test.button(key="correct").click().run()
    names = [field.value for field in test.text_input if field.label.startswith("Title of section")]
    assert names[:2] == ["Introduction", "The model"]
    next(button for button in test.button if button.label == "Remove").click().run()
    next(button for button in test.button if button.label == "Add a section").click().run()
    assert not test.exception
    after = [field.value for field in test.text_input if field.label.startswith("Title of section")]
    assert after == [*names[1:], ""]
    text = next(field for field in test.text_area if field.label.startswith("Text of section"))
    text.set_value("Rotons in superfluid helium").run()
    test.button(key="ask").click().run()
    assert "Rotons in helium" in titles(test)


@pytest.mark.usefixtures("folder")
def test_the_list_of_sections_stays_where_a_section_came_or_went(app: Start) -> None:
    test = app()
    sections = "".join(f"## Part {number}\n\nWe walk on graph {number}.\n\n" for number in range(1, 25))
    test.file_uploader[0].set_value(("walks.md", f"# Walks\n\n{sections}".encode(), "text/markdown")).run()
    assert shown_sections(test) == [f"Part {number}" for number in range(1, 13)]
    next(button for button in test.button if button.label == "Add a section").click().run()
    assert shown_sections(test) == [""]
    assert [field.label for field in test.text_area if field.label.startswith("Text of")] == ["Text of section 25"]
    next(button for button in test.button if button.label == "Remove").click().run()
    assert shown_sections(test) == [f"Part {number}" for number in range(13, 25)]
    next(button for button in test.button if button.label == "Remove").click().run()
    assert shown_sections(test) == [f"Part {number}" for number in range(14, 25)]
    assert not test.exception


def shown_sections(test: AppTest) -> list[str]:
    return [field.value for field in test.text_input if field.label.startswith("Title of section")]


def test_the_form_keeps_the_places_of_cancelled_claims() -> None:
    document = Document("x", "patent", claims=("", "A hook.", "The hook of claim 2."))
    shown = _listed(document.claims)
    assert shown == "(canceled)\n\nA hook.\n\nThe hook of claim 2."
    assert _with_claims(shown.replace("hook.", "bolt."))(document).claims == ("", "A bolt.", "The hook of claim 2.")


def test_a_claim_of_several_paragraphs_stays_one_in_the_form() -> None:
    shown = _listed(("A hook having:\n\na shank; and\n \na barb.", "The hook of claim 1."))
    assert _with_claims(shown)(Document("x")).claims == (
        "A hook having:\na shank; and\na barb.",
        "The hook of claim 1.",
    )
    assert _with_claims("A hook.\n  \nA bolt.")(Document("x")).claims == ("A hook.", "A bolt.")


def pasted(test: AppTest, text: str) -> AppTest:
    test.text_area(key="paste-text").set_value(text)
    return next(button for button in test.button if button.label == "Read this text").click().run()


def recent(test: AppTest) -> list[str]:
    """The titles of the list."""
    keys = [str(button.key) for button in test.button if str(button.key).startswith("recent-")]
    return [test.button(key=key).label for key in keys if len(key) == len("recent-") + 32]


def entry(test: AppTest, title: str) -> str:
    return next(str(button.key) for button in test.button if button.label == title)


@pytest.mark.usefixtures("folder")
def test_nothing_recent_needs_no_list(app: Start) -> None:
    assert "Recent" not in [header.value for header in app().header]


@pytest.mark.usefixtures("folder")
def test_a_draft_and_a_query_outlive_a_reload(app: Start) -> None:
    test = pasted(app(), TEXT).button(key="correct").click().run()
    assert set(test.query_params) >= {"check", "encoder"}
    again = app(check=test.query_params["check"])
    assert not again.exception and "that was misread" in page_text(again)
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


@pytest.mark.usefixtures("folder")
def test_corrections_of_corrections_take_little_room(app: Start) -> None:
    test = pasted(app(), TEXT).button(key="correct").click().run()
    for number in range(5):
        next(field for field in test.text_input if field.label == "Title").set_value(f"Title {number}").run()
    assert len(handles.workspace().own.files()) == 3  # as pasted, as opened for correction, and as corrected last


@pytest.mark.usefixtures("folder")
def test_a_short_question_is_asked_at_once_and_stands_in_no_link(app: Start) -> None:
    test = pasted(app(), "How do zyxwalks mix on a graph?")
    assert titles(test) and "zyx" not in str(test.query_params)


@pytest.mark.usefixtures("by_hand", "folder")
def test_an_upload_is_compared_again_after_a_reload(compare_page: Start) -> None:
    test = compare_page(a=PAIR["a"])
    test.file_uploader[0].set_value(("walks.md", MARKDOWN, "text/markdown")).run()
    assert "Sentence by sentence, " in page_text(test)
    again = compare_page(a=PAIR["a"], b=test.query_params["b"])
    assert "Walks on graphs" in page_text(again) and "Sentence by sentence, " in page_text(again)
    welcome = compare_page()
    assert len(recent(welcome)) == 1 and recent(welcome)[0].endswith("and Walks on graphs")
    welcome.button(key=entry(welcome, recent(welcome)[0])).click().run()
    assert "Sentence by sentence, " in page_text(welcome)


@pytest.mark.usefixtures("folder")
def test_a_document_that_is_not_here_is_missed_in_words(app: Start, compare_page: Start) -> None:
    key = "0" * 32
    for test in (app(own=key), app(check=key), compare_page(a=f"own:{key}")):
        assert not test.exception
        assert "names a document of your own that is not on this machine" in page_text(test)
        assert "Upload or paste it again." in page_text(test)
        assert key not in str(test.query_params)


@pytest.mark.usefixtures("folder")
def test_a_changed_file_is_told(app: Start, folder: Path) -> None:
    key = pasted(app(), "How do zyxwalks mix on a graph?").query_params["own"]
    path = folder / "kept" / "documents" / f"{key}.json"
    path.write_bytes(path.read_bytes() + b" ")
    test = app(own=key)
    assert not test.exception and "the file was changed or damaged" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_a_document_that_cannot_be_kept_is_searched_all_the_same(app: Start, folder: Path) -> None:
    (folder / "kept").write_text("a file where a folder is expected")
    test = pasted(app(), "How do zyxwalks mix on a graph?")
    assert not test.exception and titles(test)
    assert "own" not in test.query_params
    assert "This document is not kept." in page_text(test) + page_text(test.run())


@pytest.mark.usefixtures("folder")
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


@pytest.mark.usefixtures("folder")
def test_a_search_that_is_filtered_stays_one_entry(app: Start) -> None:
    test = app(doc="p2")
    test.selectbox(key="option-k").set_value(50).run()
    welcome = app()
    assert recent(welcome) == ["Mixing of Markov chains"]
    welcome.button(key=entry(welcome, "Mixing of Markov chains")).click().run()
    assert welcome.query_params["k"] == "50"


@pytest.mark.usefixtures("folder")
def test_seeds_alone_are_an_entry(app: Start) -> None:
    app(like="p2")
    test = app()
    assert recent(test) == ["Like Mixing of Markov chains"]
    test.button(key=entry(test, "Like Mixing of Markov chains")).click().run()
    assert test.query_params["like"] == "p2" and "doc" not in test.query_params


@pytest.mark.usefixtures("folder")
def test_the_list_is_short_until_more_is_wanted(app: Start) -> None:
    for number in range(AT_FIRST + 3):
        handles.workspace().recent.record("search", f"Search {number}", {"doc": [f"d{number}"]})
    test = app()
    assert len(recent(test)) == AT_FIRST and test.button(key="recent-turn").label == "Show 3 more"
    assert len(recent(test.button(key="recent-turn").click().run())) == AT_FIRST + 3


@pytest.mark.usefixtures("folder")
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


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("seconds", "words"), [(3, "just now"), (61, "1 minute ago"), (7_300, "2 hours ago"), (200_000, "2 days ago")]
)
def test_how_long_ago_is_said_in_words(seconds: float, words: str) -> None:
    assert ago(seconds) == words


@pytest.mark.usefixtures("folder")
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


@pytest.mark.usefixtures("folder")
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
