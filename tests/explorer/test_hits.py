"""A hit as it is drawn and spoken: how near and why, its thumbs, collections, tags, note and read mark."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from engine.documents import Chunk, Document, Section
from engine.library import Annotation, Library
from engine.search import FirstHit, Reading, Result, Term
from engine.search.evidence.explain import Evidence
from engine.search.evidence.sentences import PassagePair
from engine.search.readings import Quoted
from explorer.search.chosen_hit import near_lines, why
from explorer.search.hits import HitEntry, first_hit_rows, hit_entries, hit_rows, key_list
from explorer.shared.document import full_text, head, source_link
from explorer.shared.markup import table
from explorer.state.links import MAX_LISTED
from tests.documents.test_markup import HOSTILE
from tests.explorer.conftest import HOSTILE as HOSTILE_TITLE
from tests.explorer.conftest import Start, page_html, page_text
from tests.explorer.pages import EXAMPLE, choose, chunk, keep, kept, opened, rows, titles
from tests.made_readings import READ


def result(rank: int, id_: str = "") -> Result:
    return Result(rank, Document(id_ or f"d{rank}", "paper", f"Title {rank}", year=1990), READ, {}, Evidence())


def test_a_row_has_its_rank_facts_and_reading_and_the_chosen_one_says_so() -> None:
    html = hit_rows([HitEntry(result(1)), HitEntry(result(2))], "d2", {"d1": "To read"})
    first, second = html.split("</li>")[:2]
    assert 'data-id="d1" aria-current="false"' in first and 'data-id="d2" aria-current="true"' in second
    assert ">1</span>" in first and "<span>1990</span>" in first and 'title="Kept in To read"' in first
    assert "Kept" not in second
    assert "<strong>closely related</strong> <span>83\xa0%</span>" in first
    assert hit_rows([], "", {}) == ""
    apart = replace(result(1), reading=Reading("in another language", 1.0, 0.1))
    assert "<strong>in another language</strong> </span>" in hit_rows([HitEntry(apart)], "", {})


def test_a_venue_in_tex_is_read_in_letters() -> None:
    document = Document("d", "paper", "Walks", venue="Ann. Inst. H. Poincar\\'e \\& <b>")
    shown = [hit_rows([HitEntry(replace(result(1), document=document))], "", {}), head(document)]
    assert all("Ann. Inst. H. Poincaré &amp; &lt;b&gt;</" in html for html in shown)


def test_a_row_says_why_in_its_nearest_sentence_with_its_place_else_in_shared_terms() -> None:
    body = Document("d", "paper", "Kites", "An abstract.", (Section("Wind tunnels", "The kite <b>dives</b> in wind."),))
    there = Chunk("d", 2, "Wind tunnels", 0, 30, "The kite <b>dives</b> in wind.", 7)
    pair = PassagePair(chunk("A kite dives."), there, 0.5)
    one = Result(1, body, READ, {}, Evidence((Term("kite", 1.0),), pair))
    html = hit_rows([HitEntry(one)], "", {})
    assert "Wind tunnels, p. 7</span>" in html and "<mark>kite</mark>" in html
    assert "<b>" not in html and "&lt;b&gt;" in html
    html = hit_rows([HitEntry(replace(one, evidence=Evidence((Term("kite", 1.0), Term("tail", 1.0)))))], "", {})
    assert "Shared</span><span>kite, tail</span>" in html
    assert "near by the meaning of other words" in hit_rows([HitEntry(replace(one, evidence=Evidence()))], "", {})


def test_a_step_of_steering_leaves_its_hit_in_its_place_and_says_where_the_others_went() -> None:
    now = [result(1, "c"), result(2, "a"), result(3, "new"), result(4, "d")]
    listed = hit_entries(now, {"c": 2, "a": -1, "new": None, "d": 0}, [(result(2, "b"), "like")])
    assert [entry.document.id for entry in listed] == ["c", "b", "a", "new", "d"]
    assert [entry.move for entry in listed] == ["up 2", "", "down 1", "new", ""]
    html = hit_rows(listed, "", {})
    assert html.count("You asked for more like this") == 1 and '<span class="ps-rank">+</span>' in html
    assert '<span class="ps-move ps-move-up">up 2</span>' in html
    assert "You asked for less like this" in hit_rows(hit_entries([], {}, [(result(1), "unlike")]), "", {})


def test_the_details_are_named_by_their_result() -> None:
    assert HitEntry(result(3)).spoken == "Result 3: Title 3"
    assert HitEntry(result(3), "like").spoken == "You asked for more like this: Title 3"


def test_the_keys_are_listed() -> None:
    assert key_list().count("<kbd>") == 6 and "keep it in a collection" in key_list()


def test_hostile_text_stays_text_in_every_widget() -> None:
    evidence = Evidence((Term(HOSTILE, 1.0),), PassagePair(chunk(HOSTILE), chunk(HOSTILE), 0.5))
    document = Document(
        HOSTILE,
        "patent",
        HOSTILE,
        HOSTILE,
        (Section(HOSTILE, HOSTILE),),
        categories=(HOSTILE,),
        venue=HOSTILE,
        authors=(HOSTILE,),
        url="javascript:alert(1)",
        claims=(HOSTILE,),
    )
    found = Result(1, document, READ, {"encoder": 0.5}, evidence, (HOSTILE,))
    html = (
        head(document)
        + full_text(document)
        + why(found)
        + hit_rows([HitEntry(found)], HOSTILE, {HOSTILE: HOSTILE})
        + source_link(document)
        + table(("a",), [(HOSTILE,)], label=HOSTILE)
    )
    assert "<script" not in html
    assert "<img" not in html
    assert "href" not in html
    assert html.count("&lt;script&gt;") >= 10


def test_a_first_hit_that_shares_only_other_forms_says_so() -> None:
    document = Document("p", title="Harrow")
    shown = [FirstHit(1, document, ("pump", "seal")), FirstHit(2, replace(document, id="q"), ())]
    shown.append(FirstHit(3, replace(document, id="r"), (), by_meaning=True))
    html = str(first_hit_rows(shown, "p"))
    assert ">Shared</span><span>pump, seal<" in html
    assert html.count("Shared") == 1 and html.count("Shares other forms of your words") == 1
    assert html.count("Near in meaning") == 1


def test_a_passage_that_says_most_of_the_question_is_told_below_the_word() -> None:
    found = Result(1, Document("d"), READ, {}, Evidence(quoted=Quoted(12, 13)))
    said = "A passage of it says most of your text: 12 of its 13 telling words."
    assert near_lines(found).endswith(f'<p class="ps-score">{said}</p>')
    assert "telling" not in near_lines(replace(found, evidence=Evidence()))


@pytest.mark.usefixtures("folder")
def test_each_hit_has_its_own_details_and_buttons(app: Start) -> None:
    test = app(example="rewired-random-walk")
    for id_ in ("p2", "p1"):
        choose(test, id_)
        assert not test.exception
        keys = {str(button.key) for button in test.button}
        assert {f"like-{id_}", f"dislike-{id_}", f"compare-{id_}"} <= keys
        assert not keys & {f"like-{other}" for other in ("p1", "p2", "p3") if other != id_}
    assert "Annals of Walks" in page_text(test) and "Ada Lovelace" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_what_was_steered_by_offers_to_be_taken_out_in_place_of_being_judged(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p2")
    assert [one for one in test.get("button_group") if one.key == "judge-p2"]
    test.button(key="like-p2").click().run()
    assert not test.exception and "You asked for more like this" in page_text(test)
    assert not [one for one in test.get("button_group") if one.key == "judge-p2"]
    test.button(key="like-p2").click().run()
    assert "like" not in test.query_params and "You asked for more" not in page_text(test)


def _press(test: AppTest, number: int) -> AppTest:
    test.button(key=f"hit-category-{number}").click().run()
    assert not test.exception
    return test


@pytest.mark.usefixtures("folder")
def test_a_category_filters_the_list_and_a_second_press_takes_the_filter_away(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p1")
    everything = titles(test)
    assert len(everything) > 1
    assert [test.button(key=f"hit-category-{number}").label for number in (0, 1)] == ["math.PR", "cs.DM"]
    assert test.button(key="hit-category-0").help == "list only documents of this category"
    _press(test, 0)
    assert titles(test) == ["Cover times of random walks"]
    assert test.query_params["category"] == "math.PR" and test.query_params["hit"] == "p1"
    assert test.multiselect(key="option-categories").value == ["math.PR"]
    assert test.button(key="hit-category-0").help == "take this category out of the filters"
    assert test.button(key="hit-category-1").help == "list documents of this category, too"
    _press(test, 0)
    assert titles(test) == everything and "category" not in test.query_params


@pytest.mark.usefixtures("folder")
def test_what_the_filter_at_the_side_chose_shows_on_the_hit(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p1")
    test.multiselect(key="option-categories").set_value(["cs.DM"]).run()
    assert test.button(key="hit-category-1").help == "take this category out of the filters"
    assert len(rows(_press(test, 1))) > 1


@pytest.mark.usefixtures("folder")
def test_a_full_filter_says_why_no_category_can_be_added(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p1")
    visit = test.session_state["visit"]
    full = frozenset(["cs.DM", *(f"c{number}" for number in range(MAX_LISTED - 1))])
    test.session_state["visit"] = dataclasses.replace(
        visit, filters=dataclasses.replace(visit.filters, categories=full)
    )
    test.run()
    assert test.button(key="hit-category-0").disabled and "take one out" in test.button(key="hit-category-0").help
    assert not test.button(key="hit-category-1").disabled


@pytest.mark.usefixtures("folder")
def test_a_document_without_categories_has_no_buttons_and_a_hostile_one_stays_text(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p2")
    assert not [button for button in test.button if str(button.key).startswith("hit-category")]
    choose(test, "p4")
    assert test.button(key="hit-category-0").label != HOSTILE_TITLE
    _press(test, 0)
    assert len(rows(test)) == 1


@pytest.mark.usefixtures("folder")
def test_a_person_s_document_filters_that_person_s_documents(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Grace Hopper")
    next(button for button in test.button if button.label == "Read this text").click().run()
    _press(test, 1)
    assert test.query_params["category"] == "cs.DM" and titles(test) == ["Cover times of random walks"]


@pytest.mark.usefixtures("folder")
def test_a_shared_term_is_stressed_and_a_second_press_stresses_it_no_longer(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p1")
    terms = [button for button in test.button if str(button.key).startswith("hit-term-")]
    assert 0 < len(terms) <= 8 and "Shared terms" in page_text(test)
    key, text = str(terms[0].key), terms[0].label
    assert test.button(key=key).help == "stress it, so that near documents that say it come further up"
    test.button(key=key).click().run()
    assert not test.exception
    assert test.query_params["stress"] == text and test.query_params["hit"] == "p1"
    assert f"Says: {text}" in page_text(test)
    assert (test.button(key=key).label, test.button(key=key).help) == (text, "stop stressing it")
    test.button(key=key).click().run()
    assert "stress" not in test.query_params


@pytest.mark.usefixtures("folder")
def test_where_only_meaning_ranks_shared_terms_are_no_buttons(app: Start) -> None:
    test = choose(app(example="rewired-random-walk", rank="encoder", encoder="tfidf"), "p1")
    assert not [button for button in test.button if str(button.key).startswith("hit-term-")]
    assert 'class="ps-terms"' in page_html(test)


@pytest.mark.usefixtures("folder")
def test_a_full_list_of_words_says_why_no_term_can_be_stressed(app: Start) -> None:
    test = app(example="rewired-random-walk")
    words = tuple(f"w{number}" for number in range(MAX_LISTED))
    test.session_state["visit"] = dataclasses.replace(test.session_state["visit"], stressed=words)
    term = choose(test, "p1").button(key="hit-term-0")
    assert term.disabled and "take one out" in term.help


@pytest.mark.usefixtures("folder")
def test_a_hit_that_steers_has_its_terms_as_text(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p2")
    assert test.button(key="hit-term-0")
    test.button(key="like-p2").click().run()
    assert not [button for button in test.button if str(button.key).startswith("hit-term-")]
    assert 'class="ps-terms"' in page_html(test)


def judge(test: AppTest, id_: str, grade: int | None) -> AppTest:
    """Judge a hit, in its details."""
    return choose(test, id_).button_group(key=f"judge-{id_}").set_value(grade).run()


def judged(folder: Path) -> list[dict[str, int]]:
    with Library.open(folder) as library:
        return [dict(judged.grades) for judged in library.judgements.queries()]


def test_a_thumb_is_kept_with_the_query_and_counted(app: Start, folder: Path) -> None:
    test = app(example="rewired-random-walk")
    assert "judged" not in page_text(test)
    judge(test, "p1", 1)
    judge(test, "p2", 0)
    assert not test.exception
    assert "2 hits judged, 1 relevant" in page_text(test)
    assert judged(folder) == [{"p1": 1, "p2": 0}]
    with Library.open(folder) as library:
        assert library.judgements.queries()[0].query.abstract


def test_a_later_visit_finds_it_and_takes_it_back(app: Start, folder: Path) -> None:
    judge(app(example="rewired-random-walk"), "p1", 1)
    test = app(example="rewired-random-walk")
    assert choose(test, "p1").button_group(key="judge-p1").value == 1
    assert "1 hit judged, 1 relevant" in page_text(test)
    judge(test, "p1", None)
    assert "judged" not in page_text(test)
    assert judged(folder) == []


@pytest.mark.usefixtures("folder")
def test_the_way_to_evaluate_keeps_what_the_visitor_has_chosen(app: Start) -> None:
    test = app(example="rewired-random-walk", rank="keywords", k="20", **{"from": "1990"})
    judge(test, "p1", 1)
    link = next(link for link in test.get("page_link") if "Evaluate" in link.proto.label)
    said = parse_qs(link.proto.query_string)
    assert said == {
        "encoder": ["tfidf"],
        "on": ["judged"], "example": ["rewired-random-walk"], "rank": ["keywords"], "k": ["20"], "from": ["1990"],
        "hit": ["p1"],
    }  # fmt: skip


@pytest.mark.usefixtures("folder")
def test_judging_does_not_change_the_ranking(app: Start) -> None:
    test = app(example="rewired-random-walk")
    before = titles(test)
    judge(test, "p2", 0)
    assert titles(test) == before


def written(folder: Path, id_: str) -> Annotation:
    with Library.open(folder) as library:
        return library.annotations.of([id_])[0]


def test_a_hit_is_tagged_noted_and_read(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        library.annotations.tag(["p2", "p3"], "To *read*x")
    test = opened(app(example=EXAMPLE, hit="p2"), "notes-p2")
    assert test.multiselect(key="tags-p2").value == ["To *read*x"]
    test = opened(test.multiselect(key="tags-p2").set_value(["walks"]).run(), "notes-p2")
    test = opened(test.text_area(key="note-p2").set_value("Holds <i>only</i>\nif lazy").run(), "notes-p2")
    test = test.checkbox(key="read-p2").check().run()
    assert not test.exception
    assert written(folder, "p2") == Annotation(("walks",), "Holds <i>only</i>\nif lazy", True)
    assert written(folder, "p3") == Annotation(("To *read*x",))
    assert "✓ Read" in page_text(test) and "Holds &lt;i&gt;only&lt;/i&gt;" in page_html(test)


def test_a_tag_that_cannot_be_one_is_told(app: Start, folder: Path) -> None:
    test = opened(app(example=EXAMPLE, hit="p1"), "notes-p1")
    test = test.multiselect(key="tags-p1").set_value(['say "walk"']).run()
    assert "Expected a tag of 1 to 60 characters without quotes" in page_text(test)
    assert written(folder, "p1") == Annotation()


def test_a_search_by_a_tag_sees_the_tags_that_were_given_meanwhile(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        library.annotations.tag(["p1"], "walks")
        test = app(example=EXAMPLE, line="tag:walks")
        assert "Cover times" in page_text(test) and "Mixing of Markov chains" not in page_text(test)
        library.annotations.tag(["p2"], "walks")
    assert "Mixing of Markov chains" in page_text(test.run())


def keep_in_new(test: AppTest, key: str, name: str) -> AppTest:
    test.text_input(key=f"new-collection-{key}").input(name)
    (button,) = [button for button in test.button if button.label == "Create it"]
    return button.click().run()


def test_a_hit_is_kept_in_a_new_collection_and_says_so(app: Start, folder: Path) -> None:
    test = opened(app(example=EXAMPLE, hit="p2"), "keep-p2")
    assert "Kept in" not in page_text(test)
    keep_in_new(test, "p2", " Walks  on graphs ")
    assert not test.exception
    assert kept(folder) == {"Walks on graphs": ["p2"]}
    assert "Kept in Walks on graphs" in page_text(test)


def test_a_tick_keeps_a_hit_and_takes_it_out_again(app: Start, folder: Path) -> None:
    keep(folder, "A *bold* [name](x)", "p3")
    test = opened(app(example=EXAMPLE, hit="p1"), "keep-p1")
    box = test.checkbox(key="kept-p1-0")
    assert (box.label, box.value) == (r"A \*bold\* \[name\](x) (1)", False)
    test = opened(box.check().run(), "keep-p1")
    assert kept(folder) == {"A *bold* [name](x)": ["p3", "p1"]}
    assert test.checkbox(key="kept-p1-0").value is True
    test.checkbox(key="kept-p1-0").uncheck().run()
    assert kept(folder) == {"A *bold* [name](x)": ["p3"]}


def test_a_name_that_cannot_be_one_is_told(app: Start, folder: Path) -> None:
    test = keep_in_new(opened(app(example=EXAMPLE, hit="p1"), "keep-p1"), "p1", "  ")
    assert "Expected a collection's name of 1 to 80 visible characters" in page_text(test)
    assert kept(folder) == {}
