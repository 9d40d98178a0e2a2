"""Inputs of many things: a few of each are read or refused by name, and the largest stay below the size of a file."""

from __future__ import annotations

import random

import pytest

from engine.core.errors import InputError
from engine.reading import read_bytes
from tests.hostile import many
from tests.hostile.many import FAMILIES

_FEW = 30


@pytest.mark.parametrize("family", FAMILIES)
def test_a_few_of_each_are_read_or_refused_by_name(family: str) -> None:
    ending, makers = FAMILIES[family]
    read = 0
    for what, maker in makers.items():
        name = f"a.{what.partition('.')[2] or ending}"
        try:
            read += bool(read_bytes(maker(_FEW), name).document.id)
        except InputError as error:
            assert str(error).rstrip().endswith((".", "NEW")), what
    assert read > len(makers) / 3


def test_an_input_says_in_its_name_what_it_holds_and_how_many() -> None:
    name, data = many.drawn_from("many in references")(random.Random(3))
    what, _, rest = name.rpartition("-")
    assert what and rest.split(".")[1] in ("ris", "bib", "nbib", "enw", "ciw") and data
    assert rest.split(".")[0] in {str(size) for size in (500, 20_000, 800_000)}


def test_the_largest_are_below_the_size_of_a_file() -> None:
    sizes = [len(data) for _, data in many.largest("many in tables")]
    assert len(sizes) == len(FAMILIES["many in tables"][1]) and max(sizes) < 9_500_000 and min(sizes) > 300_000
