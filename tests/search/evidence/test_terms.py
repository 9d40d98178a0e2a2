"""Terms that two texts share, strongest first, and those that tell what one is about."""

from __future__ import annotations

import re
from dataclasses import replace

from engine.documents import Document
from tests.search.evidence.explained import PAPER, explain
from tests.search.library import DOCUMENTS, QUERY


def test_terms_are_shared_content_words_strongest_first() -> None:
    terms = explain(QUERY, PAPER).terms
    ours, theirs = QUERY.text.lower(), PAPER.text.lower()
    assert 0 < len(terms) <= 8
    assert terms[0].weight == 1
    assert [term.weight for term in terms] == sorted((term.weight for term in terms), reverse=True)
    for term in terms:
        assert re.search(rf"\b{term.term}\b", ours), "stands so in the query"
        assert term.term.split()[0].rstrip("s")[:-1] in theirs
    assert not {"the", "of", "between"} & {term.term for term in terms}


def test_singular_and_plural_are_one_term_as_the_query_writes_it() -> None:
    query = Document("q", abstract="Our crystals are grown slowly from a melt in a vessel.")
    terms = [term.term for term in explain(query, PAPER).terms]
    assert terms == ["crystals"]


def test_of_a_words_forms_the_strongest_alone_is_named() -> None:
    words = "A lathe turns brass. Etching and etched brass; etching again, as the etched lathe needs etching."
    one, two = Document("q", kind="patent", abstract=words), Document("d", abstract=words)
    assert {term.term for term in explain(one, two).terms} == {"etching", "lathe", "brass"}


def test_a_frequent_phrase_is_one_term() -> None:
    one = Document(
        "q", abstract="Valve gear moves ports. The Valve gear wears. A worn valve gear leaks; ports stay open."
    )
    two = Document(
        "d", abstract="We make valve gears. Such valve gear is cheap. The valve gear has few parts and ports."
    )
    terms = [term.term for term in explain(one, two).terms]
    assert terms[0] == "valve gear"
    assert "valve" not in terms and "gear" not in terms
    assert "ports" in terms


def test_a_phrase_across_a_comma_is_none() -> None:
    one = Document("q", abstract="Copper, zinc melt here in pots. Copper, zinc melt there in pans.")
    two = Document("d", abstract="Copper, zinc and tin. Copper, zinc and lead are common metals.")
    assert {term.term for term in explain(one, two).terms} == {"copper", "zinc"}


def test_a_questions_word_is_shared_in_other_forms() -> None:
    """It was found by them: "classify land use" for "classified"."""
    asked = Document("q", "query", abstract="Classified valves of images.")
    terms = {term.term for term in explain(asked, DOCUMENTS[3]).terms}
    assert terms == {"classified", "images"}
    as_paper = {term.term for term in explain(replace(asked, kind="paper"), DOCUMENTS[3]).terms}
    assert as_paper == {"images"}
