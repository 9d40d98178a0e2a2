"""What stands in which section."""

from __future__ import annotations

import pytest

from engine.reading.web.assembly import stretches_of
from engine.reading.web.prose import Part


def heading(text: str, level: int = 2) -> Part:
    return Part("heading", text, level)


def text(words: str) -> Part:
    return Part("text", words)


def told(*found: Part) -> list[tuple[str, str, str]]:
    return [(one.title, one.role, one.text) for one in stretches_of(found, "Reefs") if one.title or one.text]


def test_headings_with_numbers_and_roles() -> None:
    found = told(
        heading("Reefs", 1),
        heading("1. Introduction"),
        text("a"),
        text("b"),
        heading("References"),
        text("c"),
        text("d"),
    )
    assert found == [("Introduction", "body", "a\n\nb"), ("References", "references", "c\nd")]


@pytest.mark.parametrize(
    "named", ["Share this article", "3 Comments", "Rights and permissions", "Similar articles", "Cite"]
)
def test_furniture_goes_with_what_is_below_it(named: str) -> None:
    assert told(
        heading("A"), text("a"), heading(named), text("b"), heading("C", 3), text("c"), heading("D"), text("d")
    ) == [
        ("A", "body", "a"),
        ("D", "body", "d"),
    ]


def test_headings_within_an_abstract() -> None:
    assert told(heading("Abstract"), heading("Aim", 3), text("a"), heading("B"), text("b")) == [
        ("Abstract", "abstract", "Aim: a"),
        ("B", "body", "b"),
    ]


def test_a_second_abstract_is_a_section() -> None:
    found = told(heading("Abstract"), text("a"), Part("abstract", "b"))
    assert found == [("Abstract", "abstract", "a"), ("Abstract", "body", "b")]
    assert told(heading("Abstract"), Part("abstract", "b")) == [
        ("Abstract", "abstract", ""),
        ("Abstract", "abstract", "b"),
    ]


def test_key_words_beside_and_below_their_label() -> None:
    assert told(Part("abstract", "a\n\nKeywords: b, c")) == [
        ("Abstract", "abstract", "a"),
        ("Keywords", "keywords", "b, c"),
    ]
    assert told(text("Keywords:"), text("b; c"), text("d"))[1:] == [("Keywords", "keywords", "b; c"), ("", "body", "d")]


def test_lists_of_references_take_the_heading_above_them() -> None:
    assert told(heading("Notes"), Part("references", "", entries=["a", "b"])) == [("Notes", "references", "a\nb")]
    assert told(heading("A"), text("a"), Part("references", "Refs", entries=["b"]))[-1] == ("Refs", "references", "b")
