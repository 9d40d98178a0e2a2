"""Matches that follow one another in both texts."""

from __future__ import annotations

from engine.compare.chains import MOST_BETWEEN, chains


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
