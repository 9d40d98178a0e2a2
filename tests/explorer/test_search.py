"""The search page: the ways to bring a query, its words at the side, and answers that are made in the background."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from engine.core.errors import StorageError
from engine.documents import Document, Identifier
from engine.library import Filters, Library
from engine.library.listing import Facets
from engine.search import Answer, Question, Searcher
from engine.workspace import Workspace
from explorer.search import asking
from explorer.search import asking as waiting
from explorer.search.asking import PendingAnswer
from explorer.shared import options
from explorer.state import handles
from tests.explorer.conftest import HOSTILE, Start, example_names, page_html, page_text
from tests.explorer.pages import rows, titles

QUESTION = Question(Document("q", "query", abstract="a walk on a graph"))


def test_an_empty_library_names_the_next_step(empty_folder: Path, app: Start) -> None:
    test = app()
    assert not test.exception
    assert "Your library is empty" in page_text(test)
    assert "Go to the library" in [button.label for button in test.button]


@pytest.mark.usefixtures("folder")
def test_hostile_text_of_a_document_stays_text(app: Start) -> None:
    test = app(doc="p4")
    assert not test.exception
    html = page_html(test)
    assert "<script" not in html
    assert "<img" not in html
    assert HOSTILE in page_text(test)
    markdown = " ".join(str(block.value) for block in [*test.markdown, *test.caption, *test.title, *test.header])
    assert "alert(" not in markdown


@pytest.mark.usefixtures("folder")
def test_a_hostile_link_leaves_the_page_alive(app: Start) -> None:
    for link in (
        {"doc": "<script>"},
        {"doc": "nothing-of-this-id"},
        {"example": "../../etc/passwd"},
        {"rank": "sideways", "k": "-3", "kind": "novel", "from": "x", "like": "stranger", "encoder": "pickle"},
    ):
        test = app(**link)
        assert not test.exception, link
        assert "Or try an example" in [heading.value for heading in test.header], link


@pytest.mark.usefixtures("folder")
def test_every_widget_has_a_label(app: Start) -> None:
    for test in (app(), app(example="car-coupling")):
        widgets = [*test.button, *test.text_input, *test.text_area, *test.selectbox, *test.multiselect, *test.slider]
        assert [widget for widget in widgets if not widget.label.strip()] == []


@pytest.mark.usefixtures("folder")
def test_the_filters_count_once_the_results_stand(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[bool] = []
    count = Library.facets

    def facets(library: Library, filters: Filters | None = None) -> Facets:
        counted.append("answer" in st.session_state)
        return count(library, filters)

    monkeypatch.setattr(Library, "facets", facets)
    for link in ({}, {"kind": "paper"}):
        counted.clear()
        test = app(example="rewired-random-walk", **link)
        assert not test.exception and counted == [True], link


def drawings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A one for each time that the page's options are drawn from now on."""
    drawn: list[int] = []
    begin = options.begin_options

    def begin_options() -> object:
        drawn.append(1)
        return begin()

    monkeypatch.setattr(options, "begin_options", begin_options)
    return drawn


@pytest.mark.usefixtures("folder")
def test_a_pasted_question_is_answered_in_one_drawing(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    test, drawn = app(), drawings(monkeypatch)
    test.text_area(key="paste-text").set_value("How does a lazy walk mix on a graph?")
    test.button(key="paste-read").click().run()
    assert test.title[0].value == "What lies near" and drawn == [1]


@pytest.mark.usefixtures("folder")
def test_a_text_that_cannot_be_read_is_told_of_once(app: Start) -> None:
    test = app()
    test.button(key="paste-read").click().run()
    assert 'role="alert"' in page_html(test)
    test.run()
    assert 'role="alert"' not in page_html(test)


@pytest.mark.usefixtures("folder")
def test_a_checked_document_is_asked_with_its_last_correction_in_one_drawing(
    app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Walks of graphs\n\nAbstract\nHow long does a random walk need?")
    test.button(key="paste-read").click().run()
    test.button(key="correct").click().run()
    drawn = drawings(monkeypatch)
    next(field for field in test.text_input if field.label == "Title").set_value("Tours of graphs")
    test.button(key="ask").click().run()
    assert not test.exception
    assert test.title[0].value == "What lies near" and drawn == [1]
    assert "Tours of graphs" in page_text(test) and "Walks of graphs" not in page_text(test)


@pytest.mark.usefixtures("folder")
def test_a_document_is_read_ahead_once_while_it_is_checked(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    read, done = list[str](), threading.Event()

    def read_ahead(_: Searcher, document: Document) -> None:
        read.append(document.title)
        done.set()
        raise RuntimeError  # what goes wrong here is shown where the document asks

    monkeypatch.setattr(Searcher, "read_ahead", read_ahead)
    test = app()
    test.text_area(key="paste-text").set_value("Walks of graphs\n\nAbstract\nHow long does a random walk need?")
    test.button(key="paste-read").click().run()
    test.button(key="correct").click().run()
    assert done.wait(60)
    next(field for field in test.text_input if field.label == "Title").set_value("Tours of graphs").run()
    test.button(key="ask").click().run()
    assert not test.exception and test.title[0].value == "What lies near" and read == ["Walks of graphs"]


@pytest.mark.usefixtures("folder")
def test_the_link_restores_each_example(app: Start) -> None:
    for name in example_names():
        test = app(example=name)
        assert not test.exception and titles(test), name


@pytest.mark.usefixtures("folder")
def test_a_pasted_question_is_searched_at_once_under_its_own_words(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("How long does a random walk on a graph need?")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    assert titles(test)
    html = page_html(test)
    assert '<h2 class="ps-title">How long does a random walk on a graph need?</h2>' in html
    assert "In your text" in html and "In your document" not in html
    test.button(key="correct").click().run()
    assert test.button_group(key=_kind_key(test)).value == "query"


@pytest.fixture
def numbered(folder: Path) -> None:
    """The library holds a patent and a paper under their numbers."""
    with Library.open(folder) as library:
        paper = Document("ours", title="Knots in ropes", identifiers=(Identifier("doi", "10.1000/Knots.1"),))
        library.add_file("numbered", "numbered", [paper, Document("US8930553B2", "patent", "A pump with two seals")])


@pytest.mark.usefixtures("numbered")
def test_a_number_asks_with_the_library_s_document(app: Start) -> None:
    for typed, found in (
        ("https://doi.org/10.1000/knots.1", "ours"),
        ("US 8,930,553 B2", "US8930553B2"),
        ("8,930,553", "US8930553B2"),
        ("https://patents.google.com/patent/US8930553B2/en", "US8930553B2"),
    ):
        assert asked_with(app(), typed) == found, typed


@pytest.mark.usefixtures("folder")
def test_the_whole_title_of_a_paper_asks_with_it(app: Start) -> None:
    for typed, found in (
        ("Cover times of random walks", "p1"),
        (" COVER TIMES of Random Walks. ", "p1"),
        ("Cover times", None),  # a part of it is a question
        ("Cover times of random walks on other graphs", None),
    ):
        assert asked_with(app(), typed) == found, typed


def asked_with(test: AppTest, typed: str) -> str | None:
    """The document of the library that the page asks with once this was pasted."""
    test.text_area(key="paste-text").set_value(typed)
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    return test.query_params["doc"] if "doc" in test.query_params else None


@pytest.mark.usefixtures("folder")
def test_a_number_that_the_library_lacks_is_told_with_what_to_bring(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("arXiv:2101.12345v2")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert "got the arXiv number 2101.12345v2, which none of them has. Bring the document itself" in page_html(test)


def _kind_key(test: AppTest) -> str:
    return next(str(group.key) for group in test.button_group if str(group.key).endswith("-kind"))


@pytest.mark.usefixtures("folder")
def test_the_text_of_an_old_link_is_searched_with_and_named_by_its_key(app: Start) -> None:
    test = app(text="random walk on a graph")
    assert not test.exception
    found = titles(test)
    assert found and "could not be restored" not in page_text(test)
    assert "text" not in test.query_params
    again = app(own=test.query_params["own"])
    assert not again.exception and titles(again) == found


@pytest.mark.usefixtures("folder")
def test_nothing_to_read_is_said_and_the_page_lives_on(app: Start) -> None:
    test = app()
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    assert "ps-notice ps-problem" in page_html(test)
    assert "Or try an example" in [heading.value for heading in test.header]


ASKED = {"doc": "p1", "rank": "keywords"}


def keys(test: AppTest) -> set[str]:
    return {choice.key for choice in test.multiselect}


@pytest.mark.usefixtures("folder")
def test_the_querys_own_words_are_offered_the_rarest_first(app: Start) -> None:
    offered = app(**ASKED).multiselect(key="option-stressed").options
    assert "conductance" in offered and "walk" in offered
    assert offered.index("random") < offered.index("walk")  # walks stand in two documents


@pytest.mark.usefixtures("folder")
def test_a_word_left_out_changes_results_link_and_evidence(app: Start) -> None:
    test = app(**ASKED)
    assert "Mixing of Markov chains" in page_text(test)
    common = ["conductance", "mixing", "a", "is", "of"]
    test.multiselect(key="option-muted").set_value(common).run()
    assert not test.exception
    assert test.query_params["mute"] == common
    assert "Mixing of Markov chains" not in page_text(test)
    assert "conductance" not in test.multiselect(key="option-stressed").options


@pytest.mark.usefixtures("folder")
def test_a_word_of_ones_own_is_cut_into_tokens_and_leaves_the_other_list(app: Start) -> None:
    test = app(**ASKED, mute="telegraph")
    test.multiselect(key="option-stressed").set_value(["Telegraph-relay"]).run()
    assert not test.exception
    assert test.query_params["stress"] == ["telegraph", "relay"]
    assert "mute" not in test.query_params
    assert "Telegraph relay" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_where_only_meaning_ranks_there_are_none(app: Start) -> None:
    assert "option-stressed" not in keys(app(doc="p1", rank="encoder", encoder="tfidf"))
    assert "option-stressed" not in keys(app())


@pytest.mark.usefixtures("folder")
def test_a_new_search_begins_without_them(app: Start) -> None:
    test = app(**ASKED, stress="kite", mute="walk")
    test.button(key="new-search").click().run()
    assert not test.exception
    assert not {"stress", "mute"} & set(test.query_params)


def steps() -> None:
    import streamlit as st

    from explorer.shared.widgets import place_of

    step = st.session_state.get("step", "ask")
    with place_of(step, ("ask", "read", "answer")):
        st.write(f"the step {step}")


def test_a_step_shows_what_is_its_own_alone() -> None:
    test = AppTest.from_function(steps).run()
    for step in ("ask", "answer", "read"):
        test.session_state["step"] = step
        assert [block.value for block in test.run().markdown] == [f"the step {step}"]


def test_a_step_that_the_page_does_not_have_is_no_place() -> None:
    from explorer.shared.widgets import place_of

    with pytest.raises(KeyError, match="fourth"):
        place_of("fourth", ("ask", "read"))


@pytest.mark.usefixtures("folder")
def test_an_answer_of_another_state_is_not_taken() -> None:
    assert not handles.workspace().is_open("tfidf")
    asking = PendingAnswer(QUESTION, "tfidf")
    asking.wait(60)
    assert asking.is_done and asking.answer is not None
    vectors = handles.workspace().vector_count("tfidf")
    assert asking.found((handles.workspace().state(), vectors)) is asking.answer
    assert asking.found((handles.workspace().state(), vectors - 1)) is None
    assert handles.workspace().is_open("tfidf")


@pytest.mark.usefixtures("folder")
def test_an_answer_takes_the_place_of_a_list_that_nobody_touches_or_that_asks_for_it() -> None:
    asking = PendingAnswer(QUESTION, "tfidf")
    asking.wait(60)
    assert asking.may_show
    asking.is_touched = True
    assert not asking.may_show
    asking.is_wanted = True
    assert asking.may_show


@pytest.mark.usefixtures("folder")
def test_a_list_stays_longer_for_another_one_of_its_document_than_an_empty_page_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_SECONDS", 0.1)
    long = replace(QUESTION, document=Document("l", "paper", "Walks", "A walk on a graph. " * 99))
    patience = [waiting._patience(one, is_listed=listed) for listed in (False, True) for one in (long, QUESTION)]
    assert patience == [0.1, 0.2, 1.0, 1.0]
    assert waiting._patience(replace(QUESTION, liked=("p1",)), is_listed=False) is None


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Searchers open only once this is set, and pages wait for none of them."""
    opens, opened = threading.Event(), Workspace.searcher

    def searcher(self: Workspace, name: str) -> Searcher:
        assert opens.wait(60)
        return opened(self, name)

    monkeypatch.setattr(Workspace, "searcher", searcher)
    monkeypatch.setattr(asking, "PATIENCE_SECONDS", 0)
    yield opens
    opens.set()


def _on_its_way(test: AppTest) -> PendingAnswer:
    held = test.session_state["asking"]
    assert isinstance(held, PendingAnswer)
    return held


def _answered(test: AppTest, gate: threading.Event) -> AppTest:
    held = _on_its_way(test)
    gate.set()
    held.wait(60)
    return test.run()


@pytest.mark.usefixtures("folder")
def test_words_come_first_and_the_answer_takes_their_place(app: Start, gate: threading.Event) -> None:
    test = app(example="rewired-random-walk")
    assert not test.exception
    first = titles(test)
    assert "Cover times of random walks" in first
    assert all("Shared" in row and "ps-hit-near" not in row for row in rows(test))
    assert "What is near in meaning comes next" in page_text(test)
    _answered(test, gate)
    assert not test.exception
    assert titles(test) and all("ps-hit-near" in row for row in rows(test))
    assert "asking" not in test.session_state


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("is_touched", [False, True])
def test_near_ones_take_the_words_place_while_passages_are_read_unless_a_hand_is_there(
    app: Start, gate: threading.Event, monkeypatch: pytest.MonkeyPatch, *, is_touched: bool
) -> None:
    reads, ranked = threading.Event(), threading.Event()
    near = QUESTION.as_first_hits(handles.library().get(["p3", "p1"]), handles.library())

    def search(self: Searcher, question: Question) -> Answer:
        ranked.set()
        assert reads.wait(60)
        return searched(self, question)

    searched = Searcher.search
    monkeypatch.setattr(Searcher, "first_hits", lambda *_: near)
    monkeypatch.setattr(Searcher, "search", search)
    test = app(example="rewired-random-walk")
    before = titles(test)
    _on_its_way(test).is_touched = is_touched
    gate.set()
    assert ranked.wait(60)
    test.run()
    assert titles(test) == (before if is_touched else [one.document.title for one in near]) != []
    assert ("near your text as a whole" in page_text(test)) is not is_touched
    assert "eading the passages of your text" in page_text(test)
    reads.set()
    _on_its_way(test).wait(60)
    test.run()
    assert is_touched or all("ps-hit-near" in row for row in rows(test))


@pytest.mark.usefixtures("folder")
def test_a_list_that_a_hand_is_in_stays_until_the_answer_is_asked_for(app: Start, gate: threading.Event) -> None:
    test = app(example="rewired-random-walk")
    before = rows(test)
    _on_its_way(test).is_touched = True
    _answered(test, gate)
    assert rows(test) == before
    assert "The meaning is read: " in page_text(test)
    test.button(key="show-answer").click().run()
    assert all("ps-hit-near" in row for row in rows(test))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("link", [{"rank": "encoder"}, {"like": "p3"}])
def test_where_words_say_too_little_the_page_says_what_it_waits_for(
    app: Start, gate: threading.Event, link: dict[str, str]
) -> None:
    test = app(example="rewired-random-walk", **link)
    assert titles(test) == []
    assert "What is near in meaning comes next" in page_text(test)
    assert "oading the encoder" in page_text(test)
    assert titles(_answered(test, gate))


@pytest.mark.usefixtures("folder")
def test_what_goes_wrong_meanwhile_is_said(app: Start, gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Workspace, name: str) -> Searcher:
        assert gate.wait(60)
        raise StorageError("Expected vectors as they were written, found other bytes. Encode the library again.")

    monkeypatch.setattr(Workspace, "searcher", fail)
    test = app(example="rewired-random-walk")
    assert titles(test)
    _answered(test, gate)
    assert not test.exception
    assert "found other bytes" in page_text(test)
