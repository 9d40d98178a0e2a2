"""Whether an entry cites a document: title, year and author together; slips and other works."""

from __future__ import annotations

import pytest

from engine.documents import Document, Reference
from engine.search.citations.entries import parse_entry
from engine.search.citations.matching import (
    agreement,
    count_telling,
    edits,
    likeness,
    may_cite,
    same_author,
    years_apart,
)

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
    assert count_telling("the of a") == 0


@pytest.mark.parametrize(
    ("one", "other", "count"), [("tree", "tree", 0), ("tree", "tere", 1), ("tree", "trees", 1), ("tree", "bush", 3)]
)
def test_edits_are_counted_to_a_bound(one: str, other: str, count: int) -> None:
    assert edits(one, other, 2) == count


WORK = Document(
    "work",
    title="An improved covariance matrix estimator for dependent observations",
    year=1992,
    authors=("Andrews, Donald W. K.", "Monahan, J. Christopher"),
)


def cites(reference: Reference, work: Document = WORK) -> bool:
    found = may_cite(reference, work.title, work.year)
    return found is not None and agreement(reference, work, found) is not None


def entry(title: str = WORK.title, year: int | None = 1992, authors: tuple[str, ...] = ("D. Andrews",)) -> Reference:
    return Reference("", title=title, year=year, authors=authors)


def test_a_title_with_slips_needs_the_author_and_the_year() -> None:
    title = WORK.title.replace("covariance", "covarinace")
    assert cites(entry(title)) and cites(entry(title, 1993))
    assert not cites(entry(title, 1995))
    assert not cites(entry(title, authors=("B. Bolker",)))


def test_an_equal_title_may_be_of_a_preprint() -> None:
    assert cites(entry(year=1990))
    assert not cites(entry(year=1980))
    assert not cites(entry(year=1990, authors=("B. Bolker",)))


def test_a_word_left_out_needs_the_very_year_and_one_too_many_is_of_another_work() -> None:
    shorter = WORK.title.replace("matrix ", "")
    assert cites(entry(shorter)) and not cites(entry(shorter, 1991))
    assert not cites(entry(f"{WORK.title} revisited"))


def test_other_authors_do_not_hide_a_long_equal_title() -> None:
    assert cites(entry(authors=("B. Bolker",)))
    short = Document("short", title="Deep learning", year=2015, authors=("LeCun, Yann",))
    assert cites(entry("Deep learning", 2015, ("Y. LeCun",)), short)
    assert not cites(entry("Deep learning", 2015, ("B. Bolker",)), short)


def test_a_patent_is_not_cited_by_its_title() -> None:
    assert not cites(entry(), Document("US1A", "patent", title=WORK.title, year=1992, authors=WORK.authors))


@pytest.mark.parametrize(
    "text",
    [
        "AndrewsX, D. An improved covariance matrix estimator for dependent observations; Econometrica; 1992",
        "Andrews: «x» — 1992, An improved covariance matrix estimator for dependent observations, Econometrica",
    ],
)
def test_a_title_is_found_in_an_entry_whose_order_is_not_told(text: str) -> None:
    assert cites(Reference(text, title="Econometrica", year=1992, authors=("Andrews",)))


def test_a_venue_or_a_longer_title_is_not_the_work() -> None:
    text = "Andrews D (1992). Weak dependence in an improved covariance matrix estimator for dependent observations. E."
    assert not cites(parse_entry(text))


def test_years_and_authors() -> None:
    assert years_apart(None, 1990) == 0 and years_apart(1990, 1993) == 3
    assert same_author(entry(authors=("D. Andrevs",)), WORK) is True
    assert same_author(entry(authors=("B. Bolker",)), WORK) is False
    assert same_author(entry(authors=()), WORK) is None
    assert same_author(entry(), Document("x")) is None
