"""Names, places and addresses are told from prose."""

from __future__ import annotations

import pytest

from engine.readers.bylines import is_about_authors, is_names, left_out


@pytest.mark.parametrize(
    "text",
    ["Ada Lind, Bo Ek and Kurt Gödel", "by Ada Lind", "Ada Lind*1, Ludwig van Beethoven2 & J. K. O'Neill†"],
)
def test_a_list_of_names(text: str) -> None:
    assert is_names(text)
    assert is_about_authors(text)


@pytest.mark.parametrize("text", ["Ada Lind", "Quiet lids of kettles", "", "Ada Lind, " * 100 + "Bo Ek"])
def test_what_is_no_list_of_names(text: str) -> None:
    assert not is_names(text)


@pytest.mark.parametrize(
    "block",
    ["Department of Lids,\nTown 12", "ada@lids.example", "Received 3 May 2020", "Institut, Universität Town"],
)
def test_a_place_or_an_address_is_about_authors(block: str) -> None:
    assert is_about_authors(block)


@pytest.mark.parametrize(
    "block",
    [
        "We boil kettles in the kitchen.",
        "The university boils kettles.",
        "We wrote to a@lids.example for it. They sent the lids.",
        "university " * 61,
    ],
)
def test_prose_is_not_about_authors(block: str) -> None:
    assert not is_about_authors(block)


def test_what_was_left_out_is_said_by_its_first_lines() -> None:
    said = left_out(["Ada Lind", "x" * 70, "Town", "Never said"])
    assert said == f"Lines about authors were left out of the text: Ada Lind; {'x' * 60}; Town."


def test_a_long_line_of_names_costs_no_more_than_its_length() -> None:
    assert not is_about_authors("Aa " * 55 + "!")
