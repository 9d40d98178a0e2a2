"""Lines of words and fields at the side: each says what it finds or what is wrong with it."""

from __future__ import annotations

import pytest

from tests.explorer.conftest import Start, page_html, page_text
from tests.explorer.search.hits import titles


@pytest.mark.usefixtures("folder")
def test_a_line_limits_the_hits_and_says_how_many_it_finds(app: Start) -> None:
    test = app(text="walk on a graph")
    assert "Mixing of Markov chains" in titles(test)
    test.text_area(key="option-lines").set_value('author:"ada lovelace"\nwalk*').run()
    assert not test.exception
    assert titles(test) == ["Cover times of random walks"]
    assert test.query_params["line"] == ['author:"ada lovelace"', "walk*"]
    assert "author:&#34;ada lovelace&#34;</code>" in page_html(test)
    assert "1 document" in page_text(test) and "2 documents" in page_text(test)
    test.button(key="clear-filters").click().run()
    assert test.text_area(key="option-lines").value == ""
    assert len(titles(test)) > 1


@pytest.mark.usefixtures("folder")
def test_a_faulty_line_stays_with_its_fault_marked_and_limits_nothing(app: Start) -> None:
    test = app(text="walk on a graph")
    before = titles(test)
    test.text_area(key="option-lines").set_value("walk year:20 <b>").run()
    assert not test.exception
    assert titles(test) == before
    assert "line" not in test.query_params
    assert test.text_area(key="option-lines").value == "walk year:20 <b>"
    assert "<mark>20 &lt;b&gt;</mark>" in page_html(test)
    assert "Expected a year or years at character 11" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_a_link_restores_its_lines_and_drops_a_faulty_one(app: Start) -> None:
    test = app(text="walk on a graph", line="walk* (")
    assert "could not be restored" in page_text(test)
    assert test.text_area(key="option-lines").value == ""
    test = app(text="walk on a graph", line="title:walks")
    assert titles(test) == ["Cover times of random walks"]
    assert test.text_area(key="option-lines").value == "title:walks"


@pytest.mark.usefixtures("folder")
def test_where_nothing_passes_the_lines_are_named(app: Start) -> None:
    assert "Filters on: lines." in page_text(app(text="walk on a graph", line="zeppelin"))
