"""How alike titles are: what is a slip, and what is another work."""

from __future__ import annotations

import pytest

from engine.search.citations.matching import edits, likeness, telling

TITLE = "Multi-task learning of sentence embeddings for patent retrieval: an empirical study"


@pytest.mark.parametrize(
    "typed",
    [
        TITLE.upper(),
        TITLE.replace("Multi-task", "Multitask"),
        TITLE.replace("Multi-task", "Multi task"),
        TITLE.replace("embeddings", "embedding"),
        TITLE.replace(":", " -"),
        TITLE.replace("retrieval", "re trieval"),
    ],
)
def test_capitals_signs_hyphens_and_forms_of_words_change_nothing(typed: str) -> None:
    assert likeness(typed, TITLE).is_equal


def test_a_slip_of_the_keys_is_near_and_not_equal() -> None:
    found = likeness(TITLE.replace("sentence", "setnence").replace("retrieval", "retreival"), TITLE)
    assert not found.is_equal and not found.changed and found.share > 0.9


def test_a_word_left_out_is_counted() -> None:
    found = likeness(TITLE.replace("sentence ", ""), TITLE)
    assert (found.missing, found.added, found.changed) == (1, 0, False)
    assert likeness(TITLE, TITLE.replace("sentence ", "")).added == 1


def test_a_subtitle_may_be_missing() -> None:
    found = likeness(TITLE.partition(":")[0], TITLE)
    assert found.is_headline and found.is_equal
    assert not likeness("Multi-task learning", TITLE).is_headline


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("On trees. Part I", "On trees. Part II"),
        ("On growing trees", "On growing trees, part 2"),
        ("On growing trees: a reply", "On growing trees"),
        ("Cancer statistics 2012", "Cancer statistics 2018"),
        ("On growing trees", "On growing trees: part II"),
    ],
)
def test_numbers_and_parts_tell_works_apart(one: str, other: str) -> None:
    assert likeness(one, other).renumbered
    assert likeness(other, one).renumbered


def test_another_word_is_another_work() -> None:
    assert likeness(TITLE.replace("patent", "music"), TITLE).changed


def test_accents_tags_and_entities_are_plain() -> None:
    assert likeness("Mobius &amp; <i>Poincare</i> maps", "Möbius and Poincaré maps").is_equal


def test_a_text_that_came_as_a_title_is_like_its_equal_alone() -> None:
    text = "word of a text " * 5_000
    assert likeness(text, text.upper()).is_equal
    assert likeness(text, f"{text} more").share == likeness(text, TITLE).share == 0


def test_a_title_without_words_is_like_none() -> None:
    assert likeness("...", TITLE).share == likeness(TITLE, "").share == 0
    assert telling("the of a") == 0


@pytest.mark.parametrize(
    ("one", "other", "count"), [("tree", "tree", 0), ("tree", "tere", 1), ("tree", "trees", 1), ("tree", "bush", 3)]
)
def test_edits_are_counted_to_a_bound(one: str, other: str, count: int) -> None:
    assert edits(one, other, 2) == count
