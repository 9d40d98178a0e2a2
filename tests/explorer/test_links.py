"""What a visitor chose, brought and compares: the link that the browser is given, and what a link restores."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Iterator

import pytest
import streamlit as st
from streamlit.runtime.state import QueryParamsProxy
from streamlit.testing.v1 import AppTest

from engine.core.files import sha256_bytes
from engine.library import Filters, default_library
from engine.workspace import change_keeping
from explorer.state import drafts, session
from explorer.state.examples import EXAMPLE_PAIRS, every_example, examples
from explorer.state.links import (
    MAX_HITS,
    MAX_ID,
    MAX_LINK_TEXT,
    MAX_LISTED,
    MAX_WORDS,
    from_link,
    lost_of,
    to_link,
    with_own_questions,
    with_own_sides,
)
from explorer.state.visit import CellPlace, Choice, ChosenPair, CoverageChoice, EvaluationChoice, Visit
from tests.explorer.conftest import Start, page_text
from tests.explorer.pages import MARKDOWN, PAIR, titles

KEY = "0123456789abcdef" * 2

FULL = Visit(
    origin="library",
    query="doi:10.1/x y",
    encoder="tfidf",
    ranking="keywords",
    k=20,
    filters=Filters(
        frozenset({"patent"}),
        1880,
        1890,
        frozenset({"H04L", "cs.CL"}),
        frozenset({"Ann. Phys. & Co"}),
        frozenset({"To read"}),
        ("seal near/5 ring", 'tag:"to read"'),
        frozenset({"first.ris", "more/second.pdf"}),
    ),
    liked=("a", "b"),
    disliked=("c",),
    selected="b",
    colour="year",
    labels="none",
    beside="lsa",
    pair=ChosenPair(
        Choice("library", "doi:10.1/x y"),
        Choice("own", KEY),
        CellPlace("chunk", 3, 40),
        "attention",
        False,
        False,
        12,
        False,
    ),
    evaluation=EvaluationChoice("judged", ("bm25", "lsa"), "R@100", "lsa", "bm25", "doi:10.1/x y", "blind"),
    checking=KEY,
    part="documents",
    order="title",
    turned=True,
    review="Heat pumps",
    card="lsa",
    as_question=True,
)


@pytest.mark.parametrize(
    "visit",
    [
        Visit(),
        FULL,
        Visit(origin="example", query="car-coupling"),
        Visit(origin="own", query=KEY, checking=KEY[::-1]),
        Visit(origin="library", query="x" * 250, liked=("y" * MAX_ID,)),
        Visit(filters=Filters(venues=frozenset({"Proceedings of" + " a long meeting" * 60}))),
        Visit(filters=Filters(categories=frozenset({"a\u200cb", "no\u00a0break"}))),
        Visit(coverage=CoverageChoice(on=True)),
        Visit(coverage=CoverageChoice(True, "claims", "coverage", "year", "My prior art", 12, "US123:A")),
        Visit(
            pair=ChosenPair(
                Choice("library", "p"), Choice("library", "q"), c=Choice("example", "e"), alone=False, versions=True
            )
        ),
    ],
)
def test_a_link_restores_the_visit_that_wrote_it(visit: Visit) -> None:
    link = to_link(visit)
    assert from_link(link) == visit
    assert lost_of(link, visit) == []


@pytest.mark.parametrize(
    ("link", "whole"),
    [
        ({}, True),
        ({"stranger": ["1"]}, True),
        ({"rank": ["default"], "k": ["10"], "encoder": ["default"], "on": ["subjects"]}, True),
        ({"text": [" a walk "], "venue": ["", "A"]}, True),
        ({"venue": [r"Int.\ J.\ Phys."]}, True),
        ({"venue": ["A", "x" * (MAX_ID + 1)]}, False),
        ({"like": ["a\nb"]}, False),
        ({"doc": ["x\u202ey"]}, False),
        ({"category": [f"c{number}" for number in range(MAX_LISTED + 1)]}, False),
        ({"text": ["y" * MAX_LINK_TEXT]}, True),
        ({"text": ["y" * (MAX_LINK_TEXT + 1)]}, False),
        ({"from": ["2000"], "to": ["1990"]}, False),
        ({"a": ["library:" + "x" * 5000]}, False),
        ({"case": ["x" * 5000]}, False),
        ({"sort": ["title"], "turned": ["yes"]}, True),
        ({"turned": ["twice"]}, False),
        ({"rank": ["nosuch"]}, False),
        ({"sort": ["nosuch"]}, False),
        ({"k": ["7000"]}, False),
        ({"matrix": ["nosuch"], "salient": ["off"]}, False),
        ({"salient": ["on"], "alone": ["off"], "versions": ["off"], "words": ["0"], "keep": ["references"]}, True),
        ({"keep": ["nosuch"]}, False),
        ({"library": ["claims"], "down": ["nosuch"]}, False),
        ({"as": ["question"]}, True),
        ({"as": ["poem"]}, False),
    ],
)
def test_a_link_that_lost_a_part_is_known(link: dict[str, list[str]], whole: bool) -> None:
    assert (not lost_of(link, from_link(link))) is whole


def test_what_was_lost_is_named_with_what_stands_in_its_place() -> None:
    link = {"rank": ["near\u202e"], "venue": ["x" * (MAX_ID + 1)], "kind": ["paper", "book"], "metric": ["R@100"]}
    lost = ["kind=book", f"venue={'x' * 40}", "rank=near (used instead: default)"]
    assert lost_of(link, from_link(link)) == lost


def test_a_visit_at_its_defaults_needs_no_link() -> None:
    assert to_link(Visit()) == {}


def test_an_own_document_stands_in_the_link_by_its_key_alone() -> None:
    assert to_link(Visit(origin="own", query=KEY, k=20)) == {"own": [KEY], "k": ["20"]}
    assert to_link(Visit(origin="own", k=20)) == {"k": ["20"]}


@pytest.mark.parametrize("value", ["", "../" * 11, KEY[:-1], f"{KEY}0", KEY.upper(), "own:" + KEY, f"{KEY}\n"])
def test_only_a_key_names_an_own_document(value: str) -> None:
    visit = from_link({"own": [value], "check": [value], "a": [f"own:{value}"]})
    assert (visit.origin, visit.query, visit.checking, visit.pair.a) == ("", "", "", Choice())


def test_a_text_of_an_old_link_is_read_but_never_written() -> None:
    link = {"text": ["why do\nwalks mix?"], "a": ["text:a: b\nc"]}
    visit = from_link(link)
    assert (visit.origin, visit.query) == ("text", "why do\nwalks mix?")
    assert visit.pair.a == Choice("text", "a: b\nc")
    assert not lost_of(link, visit) and to_link(visit) == {}


@pytest.mark.parametrize(
    "link",
    [
        {"rank": ["__import__"]},
        {"k": ["-1"]},
        {"k": [str(MAX_HITS + 1)]},
        {"k": ["ten"]},
        {"k": ["٣"]},
        {"k": ["9" * 5000]},
        {"kind": ["<script>"]},
        {"from": ["1e9"], "to": ["99999"]},
        {"from": ["1990"], "to": ["1980"]},
        {"doc": ["x" * 5000]},
        {"doc": ["a\x00b"]},
        {"doc": ["a\u202eb"]},
        {"venue": ["a\ud800b"]},
        {"doc": [" "]},
        {"text": ["y" * (MAX_LINK_TEXT + 1)]},
        {"encoder": ["\n"]},
        {"beside": [" lsa"]},
        {"on": ["<b>"]},
        {"metric": [" "], "look": ["x" * 5000], "against": ["\n"], "case": [""], "row": ["\t"]},
        {"hit": [""]},
        {"colour": ["url(x)"]},
        {"a": ["library"]},
        {"a": ["own:x"], "b": ["attic:x"]},
        {"b": ["library:" + "x" * 5000]},
        {"b": ["text:" + "y" * (MAX_LINK_TEXT + 1)]},
        {"c": ["elsewhere:e"], "versions": ["yes"]},
        {"cell": ["s-1"]},
        {"cell": ["x-1-2"]},
        {"cell": ["s--1-2"]},
        {"cell": ["c-1-9999999"]},
        {"matrix": ["identity"]},
        {"keep": ["everything"]},
        {"words": [str(MAX_WORDS + 1)]},
        {"words": ["-3"]},
        {"stranger": ["1"]},
        {"doc": []},
    ],
)
def test_what_a_link_gets_wrong_stays_at_its_default(link: dict[str, list[str]]) -> None:
    assert from_link(link) == Visit()


def test_words_of_a_link_are_tokens_and_stand_in_one_list() -> None:
    visit = from_link({"stress": ["kites", "Big Words", "kites"], "mute": ["kites", "wind"]})
    assert (visit.stressed, visit.muted) == (("kites",), ("wind",))
    assert to_link(visit) == {"stress": ["kites"], "mute": ["wind"]}


def test_a_document_cannot_be_liked_and_disliked() -> None:
    visit = from_link({"like": ["a", "b", "a"], "unlike": ["b", "c"]})
    assert (visit.liked, visit.disliked) == (("a", "b"), ("c",))


def test_a_link_cannot_list_without_end() -> None:
    assert len(from_link({"category": [f"c{number}" for number in range(1000)]}).filters.categories) == MAX_LISTED


def test_random_links_never_fail() -> None:
    chance = random.Random(0)
    keys = [*to_link(FULL), "own", "example", "x"]
    for _ in range(300):
        link = {
            chance.choice(keys): [
                "".join(chance.choices(string.printable + "\u202e\x00é", k=chance.randrange(12)))
                for _ in range(chance.randrange(3))
            ]
            for _ in range(4)
        }
        visit = from_link(link)
        assert from_link(to_link(visit)) == visit


def test_what_is_off_leaves_nothing_in_the_link() -> None:
    off = CoverageChoice(False, "claims", "coverage", "year", "My prior art", 12, "US1")
    assert to_link(Visit(coverage=off)) == {}


@pytest.mark.parametrize(
    "link", [{"library": ["lines"]}, {"library": ["claims"], "at": ["x:US1"]}, {"library": ["claims"], "at": ["3:"]}]
)
def test_what_is_unknown_is_dropped_and_told(link: dict[str, list[str]]) -> None:
    restored = from_link(link)
    assert restored.coverage.document == "" and lost_of(link, restored)


def test_questions_in_own_files_are_not_in_the_link() -> None:
    own = EvaluationChoice("own", metric="bpref", query="q1")
    assert to_link(Visit(evaluation=own)) == {"metric": ["bpref"]}
    assert with_own_questions(EvaluationChoice(), own) is own
    assert with_own_questions(EvaluationChoice("judged"), own) == EvaluationChoice("judged")


def test_own_documents_stay_when_a_link_inside_the_app_leaves_them_out() -> None:
    held = ChosenPair(Choice("own"), Choice("library", "q"))
    assert with_own_sides(ChosenPair(), held) == ChosenPair(Choice("own"))
    assert with_own_sides(ChosenPair(Choice("example", "e")), held) == ChosenPair(Choice("example", "e"))


def test_a_swapped_pair_shows_the_same_from_the_other_side() -> None:
    pair = ChosenPair(Choice("library", "p"), Choice("example", "e"), CellPlace("section", 1, 2), "within_a")
    assert pair.swapped() == ChosenPair(
        Choice("example", "e"), Choice("library", "p"), CellPlace("section", 2, 1), "within_b"
    )
    assert pair.swapped().swapped() == pair
    assert ChosenPair(salient=False).swapped().salient is False
    assert ChosenPair(matrix="attention").swapped().matrix == "attention_back"


def test_another_document_drops_the_cell_and_is_not_read_as_a_version() -> None:
    pair = ChosenPair(Choice("library", "p"), Choice("library", "q"), CellPlace("section", 1, 2), versions=True)
    assert pair.with_side("b", Choice("own")) == ChosenPair(Choice("library", "p"), Choice("own"))


@pytest.fixture
def back(monkeypatch: pytest.MonkeyPatch) -> Callable[[AppTest, dict[str, str]], AppTest]:
    """Goes back in the browser to a link."""

    def go(test: AppTest, link: dict[str, str]) -> AppTest:
        for key in [key for key in test.query_params if key not in link]:
            del test.query_params[key]
        for key, value in link.items():
            test.query_params[key] = value
        page = session._page
        with monkeypatch.context() as patched:
            patched.setattr(session, "_page", lambda: (page()[0], True))
            test.run()
        assert not test.exception
        return test

    return go


Back = Callable[[AppTest, dict[str, str]], AppTest]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("goes_back", "expected"), [(False, "50"), (True, "20")])
def test_the_back_button_restores_the_link_of_before(app: Start, back: Back, goes_back: bool, expected: str) -> None:
    """The browser may send the link of before because the new one has not reached it yet."""
    test = app(example="rewired-random-walk", k="20")
    test.selectbox(key="option-k").set_value(50).run()
    assert test.query_params["k"] == "50"
    if goes_back:
        back(test, {"encoder": "tfidf", "example": "rewired-random-walk", "k": "20"})
    else:
        test.query_params["k"] = "20"
        test.run()
    assert test.query_params["k"] == expected
    test.selectbox(key="option-k").set_value(10).run()
    assert "k" not in test.query_params


@pytest.mark.usefixtures("folder")
def test_back_to_an_empty_link_takes_the_question_away_and_forward_brings_it(app: Start, back: Back) -> None:
    test = app()
    question = "How does a lazy walk mix on a graph?"
    test.text_area(key="paste-text").set_value(question)
    test.button(key="paste-read").click().run()
    link = {key: test.query_params[key] for key in test.query_params}
    assert "own" in link and question in page_text(test)
    assert test.title[0].value == "What lies near"
    back(test, {"encoder": "tfidf"})
    assert test.title[0].value == "What lies near your document?"
    back(test, link)
    assert test.title[0].value == "What lies near" and question in page_text(test)


@pytest.mark.usefixtures("folder")
def test_back_does_not_lose_a_text_that_is_not_kept(app: Start, back: Back) -> None:
    change_keeping(default_library(), remember=False)
    test = app()
    question = "How does a lazy walk mix on a graph?"
    test.text_area(key="paste-text").set_value(question)
    test.button(key="paste-read").click().run()
    test.selectbox(key="option-k").set_value(20).run()
    back(test, {"encoder": "tfidf"})
    assert question in page_text(test)


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (Visit(), Visit(origin="own", query="k"), False),
        (Visit(origin="own", query="k"), Visit(), True),
        (Visit(liked=("p1",)), Visit(), True),
        (Visit(), Visit(checking="k"), True),
        (Visit(checking="k"), Visit(), True),
        (Visit(), Visit(k=20), False),
        (
            Visit(pair=ChosenPair(Choice("own", "a"), Choice("own", "b"))),
            Visit(pair=ChosenPair(Choice("own", "a"))),
            True,
        ),
        (
            Visit(pair=ChosenPair(Choice("own", "a"))),
            Visit(pair=ChosenPair(Choice("own", "a"), Choice("own", "b"))),
            False,
        ),
    ],
)
def test_a_step_that_only_leads_to_the_next_is_passing(before: Visit, now: Visit, expected: bool) -> None:
    assert session._is_passing(before, now) is expected


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


@pytest.mark.usefixtures("folder")
def test_a_draft_gives_way_to_another_query(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Cover times\n\nAbstract\nA random walk on a graph mixes.")
    next(button for button in test.button if button.label == "Read this text").click().run()
    test.button(key="correct").click().run()
    assert "that was misread" in page_text(test)
    del test.query_params["check"]
    test.query_params["example"] = "rewired-random-walk"
    test.run()
    assert not test.exception
    assert "that was misread" not in page_text(test) and titles(test)


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


@pytest.fixture
def new_session(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(st, "session_state", {})
    yield


def pdf(number: int, size: int = 10) -> bytes:
    return b"%PDF-1.4 " + bytes([65 + number]) * size


@pytest.mark.usefixtures("new_session")
def test_a_pdf_is_found_by_its_content() -> None:
    drafts.keep_pdf(pdf(1), "draft.pdf")
    found = drafts.find_pdf(sha256_bytes(pdf(1)))
    assert found is not None and (found.name, found.read()) == ("draft.pdf", pdf(1))
    assert drafts.find_pdf(sha256_bytes(pdf(2))) is None and drafts.find_pdf("") is None


@pytest.mark.usefixtures("new_session")
def test_other_formats_are_not_held_whatever_their_name() -> None:
    drafts.keep_pdf(b"# A text", "draft.pdf")
    assert drafts.find_pdf(sha256_bytes(b"# A text")) is None


@pytest.mark.usefixtures("new_session")
def test_the_first_go_when_there_are_too_many() -> None:
    for number in range(drafts.MOST_FILES):
        drafts.keep_pdf(pdf(number), "x.pdf")
    drafts.keep_pdf(pdf(0), "x.pdf")  # brought again
    drafts.keep_pdf(pdf(20), "x.pdf")
    assert drafts.find_pdf(sha256_bytes(pdf(1))) is None
    assert drafts.find_pdf(sha256_bytes(pdf(0))) and drafts.find_pdf(sha256_bytes(pdf(20)))


@pytest.mark.usefixtures("new_session")
def test_the_first_go_when_they_are_too_large_and_the_last_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MOST_BYTES", 300)
    drafts.keep_pdf(pdf(1, 200), "x.pdf")
    drafts.keep_pdf(pdf(2, 200), "x.pdf")
    assert drafts.find_pdf(sha256_bytes(pdf(1, 200))) is None
    drafts.keep_pdf(pdf(3, 900), "x.pdf")
    assert drafts.find_pdf(sha256_bytes(pdf(3, 900)))


def test_there_are_three_papers_and_three_patents_to_try() -> None:
    kinds = [example.kind for example in examples().values()]
    assert kinds == ["paper"] * 3 + ["patent"] * 3
    for example in examples().values():
        assert 400 <= len(example.path.read_text("utf-8").split()) <= 900
        assert example.title
        assert len(example.opening) > 200


def test_every_document_of_an_example_pair_is_there() -> None:
    names = {name for pair in EXAMPLE_PAIRS for name in (pair.first, pair.second)}
    assert names <= set(every_example())
    assert {every_example()[name].kind for name in names} == {"paper", "patent"}


@pytest.mark.usefixtures("by_hand")
def test_sides_are_swapped_and_changed(compare_page: Start) -> None:
    test = compare_page(**PAIR, cell="s-1-2")
    test.button(key="swap").click().run()
    assert (test.query_params["a"], test.query_params["cell"]) == (PAIR["b"], "s-2-1")
    test.button(key="change-a").click().run()
    assert "a" not in test.query_params
    assert "cell" not in test.query_params
    assert "Sentence by sentence, " not in page_text(test)


def correct(test: AppTest, place: str, **fields: str) -> AppTest:
    """Open one side's form and change some of its fields."""
    test.button(key=f"correct-{place}").click().run()
    for name, text in fields.items():
        inputs = [*test.text_input, *test.text_area]
        field = next(one for one in inputs if one.key.startswith(f"correct-{place}-") and one.key.endswith(f"-{name}"))
        field.set_value(text).run()
    return test


@pytest.mark.usefixtures("by_hand")
def test_what_was_read_of_an_upload_is_corrected_before_it_is_compared(compare_page: Start) -> None:
    test = compare_page(a=PAIR["a"])
    test.file_uploader[0].set_value(("walks.md", MARKDOWN, "text/markdown")).run()
    correct(test, "b", title="Tours of graphs", abstract="A tour of a graph.")
    assert "Sentence by sentence, " not in page_text(test)
    assert "The comparison waits until you use or discard the corrections." in page_text(test)
    opened = next(button for button in test.button if str(button.key).endswith("section-0-open"))
    opened.click().run()
    area = next(one for one in test.text_area if one.label == "Text of section 1")
    area.set_value("We tour each generator evenly.").run()
    test.button(key="use-b").click().run()
    assert not test.exception
    text = page_text(test)
    assert "Sentence by sentence, " in text and "Tours of graphs" in text and "Walks on graphs" not in text
    held = test.session_state["compared-b"][1].document
    assert (held.abstract, held.sections[0].text) == ("A tour of a graph.", "We tour each generator evenly.")
    assert test.query_params["a"] == PAIR["a"] and test.query_params["b"].startswith("own:")
    again = correct(test, "b")
    assert next(one.value for one in again.text_input if one.key.endswith("-title")) == "Tours of graphs"


@pytest.mark.usefixtures("by_hand")
def test_corrections_are_discarded(compare_page: Start) -> None:
    test = correct(compare_page(**PAIR, cell="s-1-2"), "a", title="Other")
    assert any(one.value == "Other" for one in test.text_input)
    test.button(key="leave-a").click().run()
    assert "Sentence by sentence, " in page_text(test) and "Other" not in page_text(test)
    assert (test.query_params["a"], test.query_params["cell"]) == (PAIR["a"], "s-1-2")
    correct(test, "a").button(key="use-a").click().run()  # nothing was changed
    assert (test.query_params["a"], test.query_params["cell"]) == (PAIR["a"], "s-1-2")


@pytest.mark.usefixtures("by_hand")
def test_both_sides_are_corrected_at_once(compare_page: Start) -> None:
    test = correct(correct(compare_page(**PAIR), "a", title="One"), "b", title="Two")
    assert not test.exception
    test.button(key="use-a").click().run()
    assert "Sentence by sentence, " not in page_text(test)
    test.button(key="use-b").click().run()
    assert "Sentence by sentence, " in page_text(test)
    assert all(test.query_params[place].startswith("own:") for place in "ab")
    test.button(key="swap").click().run()
    sides = [test.session_state[f"compared-{place}"][1].document.title for place in ("a", "b")]
    assert sides == ["Two", "One"]


@pytest.mark.usefixtures("by_hand")
def test_a_form_stays_open_while_the_other_side_is_filled(compare_page: Start) -> None:
    test = correct(compare_page(a=PAIR["a"]), "a", title="Other")
    test.text_area(key="paste-text-b").set_value("Couplings\n\nAbstract\nA coupling of cars.")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert "correcting-a" in test.session_state and "Sentence by sentence, " not in page_text(test)
    test.button(key="leave-a").click().run()
    correct(test, "b", title="Other")
    test.button(key="leave-b").click().run()
    test.button(key="change-b").click().run()
    assert "correcting-b" not in test.session_state
