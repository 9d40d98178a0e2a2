"""The search page of a document with a reference list."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.documents import Document, Section
from engine.search import Result
from engine.search.evidence.explain import Evidence
from explorer.search.cited_works import chosen, citation_mark
from explorer.state import session
from explorer.state.links import Visit
from tests.explorer.conftest import Start, page_text
from tests.explorer.search.hits import rows, titles
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
    assert chosen(CITING, Visit(cited="no")) is False
    assert chosen(CITING, Visit(cited="yes")) is True
    assert chosen(CITING, Visit()) is None
    assert chosen(replace(CITING, sections=()), Visit(cited="yes")) is None


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
