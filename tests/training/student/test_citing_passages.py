"""Passages that cite: which sentence is taken for one, and in what order they come."""

from __future__ import annotations

import math

import pytest

from engine.documents import Document, Section
from engine.training.student.citing_passages import passages_citing, words_of, worth_of_words

VALVES = Document(id="valves", title="Safety valves for boilers", abstract="A valve opens under steam.", year=1998)
WORTH = {"valve": 1.0, "valves": 1.0, "boilers": 2.0, "steam": 0.5, "safety": 3.0}


def citing(*texts: str) -> Document:
    return Document(id="later", title="Engines", sections=tuple(Section("One", text) for text in texts), year=2004)


def found(*texts: str, most: int = 9) -> list[str]:
    return passages_citing(citing(*texts), VALVES, WORTH, most=most)


@pytest.mark.parametrize(
    "mark",
    [
        "(Watt, 1998)",
        "Watt (1998)",
        "Watt and Boulton (1998)",
        "(Watt and Boulton, 1998)",
        "Watt et al. (1998)",
        "(Watt et al., 1998a)",
        "(Hook, 1996; Watt, 1998)",
        "(Çelik, 1998)",
        "O’Neil (1998)",
    ],
)
def test_a_name_with_the_year_is_a_mark(mark: str) -> None:
    text = f"Valves are known {mark} for that."
    assert found(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Valves are known (Watt, 1999) for that.",
        "Valves of 1998 are known for that.",
        "Valves are known [3] for that.",
        "Valves are numbered Watt 19981 in that.",
        "Wheels are known (Watt, 1998) for that.",  # no word of worth in common
    ],
)
def test_nothing_else_is_one(text: str) -> None:
    assert found(text) == []


def test_a_passage_is_the_sentence_with_those_beside_it() -> None:
    text = "First comes this. Then comes that. Valves hold (Watt, 1998) well. After it comes this. Last comes that."
    assert found(text) == ["Then comes that. Valves hold (Watt, 1998) well. After it comes this."]


def test_at_the_ends_of_a_section_there_is_nothing_beside_it() -> None:
    assert found("Valves hold (Watt, 1998) well. Then comes that.", "Nothing of it is said here.") == [
        "Valves hold (Watt, 1998) well. Then comes that."
    ]


def test_the_likeliest_come_first_and_only_so_many() -> None:
    texts = ["Steam is hot (Watt, 1998).", "Safety matters (Watt, 1998).", "Boilers and valves (Watt, 1998)."]
    assert found(*texts) == [texts[1], texts[2], texts[0]]
    assert found(*texts, most=2) == [texts[1], texts[2]]


def test_of_equal_ones_the_first_comes_first_and_none_twice() -> None:
    texts = ["A valve is one (Watt, 1998).", "One is a valve (Watt, 1998).", "A valve is one (Watt, 1998)."]
    assert found(*texts) == texts[:2]


def test_without_a_year_nothing_is_found() -> None:
    undated = Document(id="undated", title="Safety valves")
    assert passages_citing(citing("Valves are known (Watt, 1998)."), undated, WORTH, most=9) == []


def test_a_rare_word_is_worth_more() -> None:
    titles = ["steam valve", "steam engine", "steam wheel", "the steam valve"]
    worth = worth_of_words(Document(id=title, title=title) for title in titles)
    assert worth == {
        "steam": 0.0,
        "valve": pytest.approx(math.log(2)),
        "engine": pytest.approx(math.log(4)),
        "wheel": pytest.approx(math.log(4)),
    }


def test_words_are_of_title_and_abstract_without_function_words() -> None:
    document = Document(id="d", title="The valve", abstract="It opens.", sections=(Section("Method", "A wheel."),))
    assert words_of(document) == {"valve", "opens"}
