"""Passages in words: where they were cut, their page, and the words that two share."""

from __future__ import annotations

import pytest

from engine.documents import Chunk
from explorer.shared.passages import marked, passage_pair, with_cuts
from tests.explorer.shared.chunks import chunk


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A whole sentence.", "A whole sentence."),
        ("A rod passing through the ear, having a head", "A rod passing through the ear, having a head …"),
        ("and a stop on the rod;", "… and a stop on the rod; …"),
        ("A " + "x" * 800 + ".", "A " + "x" * 698 + " …"),
    ],
)
def test_a_passage_that_was_cut_says_so(text: str, shown: str) -> None:
    assert with_cuts(text) == shown


def test_words_that_both_passages_use_are_marked() -> None:
    assert marked("The walk mixes; a Walk!", {"walk"}) == "The <mark>walk</mark> mixes; a <mark>Walk</mark>!"


def test_function_words_are_not_marked() -> None:
    pair = passage_pair(chunk("the graph and the walk"), chunk("and the tree"))
    assert "<mark>" not in pair


def test_a_word_is_marked_in_the_form_that_each_passage_has() -> None:
    pair = passage_pair(
        chunk("Recommending citations, as described"), chunk("A citation was recommended; it describes.")
    )
    for form in ("Recommending", "citations", "citation", "recommended"):
        assert f"<mark>{form}</mark>" in pair
    assert "described</mark>" not in pair and "describes</mark>" not in pair


def test_a_passage_names_its_page() -> None:
    paged = Chunk("d", 2, "Methods", 0, 8, "We walk.", page=7)
    pair = passage_pair(paged, Chunk("e", 0, "", 0, 3, "We."))
    assert "In your document · Methods, p. 7" in pair
    assert ">In this one<" in pair
