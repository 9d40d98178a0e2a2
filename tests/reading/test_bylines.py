"""Names, places and addresses are told from prose."""

from __future__ import annotations

import pytest

from engine.reading.bylines import is_about_authors, is_name, is_names, is_short, left_out, names_in


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lind, Bo Ek and Kurt Gödel",
        "by Ada Lind",
        "Ada Lind*1, Ludwig van Beethoven2 & J. K. O'Neill†",
        "Åse Östby und Émile Noël",
    ],
)
def test_a_list_of_names(text: str) -> None:
    assert is_names(text)
    assert is_about_authors(text)


@pytest.mark.parametrize("text", ["Ada Lind", "Quiet lids of kettles", "", "Ada Lind, " * 100 + "Bo Ek"])
def test_what_is_no_list_of_names(text: str) -> None:
    assert not is_names(text)


@pytest.mark.parametrize(
    "block",
    [
        "Department of Lids,\nTown 12",
        "ada@lids.example",
        "Received 3 May 2020",
        "Institut, Universität Town",
        "Universidad de Town",
        "北京大学，北京",
    ],
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


def test_one_name_and_names_in_ideographs() -> None:
    assert all(is_name(one) for one in ("Ada Lind", "张伟，李娜", "山田 太郎", "Иван Петров"))
    assert not any(is_name(one) for one in ("Lids", "We boil kettles", "水壶很安静，盖子很安静。"))


def test_a_line_without_a_sentence_is_short() -> None:
    assert is_short("1 Lid Lab, Town")
    assert not is_short("We boil kettles.")
    assert not is_short("lid " * 20)


def test_names_are_read_from_lists_of_names_alone() -> None:
    listed = ["Ada Lind1 [0000-0001-2345-6789], Ludwig van Beethoven2,* and Bo Ek†", "Lid Lab, Town 12", "by Åse Östby"]
    assert names_in(listed) == ("Ada Lind", "Ludwig van Beethoven", "Bo Ek", "Åse Östby")


def test_raised_figures_behind_names_are_notes() -> None:
    assert names_in(["Ada Lind¹, Bo Vik²,³ and Cleo Adu¹⁰"]) == ("Ada Lind", "Bo Vik", "Cleo Adu")
