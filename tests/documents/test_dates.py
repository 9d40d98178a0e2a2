"""A year is told from other numbers, and a day is kept as exactly as it is given."""

from __future__ import annotations

import re

import pytest

from engine.documents import DocumentDate
from engine.documents.dates import DATED, MONTH, dates, day, year_in


@pytest.mark.parametrize(
    ("date", "year"),
    [
        ("2015", 2015),
        ("20150901", 2015),
        ("201509", 2015),
        ("19831100", 1983),
        ("2015-09-01T10:00:00Z", 2015),
        ("2015/9", 2015),
        ("1 September 2015", 2015),
        ("Sep-Oct 2015; 12", 2015),
        ("Mon, 2 Apr 2007 19:18:42 GMT", 2007),
        ("2008a", 2008),
        ("c1998", 1998),
        ("1455", 1455),
        ("1999-2001", 1999),
        ("unknown", None),
        ("00010101", None),
        ("20159", None),
        ("12015", None),
        ("2115", None),
        ("98", None),
        ("", None),
    ],
)
def test_the_year_in_a_date_of_any_form(date: str, year: int | None) -> None:
    assert year_in(date) == year


@pytest.mark.parametrize(
    ("date", "iso"),
    [
        ("20040602", "2004-06-02"),
        ("2004-06-02", "2004-06-02"),
        (" 2004/06/02", "2004-06-02"),
        ("2004-6-2", "2004-06-02"),
        ("2004-11-5", "2004-11-05"),
        ("2004-06-02T10:00", "2004-06-02"),
        ("2004/6", "2004-06"),
        ("19831100", "1983-11"),
        ("18930000", "1893"),
        ("2004-00-00", "2004"),
        ("2004", "2004"),
        ("20041399", "2004"),
        ("20041302", "2004"),
        ("00000000", ""),
        ("next year", ""),
        ("2 June 2004", ""),
        ("9" * 5000, ""),
    ],
)
def test_a_day_as_exactly_as_it_is_given(date: str, iso: str) -> None:
    assert day(date) == iso


def test_dates_stand_in_the_order_of_a_life_each_once() -> None:
    found = dates(("granted", "20040602"), ("priority", "20000302"), ("priority", "20000302"), ("filed", "none"))
    assert found == (DocumentDate("priority", "2000-03-02"), DocumentDate("granted", "2004-06-02"))


@pytest.mark.parametrize(
    "entry", ["Lind, A. (1859a)", "Ek, B. In press.", "arXiv:2001.00001", "doi:10.1/x", "1543, Basel"]
)
def test_an_entry_is_dated(entry: str) -> None:
    assert DATED.search(entry)


@pytest.mark.parametrize("entry", ["Lind, A. Lids", "pp. 12345", "1499", "Lids 2150"])
def test_an_entry_is_not_dated(entry: str) -> None:
    assert not DATED.search(entry)


def test_a_month_by_its_name() -> None:
    assert re.fullmatch(MONTH, "September", re.IGNORECASE)
    assert not re.fullmatch(MONTH, "Sept", re.IGNORECASE)
