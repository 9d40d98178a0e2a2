"""The link restores what it says, and nothing that it should not."""

from __future__ import annotations

import random
import string

import pytest

from engine.library import Filters
from explorer.state.links import (
    MAX_HITS,
    MAX_ID,
    MAX_LINK_TEXT,
    MAX_LISTED,
    MAX_WORDS,
    from_link,
    is_whole,
    to_link,
    with_own_questions,
    with_own_sides,
)
from explorer.state.visit import CellPlace, Choice, ChosenPair, CoverageChoice, EvaluationChoice, Visit

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
    assert is_whole(link, visit)


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
        ({"sort": ["size"], "turned": ["yes"]}, True),
        ({"turned": ["twice"]}, False),
        ({"as": ["question"]}, True),
        ({"as": ["poem"]}, False),
    ],
)
def test_a_link_that_lost_a_part_is_known(link: dict[str, list[str]], whole: bool) -> None:
    assert is_whole(link, from_link(link)) is whole


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
    assert is_whole(link, visit) and to_link(visit) == {}


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
    assert restored.coverage.document == "" and not is_whole(link, restored)


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
