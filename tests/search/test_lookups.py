"""What a question finds without an encoder: what a person wrote, and documents that share its words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.documents import Document
from engine.library import Filters, Library
from engine.search.answers import Question
from engine.search.lookups import find_author_works, find_word_hits
from tests.search.library import DOCUMENTS, QUERY, fill

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


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    library, _, _ = fill(tmp_path_factory.mktemp("library"))
    with library:
        yield library


def _ids(library: Library, question: Question) -> list[str]:
    return [hit.document.id for hit in find_word_hits(question, library)]


def test_documents_that_share_words_come_in_the_order_of_keywords(library: Library) -> None:
    hits = find_word_hits(Question(QUERY, k=3), library)
    assert {hit.document.id for hit in hits[:2]} == {"p-crystals", "p-molecules"}
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    for hit in hits:
        assert hit.terms and all(term in QUERY.text.lower() for term in hit.terms)


def test_filters_muted_words_and_k_hold(library: Library) -> None:
    (first, *_) = everything = _ids(library, Question(QUERY, k=50))
    assert _ids(library, Question(QUERY, k=1)) == [first]
    patents = _ids(library, Question(QUERY, k=50, filters=Filters(kinds=frozenset({"patent"}))))
    assert patents == [id_ for id_ in everything if library.get([id_])[0].kind == "patent"]
    terms = find_word_hits(Question(QUERY, k=50), library)[0].terms
    muted = find_word_hits(Question(QUERY, k=50, muted=terms), library)
    assert muted[0].document.id != first
    assert not {term for hit in muted for term in hit.terms} & set(terms)


def test_the_question_itself_is_left_out(library: Library) -> None:
    itself = DOCUMENTS[0]
    assert itself.id not in _ids(library, Question(replace(itself, id="mine"), k=50))


def test_nothing_is_found_without_words_or_documents(library: Library, tmp_path: Path) -> None:
    assert find_word_hits(Question(Document("q", "query")), library) == ()
    assert find_word_hits(Question(Document("q", "query", abstract="zzzz")), library) == ()
    with Library.open(tmp_path / "empty", create=True) as empty:
        assert find_word_hits(Question(QUERY), empty) == ()
