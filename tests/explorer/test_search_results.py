"""The results of a search: hits, what steering changes, a person's own works, and works that a document cites."""

from __future__ import annotations

import dataclasses
import re
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.core.progress import silent
from engine.documents import Document, Section
from engine.encoders import Coupling
from engine.library import Filters, Library
from engine.search import Reading, Result, Searcher
from engine.search.evidence.explain import Evidence
from engine.workspace import encoding_key
from engine.workspace.indexing import encoder_for, open_vectors
from engine.workspace.reading_state import reading_alone
from explorer.search.cited_works import (
    citation_filter,
    citation_mark,
    coupling_list,
    coupling_sentence,
    explain_couplings,
)
from explorer.state import handles, session
from explorer.state.visit import Visit
from tests.explorer.conftest import Start, finished, page_html, page_text
from tests.explorer.pages import choose, rows, titles
from tests.made_readings import READ
from tests.search.library import weigh

LIST = Section("References", "Lovelace A, Hopper G (2012). Cover times of random walks. Annals of Walks.", "references")
CITING = Document("own", "paper", "Walks on graphs", "How long a random walk on a graph needs to mix.", (LIST,))


@pytest.mark.usefixtures("folder")
def test_an_example_gives_hits_with_evidence(app: Start) -> None:
    test = app()
    test.button(key="try-rewired-random-walk").click().run()
    assert not test.exception
    assert {"Cover times of random walks", "Mixing of Markov chains"} <= set(titles(test))
    html = page_html(test)
    assert "Shared terms" in html and test.button(key="hit-term-0").label
    assert "In your document" in html
    assert "<mark>" in html
    assert test.query_params["example"] == "rewired-random-walk"


@pytest.mark.usefixtures("folder")
def test_a_question_of_another_field_is_told_that_nothing_is_near(app: Start) -> None:
    test = app(text="Aspirin after ischaemic stroke: mortality and bleeding of elderly patients in a randomised trial.")
    assert titles(test)
    said = page_text(test)
    assert "Nothing in this library is near" in said and "No document holds: aspirin" in said
    assert "Nothing in this library is near" not in page_text(app(example="rewired-random-walk"))


@pytest.mark.usefixtures("folder")
def test_gibberish_gets_no_list(app: Start) -> None:
    test = app(text="asdfgh qwerty")
    assert titles(test) == []
    assert "No document holds any of these words: asdfgh, qwerty" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_every_hit_has_a_word_on_a_ruler_whatever_ranks(app: Start) -> None:
    for ranking in ("default", "encoder", "keywords"):
        test = app(example="rewired-random-walk", rank=ranking)
        assert titles(test) and all("ps-hit-near" in row and "\xa0%</span>" in row for row in rows(test))
        html = page_html(test)
        assert html.count('class="ps-ruler"') == 1  # of the hit whose details are shown
        assert "nearness 0." in html and "duplicate" in html


@pytest.mark.usefixtures("folder")
def test_a_bare_topic_and_another_language_are_told(app: Start) -> None:
    topic = app(text="random walks on graphs")
    assert "on this topic" in page_text(topic) and "your text names a topic" in page_text(topic).lower()
    assert "much the same" not in page_text(topic) and 'class="ps-ruler"' not in page_html(topic)
    german = app(
        text="Wir untersuchen, wie schnell sich eine träge Irrfahrt auf einem Graphen mit wenigen Kanten mischt."
    )
    assert "Your text is German, the library English" in page_text(german)
    assert "“in another language”: the two texts were not compared" in page_text(german)


@pytest.mark.usefixtures("folder")
def test_a_stressed_word_is_counted_and_marked(app: Start) -> None:
    test = app(example="rewired-random-walk", stress="chains")
    assert re.search(r"“chains” stands in \d+ documents? of the library\.", page_text(test))
    assert "Says: chains" in page_html(test)


@pytest.mark.usefixtures("folder")
def test_a_passage_that_cites_is_said_to_go_by_its_words(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    passage = "We study how long a lazy random walk needs to mix, which is known for expanders"
    said = "Your text cites other work, so its words count more"
    weigh(monkeypatch, passage_weight=2.5)
    assert said in page_text(app(text=f"{passage} [12, 13]."))
    assert said not in page_text(app(text=f"{passage}."))


@pytest.mark.usefixtures("folder")
def test_kinds_are_said_to_be_ranked_apart_where_they_are(app: Start) -> None:
    said = "Papers and patents are ranked separately"
    assert said in page_text(app(example="rewired-random-walk"))
    assert said not in page_text(app(example="rewired-random-walk", kind="paper"))
    assert said not in page_text(app(example="rewired-random-walk", rank="encoder"))


@pytest.mark.usefixtures("folder")
def test_how_to_read_the_results_is_said_and_why_a_nearer_word_may_stand_below(app: Start) -> None:
    test = app(example="rewired-random-walk", rank="encoder")
    assert "How to read the results" in page_text(test)
    ((question, answer),) = test.session_state["answer"].items()
    nearest, far = (Reading(word, 0.9, 0.5) for word in ("closely related", "unrelated"))
    for first, second, is_said in ((nearest, far, False), (far, nearest, True)):
        read = [
            dataclasses.replace(answer.results[0], reading=first),
            dataclasses.replace(answer.results[1], reading=second),
        ]
        test.session_state["answer"] = {question: dataclasses.replace(answer, results=tuple(read))}
        test.run()
        assert ("a nearer one can stand further down" in page_text(test)) is is_said
    assert "How to read the results" in page_text(app(example="rewired-random-walk", rank="keywords"))


@pytest.mark.usefixtures("folder")
def test_liking_and_disliking_rank_again(app: Start) -> None:
    test = app(example="rewired-random-walk")
    before = titles(test)
    choose(test, "p3").button(key="like-p3").click().run()
    assert not test.exception
    assert "Rotons in helium" not in titles(test)
    assert "More like: Rotons in helium" in page_text(test).replace("<strong>", "").replace("</strong>", "")
    assert test.query_params["like"] == "p3"
    assert "You asked for more like this" in page_text(test)
    assert test.button(key="like-p3").label == "Take it out"
    choose(test, "p2").button(key="dislike-p2").click().run()
    assert "You asked for less like this" in page_text(test)
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


def test_what_was_there_is_searched_while_an_import_runs(folder: Path, app: Start) -> None:
    going = threading.Event()
    try:
        handles.workspace().jobs.start(
            "Importing kites", lambda report: str(going.wait(60)), key=encoding_key("tfidf", "import")
        )
        with Library.open(folder) as library:
            library.add_file("new", "new.jsonl", [Document("n1", title="A random walk that just came in")])
        test = app(example="rewired-random-walk")
        assert not test.exception
        told = "Read so far: 86 % of your library; 1 document is not read yet and ranks by its words alone."
        assert f"{told} It is being read now." in page_text(test) and page_text(test).count("Read so far") == 1
        assert {"Cover times of random walks", "A random walk that just came in"} <= set(titles(test))
        assert "read-rest" not in keys(test) and "prepare" not in keys(test)
        assert test.button(key="search-again").label == "Search again"
    finally:
        going.set()
    finished(test)


@pytest.mark.parametrize("share", [0, 1, 10, 50, 99])
def test_a_reading_that_was_stopped_leaves_a_list_and_can_be_taken_up(
    empty_folder: Path, app: Start, share: int
) -> None:
    """As without `make`: nobody reads."""
    walks = [Document(f"w{n}", title=f"A random walk of its own kind, part {n}", year=1900 + n) for n in range(99)]
    with Library.open(empty_folder, create=True) as library:
        library.add_file("walks", "walks.jsonl", [*walks, Document("US1", "patent", title="Elevated railway")])
        if share:
            encoder = encoder_for(library, "word2vec-sif")
            index = open_vectors(library, encoder)
            index.add([one.id for one in walks[:share]], encoder.encode_documents(walks[:share]))
            index.flush()
    for rank in ("default", "encoder"):
        test = app(text="An elevated railway above the street", encoder="word2vec-sif", rank=rank)
        assert not test.exception and titles(test)[0] == "Elevated railway"
        text = page_text(test)
        assert f"Read so far: {share} % of your library; " in text and "being read" not in text
        assert "Nothing" not in text and "other subjects" not in text
        assert "ranked by keywords, and meaning where it is read, in" in text
    test.button(key="read-rest").click().run()
    finished(test)
    assert "Read so far" not in page_text(test.run()) and titles(test)[0] == "Elevated railway"
    assert handles.workspace().unread_count("word2vec-sif") == 0


def test_what_another_process_reads_is_not_offered_to_be_read(folder: Path, app: Start) -> None:
    with Library.open(folder) as library, reading_alone(library, silent):
        library.add_file("new", "new.jsonl", [Document("n1", title="A random walk that just came in")])
        test = app(example="rewired-random-walk")
        assert "It is being read now." in page_text(test) and "read-rest" not in keys(test)
        assert "prepare" not in keys(app())
    assert "It is being read now." not in page_text(test.run()) and "read-rest" in keys(test)
    assert "1 document of your library is not read yet" in page_text(app())


def keys(test: AppTest) -> set[str]:
    """The keys of the buttons that are shown."""
    return {str(button.key) for button in test.button}


def test_an_encoder_that_has_yet_to_learn_offers_keywords(folder: Path, app: Start) -> None:
    going = threading.Event()
    try:
        handles.workspace().jobs.start(
            "Drawing the map", lambda report: str(going.wait(60)), key=encoding_key("lsa", "map")
        )
        test = app(example="rewired-random-walk", encoder="lsa")
        assert not test.exception and not titles(test)
        assert test.button(key="use-keywords").label == "Rank by keywords"
    finally:
        going.set()
    finished(test)


def test_an_answer_of_before_gives_way_when_the_encoder_has_read_what_came(folder: Path, app: Start) -> None:
    with Library.open(folder) as library:
        library.add_file("new", "new.jsonl", [Document("n1", title="Conductance of random walks on a graph")])
    test = app(example="rewired-random-walk", rank="encoder")
    assert "1 document is not read yet" in page_text(test)
    handles.workspace().prepare("tfidf")
    assert "Conductance of random walks on a graph" in titles(test.run())
    assert "not read yet" not in page_text(test)


def current(test: object) -> list[str]:
    """The ids of the rows that say that they are chosen."""
    return [row.split('data-id="')[1].split('"')[0] for row in rows(test) if 'aria-current="true"' in row]  # type: ignore[arg-type]


@pytest.mark.usefixtures("folder")
def test_the_first_hit_is_shown_until_another_is_chosen_and_the_link_keeps_that(app: Start) -> None:
    test = app(example="rewired-random-walk")
    first = current(test)
    assert len(first) == 1 and "hit" not in test.query_params
    choose(test, "p3")
    assert current(test) == ["p3"] and test.query_params["hit"] == "p3"
    assert current(app(example="rewired-random-walk", hit="p3")) == ["p3"]
    assert current(app(example="rewired-random-walk", hit="nobody")) == first


@pytest.mark.usefixtures("folder")
def test_choosing_a_hit_searches_nothing(app: Start) -> None:
    test = app(example="rewired-random-walk")
    (answer,) = test.session_state["answer"].values()
    choose(test, "p2")
    assert list(test.session_state["answer"].values()) == [answer]


@pytest.mark.usefixtures("folder")
def test_a_filter_that_is_taken_off_again_searches_nothing(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    test = app(example="rewired-random-walk")
    before = page_text(test)
    limited = dataclasses.replace(visit := test.session_state["visit"], filters=Filters(kinds=frozenset({"patent"})))
    test.session_state["visit"] = limited
    assert page_text(test.run()) != before
    monkeypatch.setattr(Searcher, "search", None)
    test.session_state["visit"] = visit
    test.run()
    assert page_text(test) == before


def test_ten_more_are_shown_while_the_library_holds_more(empty_folder: Path, app: Start) -> None:
    with Library.open(empty_folder, create=True) as library:
        walks = [Document(f"w{n}", title=f"A random walk of its own kind, part {n}", year=1990 + n) for n in range(14)]
        library.add_file("walks", "walks.jsonl", walks)
    test = app(text="random walk", rank="keywords")
    assert len(titles(test)) == 10 and "10 of 14 documents" in page_text(test)
    test.button(key="ten-more").click().run()
    assert len(titles(test)) == 14 and test.query_params["k"] == "20"
    assert not [button for button in test.button if button.key == "ten-more"]


def test_a_row_says_that_its_document_is_kept(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        library.collections.add("Walks", ["p2"])
    kept = [row for row in rows(app(example="rewired-random-walk")) if 'title="Kept in Walks"' in row]
    assert len(kept) == 1 and 'data-id="p2"' in kept[0]


@pytest.mark.usefixtures("folder")
def test_another_question_forgets_where_hits_stood_before(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p3")
    test.button(key="dislike-p3").click().run()
    assert "You asked for less like this" in page_text(test)
    test.button_group(key="option-kinds").set_value(["paper"]).run()
    assert not test.exception and titles(test)
    assert "You asked for less like this" not in page_text(test) and "ps-move-" not in "".join(rows(test))
    assert "Take out" in [button.label for button in test.button] and "Less like: " in page_html(test)


def _asked(app: Start, text: str, **link: str) -> AppTest:
    test = app(**link)
    test.text_area(key="paste-text").set_value(text)
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    return test


@pytest.mark.usefixtures("folder")
def test_a_name_gives_the_person_s_documents_and_can_still_be_asked(app: Start) -> None:
    test = _asked(app, "Lovelace, A.")
    assert "One document of your library is by “Lovelace, A.”." in page_text(test)
    assert titles(test) == ["Cover times of random walks"]
    assert "<mark>Ada Lovelace</mark><span>, Grace Hopper</span>" in rows(test)[0]
    assert "as" not in test.query_params and "Lovelace" not in str(dict(test.query_params))
    test.button(key="switch-person").click().run()
    assert not test.exception and test.query_params["as"] == "question"
    assert "No document holds any of these words: lovelace" in page_text(test)
    again = app(own=test.query_params["own"], **{"as": "question"})
    assert "No document holds any of these words: lovelace" in page_text(again)
    again.button(key="switch-person").click().run()
    assert titles(again) == ["Cover times of random walks"]


@pytest.mark.usefixtures("folder")
def test_a_document_of_the_person_is_the_next_question(app: Start) -> None:
    test = _asked(app, "Grace Hopper")
    test.button(key="near-p1").click().run()
    assert not test.exception
    assert test.query_params["doc"] == "p1" and "ps-hit-near" in page_html(test)


@pytest.mark.usefixtures("folder")
def test_another_question_is_asked_as_ever(app: Start) -> None:
    test = _asked(app, "Random Walks")
    assert "by “Random Walks”" not in page_text(test)
    assert "ps-hit-near" in page_html(test)


@pytest.mark.usefixtures("folder")
def test_filters_limit_the_person_s_documents(app: Start) -> None:
    test = _asked(app, "Ada Lovelace", to="2010")
    assert "by “Ada Lovelace”" not in page_text(test)


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
    ((_, answer),) = test.session_state["answer"].items()
    results = answer.results
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
