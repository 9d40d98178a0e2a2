"""Matches that follow one another, and matches that are given as another's words."""

from __future__ import annotations

import pytest

from engine.compare.model import MOST_BETWEEN, acknowledged, chains
from engine.documents import Document

SAID = "The rotor follows the current of the tide"


def at(first: int, second: int, length: int = 10) -> tuple[tuple[int, int], tuple[int, int]]:
    return (first, first + length), (second, second + length)


def test_matches_in_the_same_order_form_a_chain_in_reading_order() -> None:
    places = [at(200, 250), at(0, 40), at(100, 90)]
    assert chains(places, [0.9, 0.5, 0.7]) == ((1, 2, 0),)


def test_a_match_that_goes_back_or_overlaps_in_one_text_is_left_out() -> None:
    assert chains([at(0, 100), at(50, 0)], [0.5, 0.5]) == ()
    assert chains([at(0, 0), at(50, 5)], [0.5, 0.5]) == ()


def test_a_gap_ends_a_chain_in_either_text() -> None:
    assert chains([at(0, 0), at(10 + MOST_BETWEEN, 20)], [0.5, 0.5]) == ((0, 1),)
    assert chains([at(0, 0), at(11 + MOST_BETWEEN, 20)], [0.5, 0.5]) == ()
    assert chains([at(0, 0), at(20, 11 + MOST_BETWEEN)], [0.5, 0.5]) == ()


def test_the_heaviest_chain_comes_first_and_a_match_stands_in_one() -> None:
    light, heavy = [at(0, 5_000), at(50, 5_050)], [at(20, 0), at(70, 50), at(120, 100)]
    found = chains([*light, *heavy], [0.6, 0.6, 0.5, 0.5, 0.5])
    assert found == ((2, 3, 4), (0, 1))
    assert sorted(number for chain in found for number in chain) == [0, 1, 2, 3, 4]


def test_no_matches_and_single_ones_form_none() -> None:
    assert chains([], []) == ()
    assert chains([at(0, 0)], [1.0]) == ()


def how(text: str, stretch: str) -> str:
    document = Document("d", abstract=text)
    start = document.parts[0].text.index(stretch)
    return acknowledged(document, document.parts[0].chunk("d", 0, start, start + len(stretch)))


@pytest.mark.parametrize("opening, closing", ["“”", "«»", '""', "„“", ("``", "''")])
def test_what_stands_between_quotation_marks_is_quoted(opening: str, closing: str) -> None:
    assert how(f"They write: {opening}{SAID}, as it must.{closing} We do not.", SAID) == "quoted"
    assert how(f"They write: {opening}The seal is tight at any speed.{closing} {SAID}.", SAID) == ""


@pytest.mark.parametrize("mark", ["[12]", "(Smith and Jones, 2010)", "as Brown (2011) says"])
def test_a_stretch_with_a_citation_is_cited(mark: str) -> None:
    assert how(f"{SAID} {mark}. We measure it.", f"{SAID} {mark}") == "cited"
    assert how(f"{SAID}. We measure it {mark}.", SAID) == ""


def test_a_word_in_quotation_marks_quotes_no_passage() -> None:
    assert (
        how(
            f"{SAID}, in a “wheel with a seal of rubber”, and turns a generator that is as large as a house.",
            f"{SAID}, in a “wheel with a seal of rubber”, and turns a generator that is as large as a house",
        )
        == ""
    )
