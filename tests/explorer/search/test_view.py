"""The search page as its visitor uses it."""

from __future__ import annotations

import dataclasses
import shutil
import threading
from pathlib import Path

import pytest
from streamlit.runtime.state import QueryParamsProxy
from streamlit.testing.v1 import AppTest

from engine.documents import Document
from engine.library import Library
from explorer.state import handles, jobs, session
from tests.explorer.conftest import HOSTILE, Start, example_names, finished, page_html, page_text
from tests.search.library import weigh


def titles(test: AppTest) -> list[str]:
    return [block.body.split("</h2>")[0].rsplit(">", 1)[-1] for block in test.html if 'class="ps-hit"' in block.body]


def test_an_empty_library_names_the_next_step(empty_folder: Path, app: Start) -> None:
    test = app()
    assert not test.exception
    assert "Your library is empty" in page_text(test)
    assert "Go to the library" in [button.label for button in test.button]


def test_a_library_that_cannot_be_opened_is_said(empty_folder: Path, app: Start) -> None:
    empty_folder.mkdir()
    (empty_folder / "library.sqlite3").write_bytes(b"this is no database, whatever its name says" * 100)
    test = app(example="rewired-random-walk")
    assert not test.exception
    assert "ps-notice ps-problem" in page_html(test)
    assert "Your library is empty" not in page_text(test)


@pytest.mark.usefixtures("folder")
def test_an_example_gives_hits_with_evidence(app: Start) -> None:
    test = app()
    test.button(key="try-rewired-random-walk").click().run()
    assert not test.exception
    assert {"Cover times of random walks", "Mixing of Markov chains"} <= set(titles(test))
    html = page_html(test)
    assert 'aria-label="Shared terms"' in html
    assert "In your document" in html
    assert "<mark>" in html
    assert test.query_params["example"] == "rewired-random-walk"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("levels", "far"), [((1.1, 1.2, 1.3), True), ((-1.0, 1.2, 1.3), False), ((), False)])
def test_results_that_are_all_ordinary_are_called_so(
    app: Start, monkeypatch: pytest.MonkeyPatch, levels: tuple[float, ...], far: bool
) -> None:
    monkeypatch.setattr(handles, "nearness_levels", lambda *_: levels)
    test = app(example="rewired-random-walk")
    assert titles(test)
    assert ("Nothing in your library is really near" in page_text(test)) is far


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", example_names())
def test_the_link_restores_each_example(app: Start, name: str) -> None:
    test = app(example=name)
    assert not test.exception
    assert titles(test)


@pytest.mark.usefixtures("folder")
def test_a_pasted_text_is_shown_for_correction_and_then_searched(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Cover times\n\nAbstract\nHow long does a random walk on a graph need?")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    title = next(field for field in test.text_input if field.label == "Title")
    title.set_value("A corrected title of walks").run()
    test.button(key="ask").click().run()
    assert not test.exception
    assert "A corrected title of walks" in page_text(test)
    assert titles(test)
    assert "text" not in test.query_params  # a correction cannot stand in a link
    assert "not part of the link" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_a_draft_gives_way_to_another_query(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Cover times\n\nAbstract\nA random walk on a graph mixes.")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert "where they were read wrongly" in page_text(test)
    test.query_params["example"] = "rewired-random-walk"
    test.run()
    assert not test.exception
    assert "where they were read wrongly" not in page_text(test) and titles(test)


@pytest.mark.usefixtures("folder")
def test_a_text_that_was_read_is_still_there_after_discarding(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Cover times\n\nAbstract\nA random walk on a graph mixes.")
    next(button for button in test.button if button.label == "Read this text").click().run()
    test.button(key="discard").click().run()
    assert test.text_area(key="paste-text").value == "Cover times\n\nAbstract\nA random walk on a graph mixes."


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


@pytest.mark.usefixtures("folder")
def test_a_passage_that_cites_is_said_to_go_by_its_words(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    passage = "We study how long a lazy random walk needs to mix, which is known for expanders"
    said = "Your text cites other work, so its words count more"
    weigh(monkeypatch, passage_weight=2.5)
    assert said in page_text(app(text=f"{passage} [12, 13]."))
    assert said not in page_text(app(text=f"{passage}."))


def _kind_key(test: AppTest) -> str:
    return next(str(group.key) for group in test.button_group if str(group.key).endswith("-kind"))


@pytest.mark.usefixtures("folder")
def test_kinds_are_said_to_be_ranked_apart_where_they_are(app: Start) -> None:
    said = "Papers and patents are ranked separately"
    assert said in page_text(app(example="rewired-random-walk"))
    assert said not in page_text(app(example="rewired-random-walk", kind="paper"))
    assert said not in page_text(app(example="rewired-random-walk", rank="encoder"))


@pytest.mark.usefixtures("folder")
def test_how_to_read_the_results_is_said_and_why_a_shorter_bar_may_stand_first(app: Start) -> None:
    test = app(example="rewired-random-walk", rank="encoder")
    assert "How to read the results" in page_text(test)
    assert "a shorter bar can stand above a longer one" not in page_text(test)
    question, answer = test.session_state["answer"]
    mixed = dataclasses.replace(answer, results=answer.results[::-1])
    test.session_state["answer"] = (question, mixed)
    test.run()
    assert "a shorter bar can stand above a longer one" in page_text(test)
    assert "How to read the results" not in page_text(app(example="rewired-random-walk", rank="keywords"))


@pytest.mark.usefixtures("folder")
def test_a_short_text_stands_in_the_link(app: Start) -> None:
    test = app(text="random walk on a graph")
    assert not test.exception
    assert titles(test)
    assert test.query_params["text"] == "random walk on a graph"


@pytest.mark.usefixtures("folder")
def test_nothing_to_read_is_said_and_the_page_lives_on(app: Start) -> None:
    test = app()
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    assert "ps-notice ps-problem" in page_html(test)
    assert "Or try an example" in [heading.value for heading in test.header]


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


@pytest.mark.usefixtures("folder")
def test_liking_and_disliking_rank_again(app: Start) -> None:
    test = app(example="rewired-random-walk")
    before = titles(test)
    test.button(key="like-p3").click().run()
    assert not test.exception
    assert "Rotons in helium" not in titles(test)
    assert "More like: Rotons in helium" in page_text(test).replace("<strong>", "").replace("</strong>", "")
    assert test.query_params["like"] == "p3"
    test.button(key="dislike-p2").click().run()
    assert test.query_params["unlike"] == "p2"
    test.button(key="seed-p3").click().run()
    test.button(key="seed-p2").click().run()
    assert titles(test) == before


@pytest.mark.usefixtures("folder")
def test_filters_that_leave_nothing_say_which_to_widen(app: Start) -> None:
    test = app(example="rewired-random-walk", kind="patent", **{"from": "2013"})
    assert not test.exception
    assert "No document passes the filters" in page_text(test)
    assert "Without years, 2 documents" in page_text(test)
    test.button(key="clear-filters-here").click().run()
    assert titles(test)
    assert "kind" not in test.query_params


@pytest.mark.usefixtures("folder")
def test_filters_are_not_blamed_where_no_word_is_shared(app: Start) -> None:
    test = app(text="Violins sing sweetly", rank="keywords", kind="patent")
    assert not test.exception
    text = page_text(test)
    assert "Nothing found" in text and "share no words with yours" in text
    assert "No document passes the filters" not in text
    test.button(key="clear-filters-here").click().run()
    assert "kind" not in test.query_params


@pytest.fixture
def undated(empty_folder: Path) -> None:
    """Three documents of 1995 to 2005, and one without a year."""
    from engine.ingest import encoder_for, index_library

    years = (1995, 2000, 2005, None)
    with Library.open(empty_folder, create=True) as library:
        walks = [Document(f"w{n}", title=f"A random walk, part {n}", year=year) for n, year in enumerate(years)]
        library.add_file("walks", "walks.jsonl", walks)
        index_library(library, encoder_for(library, "tfidf"))


@pytest.mark.usefixtures("undated")
@pytest.mark.parametrize(
    ("link", "shown", "found", "is_said"),
    [
        ({}, (1995, 2005), 4, False),
        ({"from": "1600"}, (1995, 2005), 4, False),
        ({"from": "1995", "to": "2005"}, (1995, 2005), 4, False),
        ({"from": "1994", "to": "2100"}, (1995, 2005), 4, False),
        ({"from": "2006"}, (1995, 2005), 4, True),
        ({"to": "1994"}, (1995, 2005), 4, True),
        ({"from": "1996", "to": "2100"}, (1996, 2005), 2, False),
        ({"from": "2005"}, (2005, 2005), 1, False),
        ({"to": "1995"}, (1995, 1995), 1, False),
    ],
)
def test_the_years_that_the_slider_shows_are_those_that_act(
    app: Start, link: dict[str, str], shown: tuple[int, int], found: int, is_said: bool
) -> None:
    test = app(text="random walk", **link)
    assert not test.exception
    assert test.slider(key="option-years").value == shown
    assert len(titles(test)) == found
    assert ("from" in test.query_params, "to" in test.query_params) == (shown[0] > 1995, shown[1] < 2005)
    assert ("no document of the years that were asked for" in page_text(test)) is is_said


def test_years_do_not_act_where_there_is_no_slider_for_them(empty_folder: Path, app: Start) -> None:
    from engine.ingest import encoder_for, index_library

    with Library.open(empty_folder, create=True) as library:
        library.add_file("walks", "walks.jsonl", [Document(f"w{n}", title=f"A random walk, part {n}") for n in "ab"])
        index_library(library, encoder_for(library, "tfidf"))
    test = app(text="random walk", **{"from": "1990"})
    assert not test.exception
    assert not test.slider
    assert len(titles(test)) == 2


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
def test_the_options_change_the_ranking_and_the_link(app: Start) -> None:
    test = app(example="rewired-random-walk")
    test.button_group(key="option-ranking").set_value("keywords").run()
    assert not test.exception
    assert test.query_params["rank"] == "keywords"
    assert "of the best keyword match" in page_text(test)
    test.slider(key="option-years").set_value((1999, 2015)).run()
    assert test.query_params["from"] == "1999"
    assert "to" not in test.query_params
    test.multiselect(key="option-categories").set_value(["math.PR"]).run()
    assert titles(test) == ["Cover times of random walks"]


@pytest.mark.usefixtures("folder")
def test_a_category_of_a_link_that_is_no_group_has_no_count(app: Start) -> None:
    test = app(example="rewired-random-walk", category="H04L45/02")
    assert not test.exception
    options = test.multiselect(key="option-categories").options
    assert "H04L45/02" in options and "H04L (1)" in options


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
@pytest.mark.parametrize(
    "link",
    [
        {"doc": "<script>"},
        {"doc": "nothing-of-this-id"},
        {"example": "../../etc/passwd"},
        {"rank": "sideways", "k": "-3", "kind": "novel", "from": "x", "like": "stranger", "encoder": "pickle"},
    ],
)
def test_a_hostile_link_leaves_the_page_alive(app: Start, link: dict[str, str]) -> None:
    test = app(**link)
    assert not test.exception
    assert "Or try an example" in [heading.value for heading in test.header]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("like", ["like", "unlike"])
def test_a_seed_that_the_library_lost_is_said_and_left_out(app: Start, like: str) -> None:
    test = app(example="rewired-random-walk", **{like: "stranger"})
    assert not test.exception
    assert "it does not hold stranger" in page_text(test)
    assert titles(test)
    assert like not in test.query_params


@pytest.mark.usefixtures("folder")
def test_an_example_that_there_is_not_is_said(app: Start) -> None:
    test = app(example="nobody")
    assert not test.exception
    assert "got 'nobody'. Choose one below" in page_text(test)
    assert "Or try an example" in [heading.value for heading in test.header]
    assert "example" not in test.query_params


def test_damaged_vectors_can_be_made_anew(folder: Path, app: Start) -> None:
    for path in folder.glob("vectors/tfidf/*/rows.safetensors"):
        path.write_bytes(b"no rows")
    test = app(example="rewired-random-walk")
    assert not test.exception
    assert "vectors are damaged" in page_text(test)
    test.button(key="prepare").click().run()
    assert not test.exception
    assert titles(finished(test))


def test_what_was_there_is_searched_while_an_import_runs(folder: Path, app: Start) -> None:
    going = threading.Event()
    try:
        jobs.start("Importing kites", lambda report: str(going.wait(60)))
        with Library.open(folder) as library:
            library.add_file("new", "new.jsonl", [Document("n1", title="A random walk that just came in")])
        test = app(example="rewired-random-walk")
        assert not test.exception
        assert "has not read yet: 1. They have just come in" in page_text(test)
        assert {"Cover times of random walks", "A random walk that just came in"} <= set(titles(test))
    finally:
        going.set()
    finished(test)


def test_keywords_rank_while_an_encoder_reads_the_library(folder: Path, app: Start) -> None:
    shutil.rmtree(folder / "vectors", ignore_errors=True)
    going = threading.Event()
    try:
        jobs.start("Reading your library", lambda report: str(going.wait(60)))
        test = app(example="rewired-random-walk", encoder="word2vec-sif")
        assert not test.exception and titles(test)[0] == "Cover times of random walks"
        assert "the order is that of the keywords alone" in page_text(test) and "ranked by keywords in" in page_text(
            test
        )
        assert "rank" not in test.query_params  # once it has read, it counts
        for link in ({"encoder": "word2vec-sif", "rank": "encoder"}, {"encoder": "lsa"}):
            test = app(example="rewired-random-walk", **link)
            assert not test.exception and not titles(test)
            assert test.button(key="use-keywords").label == "Rank by keywords"
    finally:
        going.set()
    finished(test)


def test_a_library_deleted_while_the_app_runs_is_empty(folder: Path, app: Start) -> None:
    test = app(example="rewired-random-walk")
    assert titles(test)
    shutil.rmtree(folder)
    test.run()
    assert not test.exception
    assert "Your library is empty" in page_text(test)
    assert (folder / "library.sqlite3").is_file()


@pytest.mark.usefixtures("folder")
def test_an_encoder_that_has_not_read_the_library_offers_to(app: Start) -> None:
    test = app(example="rewired-random-walk", encoder="lsa")
    assert "has not read your library yet" in page_text(test)
    test.button(key="prepare").click().run()
    assert not test.exception
    assert titles(finished(test))


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
def test_every_widget_has_a_label(app: Start) -> None:
    for test in (app(), app(example="car-coupling")):
        widgets = [*test.button, *test.text_input, *test.text_area, *test.selectbox, *test.multiselect, *test.slider]
        assert [widget for widget in widgets if not widget.label.strip()] == []


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("late_seconds", "expected"), [(600.0, "50"), (-1.0, "20")])
def test_the_back_button_restores_the_link_of_before(
    app: Start, monkeypatch: pytest.MonkeyPatch, late_seconds: float, expected: str
) -> None:
    """A link of before that comes soon is one that the browser sent too early; later, somebody went back."""
    monkeypatch.setattr(session, "_LATE_SECONDS", late_seconds)
    test = app(example="rewired-random-walk", k="20")
    test.selectbox(key="option-k").set_value(50).run()
    assert test.query_params["k"] == "50"
    test.query_params["k"] = "20"
    test.run()
    assert not test.exception
    assert test.query_params["k"] == expected
    test.selectbox(key="option-k").set_value(10).run()
    assert "k" not in test.query_params


@pytest.mark.usefixtures("folder")
def test_a_choice_taken_back_before_its_link_arrived_stands_in_the_link(
    app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser sends the link that it shows; one that is still on its way to it would arrive last and stay."""
    sent: list[dict[str, list[str]]] = []
    send = QueryParamsProxy.from_dict

    def remember(proxy: QueryParamsProxy, link: dict[str, list[str]]) -> None:
        sent.append(link)
        send(proxy, link)

    monkeypatch.setattr(QueryParamsProxy, "from_dict", remember)
    test = app(example="rewired-random-walk", k="20")
    assert sent == []
    test.selectbox(key="option-k").set_value(50).run()
    test.query_params["k"] = "20"
    test.selectbox(key="option-k").set_value(20).run()
    assert not test.exception
    assert [link["k"] for link in sent] == [["50"], ["20"]]
    test.run()
    assert len(sent) == 2


def test_an_answer_of_before_gives_way_when_the_encoder_has_read_what_came(folder: Path, app: Start) -> None:
    going = threading.Event()
    try:
        jobs.start("Importing kites", lambda report: str(going.wait(60)))
        with Library.open(folder) as library:
            library.add_file("new", "new.jsonl", [Document("n1", title="Conductance of random walks on a graph")])
        test = app(example="rewired-random-walk", rank="encoder")
        assert "Conductance of random walks on a graph" not in titles(test)
    finally:
        going.set()
    job = jobs.last()
    assert job is not None
    assert job.finished.wait(60)
    handles.prepare("tfidf")
    assert "Conductance of random walks on a graph" in titles(test.run())
