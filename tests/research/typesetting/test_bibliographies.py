"""Reference lists drawn from known works."""

from __future__ import annotations

import random

import pytest
from engine.research.typesetting.bibliographies import STYLES, Mistakes, misprinted

from engine.documents import Document
from engine.search.citations.entries import parse_entry

WORK = Document(
    "w",
    title="Sparse matrices: direct methods for large-scale systems",
    year=2006,
    authors=("Davis, Tim A.", "Duff, Iain"),
    venue="Journal of Numbers",
)
NONE = Mistakes(0, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("style", STYLES)
def test_an_entry_without_mistakes_is_read_again(style: str) -> None:
    assert misprinted(WORK, NONE, random.Random(1)) == WORK
    found = parse_entry(STYLES[style](WORK, random.Random(1)))
    assert (found.title, found.year) == (WORK.title, WORK.year)
    assert "Davis" in found.authors[0]


@pytest.mark.parametrize(
    ("mistakes", "changed"),
    [
        (Mistakes(1, 0, 0, 0, 0, 0, 0), "title"),
        (Mistakes(0, 1, 0, 0, 0, 0, 0), "title"),
        (Mistakes(0, 0, 0, 1, 0, 0, 0), "year"),
        (Mistakes(0, 0, 0, 0, 1, 0, 0), "title"),
        (Mistakes(0, 0, 0, 0, 0, 1, 0), "title"),
        (Mistakes(0, 0, 0, 0, 0, 0, 1), "venue"),
    ],
)
def test_each_mistake_changes_its_part(mistakes: Mistakes, changed: str) -> None:
    found = misprinted(WORK, mistakes, random.Random(2))
    parts = {name: getattr(found, name) for name in ("title", "year", "venue", "authors")}
    assert {name for name, value in parts.items() if value != getattr(WORK, name)} == {changed}


def test_of_many_authors_the_first_are_named() -> None:
    many = Document(
        "m", title="A title", year=2000, authors=tuple(f"Name{letter}, A" for letter in "abcdefg"), venue="V"
    )
    assert all(
        "et al" in style(many, random.Random(1)) and "Nameg" not in style(many, random.Random(1))
        for style in STYLES.values()
    )
