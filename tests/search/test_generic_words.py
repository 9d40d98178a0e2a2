"""Words that say nothing about a subject: what each list leaves out, and what it must keep."""

from __future__ import annotations

import pytest

from engine.documents import text
from engine.search.evidence import vocabulary
from engine.search.evidence.vocabulary import GENRE_WORDS, HALVES, NO_LABEL_HALVES, NO_LABELS

LISTS = ("_NOWHERE", "_NO_EVIDENCE", "_NO_LABEL", "_IN_NAMES", "_NO_NAMES", "_HALVES", "_NO_LABEL_HALVES")


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_in_order_without_doubles_and_in_the_form_of_tokens(name: str) -> None:
    words = getattr(vocabulary, name).split()
    assert words == sorted(set(words))
    assert [word for word in words if text.tokens(word) != [word]] == [], "such a word would never be met"


def test_a_word_stands_in_one_list_of_the_genres() -> None:
    nowhere, no_evidence, no_label = (set(getattr(vocabulary, name).split()) for name in LISTS[:3])
    assert not (nowhere & no_evidence or nowhere & no_label or no_evidence & no_label)


@pytest.mark.parametrize(
    ("word", "evidence", "label"),
    [
        ("invention", False, False),
        ("method", False, False),
        ("surface", False, True),  # "surface tension"
        ("model", False, False),
        ("computer", True, False),
        ("mathbf", True, False),
        ("graph", True, True),
        ("boiler", True, True),
        ("valve", True, True),
        ("tension", True, True),
        ("network", True, True),
    ],
)
def test_a_word_may_be_evidence_or_part_of_a_label(word: str, evidence: bool, label: bool) -> None:
    assert (word not in GENRE_WORDS, word not in NO_LABELS) == (evidence, label)


def test_halves_of_words_are_left_out_and_whole_words_kept() -> None:
    broken = {"tion", "ment", "ity", "ness"}
    assert broken <= HALVES and broken <= NO_LABEL_HALVES
    sometimes_whole = {"ant", "ants", "ion", "ions"}
    assert sometimes_whole.isdisjoint(HALVES) and sometimes_whole <= NO_LABEL_HALVES
    for whole in ("law", "gas", "ore", "tin", "car", "pump"):
        assert whole not in HALVES | NO_LABEL_HALVES


def test_a_half_is_no_word_of_the_genre() -> None:
    assert HALVES.isdisjoint(GENRE_WORDS | NO_LABELS)
