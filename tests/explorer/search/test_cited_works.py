"""The search page of a document with a reference list, and which part of it met which part of a hit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.documents import Document, Section
from engine.encoders import Coupling
from engine.search import Result
from engine.search.evidence.explain import Evidence
from explorer.search.cited_works import (
    citation_filter,
    citation_mark,
    coupling_list,
    coupling_sentence,
    explain_couplings,
)
from explorer.state import handles, session
from explorer.state.visit import Visit
from tests.explorer.conftest import Start, page_html, page_text
from tests.explorer.pages import choose, rows, titles
from tests.made_readings import READ

LIST = Section("References", "Lovelace A, Hopper G (2012). Cover times of random walks. Annals of Walks.", "references")
CITING = Document("own", "paper", "Walks on graphs", "How long a random walk on a graph needs to mix.", (LIST,))


@pytest.fixture
def cited_page(app: Start, folder: object, monkeypatch: pytest.MonkeyPatch) -> Start:
    """Opens the page on a document of the visitor's own, which cites one of the library's."""
    monkeypatch.setattr(session, "query_document", lambda: CITING)

    def start(**link: str) -> object:
        return app(doc="own", **link)

    return start  # type: ignore[return-value]


def test_hits_are_marked_and_counted(cited_page: Start) -> None:
    test = cited_page()
    assert not test.exception
    assert "You cite 1 work. The library holds 1 of them." in page_text(test)
    marked = [row for row in rows(test) if "Cited by you" in row]
    assert len(marked) == 1 and "Cover times of random walks" in marked[0]
    assert all("Not cited" in row for row in rows(test) if row not in marked)


def test_the_filter_limits_the_hits_and_stands_in_the_link(cited_page: Start) -> None:
    test = cited_page()
    test.segmented_control(key="option-cited").set_value("yes").run()
    assert titles(test) == ["Cover times of random walks"]
    assert test.query_params["cited"] == "yes"
    test.segmented_control(key="option-cited").set_value("no").run()
    assert titles(test) and "Cover times of random walks" not in titles(test)


def test_without_a_cited_work_in_the_library_the_filter_shows_only_while_it_is_on(
    cited_page: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = replace(LIST, text="Nobody N (1901). A book that no library holds. Lost Press.")
    monkeypatch.setattr(session, "query_document", lambda: replace(CITING, sections=(other,)))
    test = cited_page()
    assert "The library holds none of them." in page_text(test)
    assert not [one for one in test.get("button_group") if one.key == "option-cited"]
    test = cited_page(cited="yes")
    assert [one for one in test.get("button_group") if one.key == "option-cited"]


def test_a_filter_that_leaves_nothing_says_why(cited_page: Start) -> None:
    test = cited_page(cited="yes", kind="patent")
    assert titles(test) == []
    assert "holds none of the works that you cite, or the filters leave them out" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_a_question_without_a_list_has_no_filter(app: Start) -> None:
    test = app(text="random walks on graphs", cited="yes")
    assert titles(test)
    assert not [one for one in test.get("button_group") if one.key == "option-cited"]
    assert "You cite" not in page_text(test)


def test_a_filter_holds_only_where_the_query_cites() -> None:
    assert citation_filter(CITING, Visit(cited="no")) is False
    assert citation_filter(CITING, Visit(cited="yes")) is True
    assert citation_filter(CITING, Visit()) is None
    assert citation_filter(replace(CITING, sections=()), Visit(cited="yes")) is None


def test_a_hit_of_a_question_without_a_list_has_no_mark() -> None:
    result = Result(1, CITING, READ, {}, Evidence())
    assert citation_mark(result) == ""
    assert "Cited by you" in citation_mark(replace(result, cited=True))
    assert "Not cited" in citation_mark(replace(result, cited=False))


def test_rows_are_not_marked_where_the_library_holds_no_cited_work(
    cited_page: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = replace(LIST, text="Nobody N (1901). A book that no library holds. Lost Press.")
    monkeypatch.setattr(session, "query_document", lambda: replace(CITING, sections=(other,)))
    assert rows(cited_page()) and "Not cited" not in "".join(rows(cited_page()))


HALVES = [Coupling("abstract", "title", 0.71), Coupling("title", "abstract", -0.2)]


@pytest.fixture
def ctpe(folder: Path) -> None:
    """A library that the shipped CTPE has read."""
    handles.workspace().prepare("ctpe")


@pytest.mark.usefixtures("ctpe")
def test_a_hit_says_which_half_met_which(app: Start) -> None:
    test = app(example="rewired-random-walk", encoder="ctpe")
    assert not test.exception
    assert len(rows(test)) == 6
    for id_ in ("p1", "US1"):
        (said,) = [block.body for block in choose(test, id_).html if 'class="ps-why"' in block.body]
        assert "met your abstract</span>" in said and "met your title</span>" in said
        assert said.index("Closest passages") < said.index("Which part met which")
    assert page_html(test).count(f"Which part met which: {explain_couplings('ctpe')}") == 1


def test_what_halves_are_is_said_of_the_encoder_that_reads_them() -> None:
    assert explain_couplings("ctpe").startswith("This encoder reads every question as two halves.")
    assert explain_couplings("blend").startswith("CTPE, a part of this encoder, reads every question as two halves.")


@pytest.mark.usefixtures("ctpe")
def test_a_question_that_is_too_short_to_cut_says_nothing_of_halves(app: Start) -> None:
    test = app(text="how long does a lazy random walk on a graph need to visit it all", encoder="ctpe")
    results = test.session_state["answer"][1].results
    assert results and not any(result.evidence.couplings for result in results)
    assert "Which part met which" not in page_text(test)


@pytest.mark.usefixtures("folder")
def test_an_encoder_of_whole_documents_says_nothing_of_halves(app: Start) -> None:
    assert "Which part met which" not in page_text(app(example="rewired-random-walk"))


def test_a_line_has_its_words_a_bar_and_a_number() -> None:
    html = coupling_list(HALVES)
    assert html.count("<li>") == 2
    assert "<span>Their title met your abstract</span>" in html
    assert 'aria-hidden="true"><span class="ps-fill" style="width:71.0%">' in html
    assert 'style="width:0.0%"' in html
    assert "<strong>0.71</strong>" in html and "<strong>-0.20</strong>" in html
    assert 'class="ps-couplings" aria-label="Which part met which"' in html
    assert 'class="ps-couplings ps-couplings-many"' in coupling_list([*HALVES, *HALVES])
    long = Coupling("first claim", "opening of the description", 0.1)
    assert 'class="ps-couplings" aria-label' in coupling_list([*HALVES, long])


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [
        ("title", "first claim", "Their first claim met your title"),
        (
            "title and abstract",
            "opening of the description",
            "The opening of their description met your title and abstr",
        ),
        ("rest", "first 30 %", "The first 30\N{NO-BREAK SPACE}% of their text met the rest of your text"),
        ("whole text", "abstract", "Their abstract met your whole text"),
        ("<b>", "title", "Their title met your <b>"),
    ],
)
def test_parts_read_well_whatever_they_are_called(ours: str, theirs: str, said: str) -> None:
    assert coupling_sentence(Coupling(ours, theirs, 0.5)).startswith(said)
    assert "<b>" not in coupling_list([Coupling(ours, theirs, 0.5)])
