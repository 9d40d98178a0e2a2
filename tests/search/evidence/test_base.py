"""What evidence is, and how it is spoken of."""

from __future__ import annotations

import pytest

from engine.search.evidence.explain import owned


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("title", "your title"),
        ("whole text", "your whole text"),
        ("opening of the description", "the opening of your description"),
        ("first 30 %", "the first 30 % of your text"),
        ("rest", "the rest of your text"),
    ],
)
def test_a_part_is_named_with_its_owner(part: str, words: str) -> None:
    assert owned(part, "your") == words
