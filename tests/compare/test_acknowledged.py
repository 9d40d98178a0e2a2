"""Matches that are given as another's words."""

from __future__ import annotations

import pytest

from engine.compare.acknowledged import acknowledged
from engine.documents import Document

SAID = "The rotor follows the current of the tide"


def how(text: str, stretch: str) -> str:
    document = Document("d", abstract=text)
    start = document.parts[0].text.index(stretch)
    return acknowledged(document, document.parts[0].chunk("d", 0, start, start + len(stretch)))


@pytest.mark.parametrize("opening, closing", ["“”", "«»", '""', "„“", ("``", "''")])
def test_what_stands_between_quotation_marks_is_quoted(opening: str, closing: str) -> None:
    assert how(f"They write: {opening}{SAID}, as it must.{closing} We do not.", SAID) == "quoted"
    assert how(f"They write: {opening}The seal is tight at any speed.{closing} {SAID}.", SAID) == ""


@pytest.mark.parametrize("mark", ["[12]", "(Smith and Jones, 2010)", "as Brown (2011) says"])
def test_a_stretch_with_a_citation_is_cited(mark: str) -> None:
    assert how(f"{SAID} {mark}. We measure it.", f"{SAID} {mark}") == "cited"
    assert how(f"{SAID}. We measure it {mark}.", SAID) == ""


def test_a_word_in_quotation_marks_quotes_no_passage() -> None:
    assert (
        how(
            f"{SAID}, in a “wheel with a seal of rubber”, and turns a generator that is as large as a house.",
            f"{SAID}, in a “wheel with a seal of rubber”, and turns a generator that is as large as a house",
        )
        == ""
    )
