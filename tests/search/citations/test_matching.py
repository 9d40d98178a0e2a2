"""Whether an entry cites a document: title, year and author together."""

from __future__ import annotations

import pytest

from engine.documents import Document, Reference
from engine.search.citations.entries import parsed
from engine.search.citations.matching import agreement, may_cite, same_author, years_apart

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
    assert not cites(parsed(text))


def test_years_and_authors() -> None:
    assert years_apart(None, 1990) == 0 and years_apart(1990, 1993) == 3
    assert same_author(entry(authors=("D. Andrevs",)), WORK) is True
    assert same_author(entry(authors=("B. Bolker",)), WORK) is False
    assert same_author(entry(authors=()), WORK) is None
    assert same_author(entry(), Document("x")) is None
