"""The first hits of a question, by its words alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.documents import Document
from engine.library import Filters, Library
from engine.search.answers import Question
from engine.search.lookups import find_word_hits
from tests.search.library import DOCUMENTS, QUERY, fill


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
