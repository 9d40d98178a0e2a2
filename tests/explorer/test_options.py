"""The options beside a search: encoder, ranking, years, categories, lines, and what of a link they can show."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import StorageError
from engine.documents import Document
from engine.encoders import registry
from engine.library import Library
from engine.workspace import Workspace
from explorer.shared.options import year_bars
from explorer.state import handles
from tests.explorer.conftest import Start, finished, page_html, page_text
from tests.explorer.pages import titles


@pytest.fixture
def undated(empty_folder: Path) -> None:
    """Three documents of 1995 to 2005, and one without a year."""
    from engine.workspace.indexing import encoder_for, index_library

    years = (1995, 2000, 2005, None)
    with Library.open(empty_folder, create=True) as library:
        walks = [Document(f"w{n}", title=f"A random walk, part {n}", year=year) for n, year in enumerate(years)]
        library.add_file("walks", "walks.jsonl", walks)
        index_library(library, encoder_for(library, "tfidf"))


@pytest.mark.usefixtures("undated")
def test_the_years_that_the_slider_shows_are_those_that_act(app: Start) -> None:
    for link, shown, found, is_said in (
        ({}, (1995, 2005), 4, False),
        ({"from": "1600"}, (1995, 2005), 4, False),
        ({"from": "1995", "to": "2005"}, (1995, 2005), 4, False),
        ({"from": "1994", "to": "2100"}, (1995, 2005), 4, False),
        ({"from": "2006"}, (1995, 2005), 4, True),
        ({"to": "1994"}, (1995, 2005), 4, True),
        ({"from": "1996", "to": "2100"}, (1996, 2005), 2, False),
        ({"from": "2005"}, (2005, 2005), 1, False),
        ({"to": "1995"}, (1995, 1995), 1, False),
    ):
        test = app(text="random walk", **link)
        assert not test.exception, link
        assert test.slider(key="option-years").value == shown, link
        assert len(titles(test)) == found, link
        limits = "from" in test.query_params, "to" in test.query_params
        assert limits == (shown[0] > 1995, shown[1] < 2005), link
        assert ("no document of the years that were asked for" in page_text(test)) is is_said, link


def test_years_do_not_act_where_there_is_no_slider_for_them(empty_folder: Path, app: Start) -> None:
    from engine.workspace.indexing import encoder_for, index_library

    with Library.open(empty_folder, create=True) as library:
        library.add_file("walks", "walks.jsonl", [Document(f"w{n}", title=f"A random walk, part {n}") for n in "ab"])
        index_library(library, encoder_for(library, "tfidf"))
    test = app(text="random walk", **{"from": "1990"})
    assert not test.exception
    assert not test.slider
    assert len(titles(test)) == 2


@pytest.mark.usefixtures("folder")
def test_the_options_change_the_ranking_and_the_link(app: Start) -> None:
    test = app(example="rewired-random-walk")
    test.button_group(key="option-ranking").set_value("keywords").run()
    assert not test.exception
    assert test.query_params["rank"] == "keywords"
    assert "ranked by keywords in" in page_text(test)
    test.slider(key="option-years").set_value((1999, 2015)).run()
    assert test.query_params["from"] == "1999"
    assert "to" not in test.query_params
    test.multiselect(key="option-categories").set_value(["math.PR"]).run()
    assert titles(test) == ["Cover times of random walks"]


@pytest.mark.usefixtures("folder")
def test_the_filters_say_how_many_documents_each_choice_would_leave(app: Start) -> None:
    test = app(example="rewired-random-walk", kind="paper")
    kinds = [option.content for option in test.button_group(key="option-kinds").proto.options]
    assert kinds == ["Papers (4)", "Patents (2)"]
    assert "H04L (1)" not in test.multiselect(key="option-categories").options
    assert "math.PR (1)" in test.multiselect(key="option-categories").options
    assert 'aria-label="Documents by year, most of them from 1999"' in page_html(test)  # not those of the patents
    assert "6 documents, ranked" in page_text(app(example="rewired-random-walk"))
    assert "4 documents that pass the filters, ranked" in page_text(test)


def test_bars_stand_for_stretches_of_years() -> None:
    assert year_bars({2000: 2, 2002: 4}, 2000, 2002).count("<span title=") == 3
    html = year_bars({1900: 1, 1901: 1, 2000: 4}, 1900, 2000)
    assert html.count("<span title=") == 34
    assert 'title="1900–1902: 2"' in html and "height:50%" in html and 'title="1999–2000: 4"' in html


@pytest.mark.usefixtures("folder")
def test_a_category_of_a_link_that_is_no_group_has_no_count(app: Start) -> None:
    test = app(example="rewired-random-walk", category="H04L45/02")
    assert not test.exception
    options = test.multiselect(key="option-categories").options
    assert "H04L45/02" in options and "H04L (1)" in options


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


@pytest.mark.usefixtures("folder")
def test_an_encoder_that_is_chosen_stands_in_the_link_with_its_card(app: Start) -> None:
    test = app()
    assert registry.find("tfidf").card.summary in page_text(test)
    test.selectbox(key="option-encoder").select("word2vec-mean").run()
    assert not test.exception
    assert test.query_params["encoder"] == "word2vec-mean"
    said = page_text(app(encoder="word2vec-mean"))
    assert registry.find("word2vec-mean").card.summary in said
    assert "<dt>Vector</dt><dd>100 numbers, 4 bytes each</dd>" in said
    assert "<dt>Trained on</dt><dd>arXiv abstracts, ACM papers, patent abstracts, patents</dd>" in said
    assert "<dt>Licence</dt><dd>Apache-2.0</dd>" in said
    assert "<dt>Your library</dt><dd>not encoded yet</dd>" in said


@pytest.mark.usefixtures("folder")
def test_the_card_of_an_encoder_that_learnt_from_the_library_says_so(app: Start) -> None:
    said = page_text(app())
    assert "<dt>Trained on</dt><dd>your library</dd>" in said
    assert "<dt>Vector</dt><dd>a number for each of" in said
    assert "<dt>Your library</dt><dd>encoded, " in said


def test_a_damaged_card_is_that_of_an_encoder_yet_to_learn(folder: Path) -> None:
    (folder / "encoders" / "tfidf" / "card.json").write_text("{}")
    assert handles.workspace().encoder_card("tfidf").dim == 0
    with pytest.raises(StorageError, match="Expected an encoder of format"):
        registry.load("tfidf", folder=folder / "encoders" / "tfidf")


def test_damaged_vectors_can_be_made_anew(folder: Path, app: Start) -> None:
    for path in folder.glob("vectors/tfidf/*/rows.safetensors"):
        path.write_bytes(b"no rows")
    test = app(example="rewired-random-walk")
    assert not test.exception
    assert "vectors are damaged" in page_text(test)
    test.button(key="prepare").click().run()
    assert not test.exception
    assert titles(finished(test))


@pytest.mark.usefixtures("folder")
def test_an_encoder_that_has_not_read_the_library_offers_to(app: Start) -> None:
    test = app(example="rewired-random-walk", encoder="lsa")
    assert "has not read your library yet" in page_text(test)
    test.button(key="prepare").click().run()
    assert not test.exception
    assert titles(finished(test))


@pytest.mark.usefixtures("folder")
def test_an_encoder_that_has_not_read_the_library_says_what_that_costs(
    app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs = {None: "how long is being measured", 2.1: "about 5 s", 42.0: "about 40 s", 300.0: "about 5 min"}
    for seconds, said in costs.items():
        monkeypatch.setattr(Workspace, "reading_seconds", lambda self, name, seconds=seconds: seconds)
        test = app(encoder="lsa")
        assert not test.exception
        assert f"The encoder needs to read 6 documents once ({said}" in page_text(test)
        assert "Every page can be used meanwhile." in page_text(test)


@pytest.mark.usefixtures("folder")
def test_the_library_is_encoded_from_the_first_page(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workspace, "reading_seconds", lambda self, name: 0.0)
    test = app(encoder="lsa")
    assert "The encoder needs to read 6 documents once. Every page" in page_text(test)
    test = finished(test.button(key="prepare").click().run())
    assert not test.exception
    assert "Your library is encoded with LSA." in page_text(test)
    assert "has not read your library yet" not in page_text(test)
    assert "<dt>Your library</dt><dd>encoded, " in page_text(test)


@pytest.mark.usefixtures("folder")
def test_keywords_need_no_encoder(app: Start) -> None:
    test = app(encoder="lsa")
    test.button(key="use-keywords").click().run()
    assert test.query_params["rank"] == "keywords"
    assert "has not read your library yet" not in page_text(test)
