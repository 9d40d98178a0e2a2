"""A person is found by a name alone, however it is typed."""

from __future__ import annotations

import pytest

from engine.documents import Document
from engine.documents.people import PersonName
from engine.library.filters import Filters
from engine.library.store import Library

HELD = (
    Document("full", title="Thumbs", authors=("Bo Pang", "Lillian Lee"), year=2002),
    Document("short", title="Stars", authors=("Pang, B.",), year=2005),
    Document("other", title="Kites", authors=("Bob Brown", "Ada Pang")),
    Document("inverted", title="Parsing", authors=("Manning, Christopher D.",), year=1999),
    Document("patent", "patent", title="Reel", inventors=("Christopher Manning",), year=2011),
    Document("rays", title="Rays", authors=("B. C. Manning",), year=2020),
    Document("accents", title="Nets", authors=("Ana Hernández", "Laurens van der Maaten", "Jean-Paul O'Neil")),
)


@pytest.fixture
def held(library: Library) -> Library:
    library.add_file("k", "people", HELD)
    return library


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Pang, B.", "short full"),
        ("B. Pang", "short full"),
        ("Pang B", "short full"),
        ("Bo Pang", "short full"),
        ("bo pang", "full"),  # without capitals it may be words: no initials
        ("Pang, Ada", "other"),
        ("Brown, B. B.", ""),  # one name is not two
        ("Pang et al.", "short full other"),
        ("Christopher Manning", "patent inverted"),
        ("D. Manning", ""),
        ("B. Manning", "rays"),
        ("Manning, C.D.", "inverted"),
        ("Manning CD", "inverted"),
        ("Hernandez, A.", "accents"),
        ("van der Maaten, Laurens", "accents"),
        ("L. van der Maaten", "accents"),
        ("O’Neil, J.-P.", "accents"),
        ("Pang, Zoe", ""),
    ],
)
def test_a_person_is_found_by_name_or_initials(held: Library, typed: str, expected: str) -> None:
    name = PersonName.read(typed)
    assert name is not None
    assert held.by_author(name) == expected.split()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What is a kite?",
        "10,123,456",
        "Pang, Lee, Brown",
        "Kites (2002)",
        "a b c d e f g",
        "x" * 90,
        "x" * 79 + "1",
    ],
)
def test_another_text_is_no_name(text: str) -> None:
    assert PersonName.read(text) is None


def test_filters_limit_what_a_person_wrote(held: Library) -> None:
    name = PersonName.read("Christopher Manning")
    assert name is not None
    assert held.by_author(name, Filters(kinds=frozenset({"paper"}))) == ["inverted"]
    assert held.by_author(name, Filters(lines=("title:reel OR title:kites",))) == ["patent"]
    assert name.fits("Manning, C.") and not name.fits("Manning, Ada")
