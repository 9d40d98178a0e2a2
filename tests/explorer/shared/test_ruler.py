"""The ruler beside a number."""

from __future__ import annotations

from typing import get_args

from engine.search import Level, Reading, scales
from engine.search.readings import WORDS
from explorer.shared.ruler import reading_line, ruler


def test_the_ruler_marks_the_usual_pairs_and_this_one() -> None:
    html = ruler(Reading("same field", 0.6, 0.5))
    assert all(f"<span>{name}</span>" in html for name in ("unrelated", "same field", "cited", "duplicate"))
    assert 'class="ps-mark" style="left:50.0%"' in html and 'aria-hidden="true"' in html
    median = scales().levels["passage"].ruler["cited"]
    assert f"left:{100 * median:.1f}%" in ruler(Reading("same field", 0.6, 0.5), "passage")


def test_a_mark_stays_on_the_ruler() -> None:
    assert "left:0.0%" in ruler(Reading("unrelated", 0.9, -0.2)) and "left:100.0%" in ruler(
        Reading("same field", 1, 1.2)
    )


def test_the_line_says_the_word_the_probability_and_the_number() -> None:
    html = reading_line(Reading("closely related", 0.83, 0.57))
    assert "<strong>closely related</strong>" in html and " (83 %), nearness 0.57" in html
    assert "cite one another" in html  # what the word means, on hover


def test_a_word_that_its_mark_does_not_explain_says_what_else_counts() -> None:
    usual = scales().levels["document"].ruler
    also = "shared words and the length of the texts count, too."
    assert f"Nearer than its mark: {also}" in reading_line(Reading("closely related", 0.31, usual["same field"] - 0.06))
    assert f"Nearer than its mark: {also}" in reading_line(Reading("says the same", 0.5, usual["cited"] - 0.06))
    assert f"Further than its mark: {also}" in reading_line(Reading("unrelated", 0.5, usual["same field"] + 0.06))
    assert f"Further than its mark: {also}" in reading_line(Reading("same field", 0.5, usual["cited"] + 0.06))


def test_a_word_where_its_mark_is_needs_no_more() -> None:
    for level in get_args(Level):
        usual = scales().levels[level].ruler
        kinds = ["duplicate", "cited", "same field", "unrelated", "unrelated"]
        for word, kind in zip(WORDS, kinds, strict=True):
            if kind in usual:
                assert "than its mark" not in reading_line(Reading(word, 0.6, usual[kind]), level)
