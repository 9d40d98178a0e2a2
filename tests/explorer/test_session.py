"""The link restores what it says, and nothing that it should not."""

from __future__ import annotations

import random
import string
from typing import get_args

import pytest

from engine.library import Filters
from engine.search import RANKINGS as SEARCH_RANKINGS
from explorer.session import (
    MAX_HITS,
    MAX_LINK_TEXT,
    MAX_LISTED,
    RANKINGS,
    Ranking,
    Visit,
    fits_in_a_link,
    from_link,
    to_link,
)

FULL = Visit(
    origin="library",
    query="doi:10.1/x y",
    encoder="tfidf",
    ranking="keywords",
    k=20,
    filters=Filters(frozenset({"patent"}), 1880, 1890, frozenset({"H04L", "cs.CL"}), frozenset({"Ann. Phys. & Co"})),
    liked=("a", "b"),
    disliked=("c",),
    selected="b",
    colour="year",
    labels="none",
    beside="lsa",
)


@pytest.mark.parametrize(
    "visit",
    [Visit(), FULL, Visit(origin="example", query="car-coupling"), Visit(origin="text", query="why do\nwalks mix?")],
)
def test_a_link_restores_the_visit_that_wrote_it(visit: Visit) -> None:
    assert from_link(to_link(visit)) == visit


def test_a_visit_at_its_defaults_needs_no_link() -> None:
    assert to_link(Visit()) == {}


def test_an_uploaded_query_is_not_in_the_link() -> None:
    assert to_link(Visit(origin="own", k=20)) == {"k": ["20"]}


def test_the_rankings_are_those_of_the_search() -> None:
    assert RANKINGS == get_args(Ranking) == SEARCH_RANKINGS


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
        {"doc": [" "]},
        {"text": ["y" * (MAX_LINK_TEXT + 1)]},
        {"encoder": ["\n"]},
        {"beside": [" lsa"]},
        {"hit": [""]},
        {"colour": ["url(x)"]},
        {"stranger": ["1"]},
        {"doc": []},
    ],
)
def test_what_a_link_gets_wrong_stays_at_its_default(link: dict[str, list[str]]) -> None:
    assert from_link(link) == Visit()


def test_a_document_cannot_be_liked_and_disliked() -> None:
    visit = from_link({"like": ["a", "b", "a"], "unlike": ["b", "c"]})
    assert (visit.liked, visit.disliked) == (("a", "b"), ("c",))


def test_a_link_cannot_list_without_end() -> None:
    assert len(from_link({"category": [f"c{number}" for number in range(1000)]}).filters.categories) == MAX_LISTED


def test_random_links_never_fail() -> None:
    chance = random.Random(0)
    keys = [*to_link(FULL), "text", "example", "x"]
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


def test_only_a_short_text_fits_in_a_link() -> None:
    assert fits_in_a_link("x")
    assert not fits_in_a_link("")
    assert not fits_in_a_link("x" * (MAX_LINK_TEXT + 1))
