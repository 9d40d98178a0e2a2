"""Stripped text becomes paragraphs, titles and the parts of an abstract."""

from __future__ import annotations

from engine.reading.latex.stretches import HEADING, SMALL, USUAL, is_mark, parted, parts_of_abstract, title_line


def test_the_parts_of_an_abstract() -> None:
    text = f"Abstract: It boils.\n\n{HEADING}2. Results.\n\nIt is quiet.\n\nKeywords: lids, pots"
    abstract, keywords = parts_of_abstract(text)
    assert (abstract.role, abstract.text) == ("abstract", "It boils.\n\nResults: It is quiet.")
    assert (keywords.role, keywords.text) == ("keywords", "lids, pots")
    assert list(parts_of_abstract(" ")) == []


def test_a_note_in_a_title_is_left_out() -> None:
    assert title_line(f"Lids {SMALL}A note{USUAL} at sea") == "Lids at sea"
    assert title_line(f"{SMALL}Lids") == "Lids"
    assert is_mark("$^{*}$") and is_mark(r"$^\dagger$") and not is_mark("$x^2$")


def test_keywords_between_dashes() -> None:
    assert parted("lids \u2013 pots \u2014 seals") == "lids; pots; seals"
    assert parted("non \u2013 linear, lids") == "non \u2013 linear, lids"
