"""Words that a person stresses or leaves out, and those that count most by themselves."""

from __future__ import annotations

from collections import Counter

from engine.documents import Document, Hit, Section
from engine.library import KeywordIndex
from engine.search.words import STRESS, leading_words, promoted, stem_set, token_set, weighed

CORPUS = [
    Document(f"d{number}", title="The wind", abstract=f"A kite in the wind number{number}.") for number in range(9)
]
QUERY = Document(
    "q",
    title="Kites",
    abstract="The roton and the wind.",
    sections=(Section("Method", "A kite. A reel. The zeppelin."),),
)


def test_words_are_tokens() -> None:
    assert token_set(["Mixed-effects", " ", "Kite"]) == {"mixed", "effects", "kite"}


def test_a_stem_stands_for_every_form() -> None:
    assert stem_set(["Filters", "filtering", "Mixed-effects"]) == {"filter", "mix", "effect"}


def test_a_word_is_dropped_in_all_its_forms() -> None:
    terms = Counter({"kite": 2, "kites": 1, "winds": 1})
    assert weighed(terms, stressed=(), muted=stem_set(["Kites"])) == {"winds": 1}
    assert weighed(terms, stressed={"kite"}, muted=stem_set(["kites"])) == {"winds": 1, "kite": STRESS}


def test_terms_are_raised_added_and_dropped() -> None:
    terms = Counter({"kite": 2, "wind": 1, "the": 9})
    assert weighed(terms, stressed={"kite", "reel"}, muted={"the"}) == {"kite": 2 + STRESS, "wind": 1, "reel": STRESS}
    assert weighed(terms, stressed=(), muted=()) == terms


def test_what_says_the_words_rises_and_the_rest_keeps_its_order() -> None:
    order = [Hit("a", 9.0), Hit("b", 8.0), Hit("c", 5.0), Hit("d", 1.0)]
    assert [hit.id for hit in promoted(order, [Hit("c", 3.0), Hit("d", 1.0)])] == ["c", "a", "b", "d"]
    assert promoted(order, []) == order


def test_the_rarest_words_lead_and_unknown_ones_do_not_count() -> None:
    keywords = KeywordIndex.in_memory([*CORPUS, Document("r", abstract="A roton on a reel.")])
    found = leading_words(QUERY, keywords, 9)
    assert found[:2] == ["roton", "reel"]  # the abstract counts more than the body
    assert "zeppelin" not in found and "the" not in found  # held by none; by nearly all
    assert leading_words(QUERY, keywords, 1) == ["roton"]
    assert leading_words(Document("e"), keywords, 9) == []


def test_of_a_words_forms_the_one_said_most_is_offered() -> None:
    held = ["A roton.", "Rotons.", "Rotons.", "A maxon."]
    corpus = [*CORPUS, *(Document(f"r{number}", abstract=text) for number, text in enumerate(held))]
    keywords = KeywordIndex.in_memory(corpus)
    assert leading_words(Document("q", abstract="Rotons, a roton and rotons; a maxon."), keywords, 2) == [
        "rotons",
        "maxon",
    ]
    assert leading_words(Document("q", abstract="A roton of rotons; a maxon."), keywords, 2) == ["maxon", "roton"]
    assert leading_words(Document("q", abstract="Kites."), keywords, 9) == []  # which no document says
