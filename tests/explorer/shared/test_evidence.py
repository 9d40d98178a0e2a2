"""Passages in words, the ruler beside a number, and the works that two documents both cite."""

from __future__ import annotations

from typing import get_args

import pytest

from engine.documents import Chunk, Reference
from engine.search import Reading
from engine.search.readings import WORDS, ReadingLevel
from explorer.shared.evidence import both_cite, mark_words, passage_pair, reading_line, ruler, with_cuts
from tests.documents.test_markup import HOSTILE
from tests.explorer.shared.made import chunk


def test_shared_works_are_counted_and_listed_as_text() -> None:
    shown = both_cite([Reference(HOSTILE), Reference("", title="Kites")])
    assert "Both cite 2 works" in shown and "Kites" in shown
    assert "<script" not in shown


def test_without_shared_works_nothing_is_drawn() -> None:
    assert both_cite([]) == ""


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
    assert mark_words("The walk mixes; a Walk!", {"walk"}) == "The <mark>walk</mark> mixes; a <mark>Walk</mark>!"


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


def test_the_ruler_marks_the_usual_pairs_and_this_one() -> None:
    html = ruler(Reading("same field", 0.6, 0.5))
    assert all(f"<span>{name}</span>" in html for name in ("unrelated", "same field", "cited", "duplicate"))
    assert 'class="ps-mark" style="left:50.0%"' in html and 'aria-hidden="true"' in html
    median = Reading.usual("passage")["cited"]
    assert f"left:{100 * median:.1f}%" in ruler(Reading("same field", 0.6, 0.5, "passage"))


def test_a_mark_stays_on_the_ruler() -> None:
    assert "left:0.0%" in ruler(Reading("unrelated", 0.9, -0.2)) and "left:100.0%" in ruler(
        Reading("same field", 1, 1.2)
    )


def test_the_line_says_the_word_the_probability_and_the_number() -> None:
    html = reading_line(Reading("closely related", 0.83, 0.57))
    assert "<strong>closely related</strong>" in html and " (83 %), nearness 0.57" in html
    assert "cite one another" in html  # what the word means, on hover


def test_a_word_that_its_mark_does_not_explain_says_what_else_counts() -> None:
    usual = Reading.usual()
    also = "shared words and the length of the texts count, too."
    assert f"Nearer than its mark: {also}" in reading_line(Reading("closely related", 0.31, usual["same field"] - 0.06))
    assert f"Nearer than its mark: {also}" in reading_line(Reading("says the same", 0.5, usual["cited"] - 0.06))
    assert f"Further than its mark: {also}" in reading_line(Reading("unrelated", 0.5, usual["same field"] + 0.06))
    assert f"Further than its mark: {also}" in reading_line(Reading("same field", 0.5, usual["cited"] + 0.06))


def test_a_word_where_its_mark_is_needs_no_more() -> None:
    for level in get_args(ReadingLevel):
        usual = Reading.usual(level)
        kinds = ["duplicate", "cited", "same field", "unrelated", "unrelated"]
        for word, kind in zip(WORDS, kinds, strict=True):
            if kind in usual:
                assert "than its mark" not in reading_line(Reading(word, 0.6, usual[kind], level))
