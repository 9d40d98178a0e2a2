"""A question that is only a name gives what that person wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.documents import Document
from engine.library import Filters, Library
from engine.search.lookups import find_author_works

HELD = (
    Document("thumbs", title="Thumbs up", authors=("Bo Pang", "Lillian Lee"), year=2002),
    Document("stars", title="Seeing stars", authors=("Lee, L.", "Pang, B."), year=2005),
    Document("fields", title="Brown fields", abstract="Brown soil and brown water.", authors=("Ada Brown",)),
    Document("soil", title="Brown soil"),
)


@pytest.fixture
def held(tmp_path: Path) -> Library:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "people", HELD)
    return Library.open(tmp_path)


def question(text: str) -> Document:
    return Document("q", "query", abstract=text)


def test_a_name_finds_its_documents_and_says_so(held: Library) -> None:
    with held:
        works = find_author_works(question("Pang, B."), held)
        assert works is not None
        assert works.ids == ("stars", "thumbs")
        assert works.sentence == "Two documents of your library are by “Pang, B.”."
        assert works.byline(HELD[0]) == ("Bo Pang", "Lillian Lee")
        assert works.byline(HELD[1]) == ("Pang, B.", "Lee, L.")
        assert works.byline(HELD[3]) == ("Pang, B.", "")
        one = find_author_works(question("Pang, B."), held, Filters(year_to=2003))
        assert one is not None
        assert one.sentence == "One document of your library that passes the filters is by “Pang, B.”."


def test_a_surname_alone_is_a_name_unless_it_is_a_common_word(held: Library) -> None:
    with held:
        assert find_author_works(question("Pang"), held) is not None
        assert find_author_works(question("pang"), held) is None
        assert (
            find_author_works(question("Brown"), held) is None
        )  # two texts hold it, and one person of that name wrote one
        assert find_author_works(question("Ada Brown"), held) is not None


def test_other_questions_are_none(held: Library) -> None:
    with held:
        assert find_author_works(question("How do stars shine?"), held) is None
        assert find_author_works(question("Grace Hopper"), held) is None
        assert find_author_works(Document("p", title="Bo Pang"), held) is None
